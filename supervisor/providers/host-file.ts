import type { DocumentReader } from '../documents/document-reader.ts';
import type { ReadOutcome } from '../documents/safe-file.ts';

/** A file that an installation names: a relative path stays beneath the host document's directory. */
export async function readHostFile(
  reader: DocumentReader,
  hostDirectory: string,
  path: string,
  limit: number,
): Promise<ReadOutcome> {
  if (path.startsWith('/')) return reader.readNamed(path, limit);
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return reader.readReference(hostDirectory, segments.join('/'), limit);
}
