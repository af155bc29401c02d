import { posix } from 'node:path';
import type { DocumentReader } from '../../documents/document-reader.ts';
import { LOGICAL, matches } from '../../documents/fields/patterns.ts';
import type { ReadOutcome } from '../../documents/safe-file.ts';

/** Where an application that is given as bytes is; nothing on the machine is meant by it. */
export const MEMORY_DIRECTORY = '/application';

/**
 * Reads documents that are given as bytes, by logical names (documents.md §2). Throws TypeError for a name that is
 * none.
 */
export function memoryReader(files: ReadonlyMap<string, Uint8Array>): DocumentReader {
  // The caller may go on to change its own.
  const cache = new Map<string, Uint8Array>();
  for (const [name, bytes] of files) {
    if (!matches(LOGICAL, name) || !(bytes instanceof Uint8Array))
      throw new TypeError('an application in memory is bytes by logical names');
    cache.set(`${MEMORY_DIRECTORY}/${name}`, bytes.slice());
  }
  const read = (path: string, limit: number): ReadOutcome => {
    const bytes = cache.get(path);
    return bytes === undefined
      ? { ok: false, fault: 'missing' }
      : { ok: true, file: { path, directory: posix.dirname(path), bytes: bytes.subarray(0, limit + 1) } };
  };
  return {
    readNamed: async (path, limit) => read(posix.resolve(MEMORY_DIRECTORY, path), limit),
    readReference: async (directory, reference, limit) => read(`${directory}/${reference}`, limit),
  };
}
