import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import type { DocumentReader } from '../document-reader.ts';
import type { Loaded } from '../examined-text.ts';
import { assembled, placedTexts } from '../explain/assemble.ts';
import { loadHost, type LoadedHost } from '../host/load.ts';
import type { DocumentName } from '../target.ts';
import { loadTarget, type Target } from './load.ts';

/** The documents that a command names. */
export interface NamedDocuments {
  /** Absolute. */
  readonly workingDirectory: string;
  /** Manifest or project document, from the working directory unless absolute. */
  readonly document: string;
  /** Host document that replaces the project's; null leaves the project's. */
  readonly hostConfig: string | null;
}

/** The document that a command names, reported to people where it is refused. */
export async function loadNamedTarget(
  { document, workingDirectory }: Pick<NamedDocuments, 'document' | 'workingDirectory'>,
  reader: DocumentReader,
): Promise<Outcome<Target>> {
  return explained(await loadTarget(reader, document), workingDirectory);
}

/** Step 6 of a command that reads no application: the host; null where none is named. */
export async function loadNamedHost(
  { hostConfig, workingDirectory }: Pick<NamedDocuments, 'hostConfig' | 'workingDirectory'>,
  reader: DocumentReader,
  target: Target | null,
): Promise<Outcome<LoadedHost | null>> {
  const name = namedHost(target, hostConfig);
  return name === null ? success(null) : explained(await loadHost(reader, name), workingDirectory);
}

/** The host of a command: the one it names, else the project's, else none (documents.md §6, "Precedence"). */
export function namedHost(target: Target | null, hostConfig: string | null): DocumentName | null {
  if (hostConfig !== null) return { kind: 'named', path: hostConfig };
  return target?.kind === 'project' ? target.host : null;
}

/** What is loaded, or why not, as people in `workingDirectory` read it (documents.md §14). */
function explained<T>(loaded: Loaded<T>, workingDirectory: string): Outcome<T> {
  if (loaded.ok) return loaded;
  const { diagnostic, advice, texts } = loaded;
  return failure(diagnostic, { ...advice, faults: assembled(diagnostic, placedTexts(texts, workingDirectory)) });
}
