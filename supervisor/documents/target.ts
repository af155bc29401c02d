import type { DocumentReader } from './document-reader.ts';
import type { ReadOutcome } from './safe-file.ts';

/** A document as the command line names it, or as a project names it below its own directory. */
export type DocumentName =
  | { readonly kind: 'named'; readonly path: string }
  | { readonly kind: 'below'; readonly directory: string; readonly reference: string };

/** Reads at most `limit + 1` bytes of the document. */
export function readDocument(reader: DocumentReader, name: DocumentName, limit: number): Promise<ReadOutcome> {
  return name.kind === 'named'
    ? reader.readNamed(name.path, limit)
    : reader.readReference(name.directory, name.reference, limit);
}
