import { diagnostic, logicalSource, type Diagnostic, type Source } from '../../../contract/diagnostics/diagnostic.ts';
import { applicationRuleMessage, documentLimitMessage } from '../../../contract/diagnostics/messages/documents.ts';
import type { DocumentReader } from '../document-reader.ts';
import { sha256Hex } from '../digest.ts';
import { MAX_BYTES } from '../sizes.ts';
import type { ComponentChoice } from './select.ts';

/** One component with the bytes that are hashed, compiled and shown: they are read once. */
export interface Component {
  readonly id: string;
  /** Sorted by bytes and unique. */
  readonly dependencies: readonly string[];
  readonly origin: 'local' | 'library' | 'candidate';
  /** The published name of the source: the logical path of a local file, else the id (documents.md §13). */
  readonly sourceName: string;
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes`, 64 hex digits. */
  readonly sourceHash: string;
}

/** All environments of an application together (documents.md §3). */
const MAX_SOURCE_BYTES = 2_000_000;

/** The components of one environment, as far as they could be read. */
export interface ReadComponents {
  readonly components: readonly Component[];
  /** `at` leads from the environment; null where a source is there and cannot be taken. */
  readonly faults: readonly { readonly diagnostic: Diagnostic; readonly at: readonly string[] | null }[];
}

/** Reads the local sources of one environment; `directory` is that of the manifest. */
export async function readComponents(
  reader: DocumentReader,
  directory: string,
  choices: readonly ComponentChoice[],
): Promise<ReadComponents> {
  const components: Component[] = [];
  const faults: ReadComponents['faults'][number][] = [];
  for (const choice of choices) {
    if (choice.kind === 'library') {
      const { id, source, dependencies } = choice.library;
      const sourceHash = sha256Hex(source);
      components.push({ id, dependencies, origin: 'library', sourceName: id, bytes: source, sourceHash });
      continue;
    }
    const { index, id, path, dependencies } = choice;
    const source = logicalSource('component', path);
    const read = await reader.readReference(directory, path, MAX_BYTES.component);
    if (!read.ok) {
      const at = ['components', String(index), 'path'];
      faults.push({ diagnostic: diagnostic('reference_missing', { source }), at });
      continue;
    }
    const { bytes } = read.file;
    if (bytes.length > MAX_BYTES.component) faults.push({ diagnostic: tooLarge(source), at: null });
    else components.push({ id, dependencies, origin: 'local', sourceName: path, bytes, sourceHash: sha256Hex(bytes) });
  }
  return { components, faults };
}

function tooLarge(source: Source): Diagnostic {
  return diagnostic('document_limit_exceeded', {
    source,
    message: documentLimitMessage('component', MAX_BYTES.component, 'bytes'),
  });
}

/** The sum of all sources, one count per occurrence, is bounded over all environments (documents.md §3). */
export function checkSourceTotal(components: readonly Component[]): Diagnostic | null {
  const total = components.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total <= MAX_SOURCE_BYTES) return null;
  return diagnostic('schema_violation', { message: applicationRuleMessage('source_total'), path: '/missions' });
}
