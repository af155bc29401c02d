import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, opendir, type FileHandle } from 'node:fs/promises';

/** What a later look compares, to see that it looks at the same bytes. Times in nanoseconds. */
export interface FileFacts {
  readonly kind: 'file' | 'directory' | 'other';
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  readonly modified: bigint;
  readonly changed: bigint;
}

export interface OpenEvidence {
  facts(): Promise<FileFacts | null>;
  /** At most so many bytes, fewer only at the end of the file; null when they cannot be read. */
  read(position: number, length: number): Promise<Buffer | null>;
  close(): Promise<void>;
}

/** All that analysis needs of a file system. Paths are absolute; a final link is never followed; faults are null. */
export interface EvidenceFiles {
  facts(path: string): Promise<FileFacts | null>;
  /** Names in a directory in no order: at most one more than `most`, which says that there are more. */
  names(path: string, most: number): Promise<readonly string[] | null>;
  open(path: string): Promise<OpenEvidence | null>;
}

export const nodeEvidenceFiles: EvidenceFiles = {
  facts: async (path) => attempt(async () => factsOf(await lstat(path, { bigint: true }))),
  names: async (path, most) =>
    attempt(async () => {
      const names: string[] = [];
      for await (const entry of await opendir(path)) {
        names.push(entry.name);
        if (names.length > most) break;
      }
      return names;
    }),
  open: async (path) =>
    attempt(async () => opened(await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))),
};

export function isSameFile(before: FileFacts | null, after: FileFacts | null): boolean {
  if (before === null || after === null) return false;
  return (
    before.kind === after.kind &&
    before.device === after.device &&
    before.inode === after.inode &&
    before.size === after.size &&
    before.modified === after.modified &&
    before.changed === after.changed
  );
}

function opened(handle: FileHandle): OpenEvidence {
  return {
    facts: async () => attempt(async () => factsOf(await handle.stat({ bigint: true }))),
    read: async (position, length) =>
      attempt(async () => {
        const buffer = Buffer.allocUnsafe(length);
        let filled = 0;
        while (filled < length) {
          const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return buffer.subarray(0, filled);
      }),
    close: async () => {
      // A failed close of a descriptor opened for reading loses nothing that was read.
      await attempt(async () => handle.close());
    },
  };
}

function factsOf(stats: BigIntStats): FileFacts {
  const kind = stats.isFile() ? 'file' : 'other';
  return {
    kind: stats.isDirectory() ? 'directory' : kind,
    device: stats.dev,
    inode: stats.ino,
    size: stats.size,
    modified: stats.mtimeNs,
    changed: stats.ctimeNs,
  };
}

async function attempt<T>(action: () => Promise<T>): Promise<T | null> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return null;
    throw error;
  }
}
