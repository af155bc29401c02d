import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../../contract/diagnostics/diagnostic.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import type { FileSystem } from '../documents/file-system.ts';
import type { ReadFault } from '../documents/safe-file.ts';
import { readDocument } from '../documents/target.ts';
import type { DocumentName } from '../documents/target.ts';
import { parseEnvironmentFile } from './parse.ts';
import type { EnvironmentValues } from './parse.ts';

/** documents.md §1. */
export const ENVIRONMENT_FILE_BYTES = 1_000_000;

const CODES: Readonly<Record<ReadFault, DiagnosticCode>> = {
  missing: 'environment_file_not_found',
  irregular: 'environment_file_not_regular',
  unusable: 'environment_file_unreadable',
  escape: 'environment_file_unreadable',
};

/** Reads the one file that a command or its project names, with the refusals of interface-2 in their order (providers.md §4). */
export async function loadEnvironmentFile(fileSystem: FileSystem, workingDirectory: string, name: DocumentName): Promise<Outcome<EnvironmentValues>> {
  // Secrets are no document of the application: what it read is not looked at, and what is read here not kept.
  const reader = createDocumentReader(fileSystem, workingDirectory);
  const read = await readDocument(reader, name, ENVIRONMENT_FILE_BYTES);
  if (!read.ok) return failure(diagnostic(CODES[read.fault]));
  const { bytes } = read.file;
  if (bytes.length > ENVIRONMENT_FILE_BYTES) return failure(diagnostic('environment_file_too_large'));
  const text = decoded(bytes);
  if (text === null) return failure(diagnostic('environment_file_invalid_utf8'));
  const values = parseEnvironmentFile(text);
  return values === null ? failure(diagnostic('environment_file_invalid')) : success(values);
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
