import type { FileSystem } from './file-system.ts';
import { absoluteSegments, readSafely, type ReadOutcome } from './safe-file.ts';

/** Reads the files of one command, each at most once (documents.md §2). */
export interface DocumentReader {
  /** A path that the caller gave, from the working directory unless absolute. `limit` in bytes. */
  readNamed(path: string, limit: number): Promise<ReadOutcome>;
  /** A reference inside a document, below the directory of that document. `limit` in bytes. */
  readReference(directory: string, reference: string, limit: number): Promise<ReadOutcome>;
}

export function createDocumentReader(fileSystem: FileSystem, workingDirectory: string): DocumentReader {
  const known = new Map<string, Uint8Array>();
  return {
    async readNamed(path, limit) {
      const segments = absoluteSegments(path.startsWith('/') ? path : `${workingDirectory}/${path}`);
      if (segments === null || path === '') return { ok: false, fault: 'unusable' };
      return readSafely({ fileSystem, root: '/', segments, limit, known });
    },
    async readReference(directory, reference, limit) {
      const segments = reference.split('/');
      if (
        reference.includes('\0') ||
        segments.some((segment) => segment === '' || segment === '.' || segment === '..')
      ) {
        return { ok: false, fault: 'unusable' };
      }
      return readSafely({ fileSystem, root: directory, segments, limit, known });
    },
  };
}
