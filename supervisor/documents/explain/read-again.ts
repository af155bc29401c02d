import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { DocumentReader } from '../document-reader.ts';
import { readAlternate } from '../input/choose.ts';
import type { ReadOutcome } from '../safe-file.ts';
import { MAX_BYTES } from '../sizes.ts';
import { readDocument } from '../target.ts';
import type { DocumentName } from '../target.ts';
import { explain } from './explain.ts';
import type { Explanation } from './explanation.ts';

/** What a command named, as far as it got. */
export interface NamedDocuments {
  /** The positional argument. */
  readonly document: string;
  readonly manifest: DocumentName | null;
  readonly host: DocumentName | null;
  readonly override: string | null;
  /** What replaces the declared input; null for a private one, of which no key is shown. */
  readonly input: string | null;
  /** Absolute. */
  readonly workingDirectory: string;
}

/** Explains a refusal from the bytes that the command's reader still holds; null for a fault of no readable file. */
export async function explainRefusal(reader: DocumentReader, diagnostic: Diagnostic, named: NamedDocuments): Promise<Explanation | null> {
  const { source } = diagnostic;
  if (source === null) return null;
  const read = await readSource(reader, diagnostic, named);
  if (read === null || !read.ok) return null;
  const { path, bytes } = read.file;
  const below = `${named.workingDirectory === '/' ? '' : named.workingDirectory}/`;
  const explanation = explain(diagnostic, path.startsWith(below) ? path.slice(below.length) : source.name, bytes);
  return explanation.place === null && explanation.further.length === 0 ? null : explanation;
}

async function readSource(reader: DocumentReader, { source }: Diagnostic, named: NamedDocuments): Promise<ReadOutcome | null> {
  const { manifest, workingDirectory, input } = named;
  const below = (read: (directory: string) => Promise<ReadOutcome>): Promise<ReadOutcome | null> => readBelow(reader, manifest, read);
  switch (source?.kind) {
    case 'project':
      return reader.readNamed(named.document, MAX_BYTES.manifest);
    case 'host':
      return named.host === null ? null : readDocument(reader, named.host, MAX_BYTES.host);
    case 'application':
      return manifest === null ? null : readDocument(reader, manifest, MAX_BYTES.manifest);
    case 'component_override':
      return named.override === null ? null : reader.readNamed(named.override, MAX_BYTES.overrideDescriptor);
    case 'component':
      return below((directory) => reader.readReference(directory, source.name, MAX_BYTES.component));
    case 'input_contract':
    case 'result_contract':
    case 'phase_return_contract':
      return below((directory) => reader.readReference(directory, source.name, MAX_BYTES.contract));
    case 'external_input':
      return input === null ? null : below((directory) => readAlternate({ reader, directory, workingDirectory }, input));
    default:
      return null;
  }
}

/** A file that is named from the directory of the manifest. */
async function readBelow(
  reader: DocumentReader, manifest: DocumentName | null, from: (directory: string) => Promise<ReadOutcome>,
): Promise<ReadOutcome | null> {
  const read = manifest === null ? null : await readDocument(reader, manifest, MAX_BYTES.manifest);
  return read === null || !read.ok ? read : from(read.file.directory);
}
