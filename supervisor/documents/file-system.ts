import type { Result } from '../../contract/outcome.ts';
import * as fs from 'node:fs';
import { constants } from 'node:fs';

/** What a path is, without following a link. */
export type FileKind = 'file' | 'directory' | 'link' | 'other';

/** The facts by which a later look proves that it sees the same thing (documents.md §2.4). */
export interface FileIdentity {
  readonly kind: FileKind;
  readonly device: bigint;
  readonly inode: bigint;
}

export type FileFault = 'missing' | 'denied' | 'unusable';

export type FileOutcome<T> = Result<T, FileFault>;

export interface OpenedFile {
  identify(): Promise<FileOutcome<FileIdentity>>;
  /** At most `limit` bytes from the start; fewer only at the end of the file. */
  read(limit: number): Promise<FileOutcome<Uint8Array>>;
  close(): Promise<void>;
}

/** All that document loading needs of a file system; paths are absolute. Faults are returned, never thrown. */
export interface FileSystem {
  /** Does not follow a final link. */
  identify(path: string): Promise<FileOutcome<FileIdentity>>;
  readLink(path: string): Promise<FileOutcome<string>>;
  /** Opens for reading; refuses a final link and never waits for a pipe's writer. */
  open(path: string): Promise<FileOutcome<OpenedFile>>;
}

/**
 * The machine's own file system. Calls are synchronous inside: one on a local disk takes microseconds, a turn through
 * the thread pool ten times as long, and an application of 128 components takes some 1,500 of them.
 */
export const nodeDocumentFiles: FileSystem = {
  identify: async (path) => attempt(() => identityOf(fs.lstatSync(path, { bigint: true }))),
  readLink: async (path) => attempt(() => fs.readlinkSync(path)),
  open: async (path) =>
    attempt(() => openedFile(fs.openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))),
};

function openedFile(descriptor: number): OpenedFile {
  return {
    identify: async () => attempt(() => identityOf(fs.fstatSync(descriptor, { bigint: true }))),
    read: async (limit) => attempt(() => readUpTo(descriptor, limit)),
    close: async () => {
      // A failed close of a descriptor opened for reading loses nothing that was read.
      attempt(() => {
        fs.closeSync(descriptor);
      });
    },
  };
}

function readUpTo(descriptor: number, limit: number): Uint8Array {
  const { size } = fs.fstatSync(descriptor);
  // One byte more than the stated size: a growing file is seen, a truthful one costs two calls.
  let buffer = new Uint8Array(Math.min(limit, size + 1));
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length === limit) break;
      const larger = new Uint8Array(Math.min(limit, Math.max(4096, length * 2)));
      larger.set(buffer);
      buffer = larger;
    }
    const bytesRead = fs.readSync(descriptor, buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

interface StatFacts {
  readonly dev: bigint;
  readonly ino: bigint;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function identityOf(facts: StatFacts): FileIdentity {
  let kind: FileKind = 'other';
  if (facts.isFile()) kind = 'file';
  else if (facts.isDirectory()) kind = 'directory';
  else if (facts.isSymbolicLink()) kind = 'link';
  return { kind, device: facts.dev, inode: facts.ino };
}

const FAULTS: ReadonlyMap<string, FileFault> = new Map([
  ['ENOENT', 'missing'],
  ['ENOTDIR', 'missing'],
  ['EACCES', 'denied'],
  ['EPERM', 'denied'],
]);

function attempt<T>(action: () => T): FileOutcome<T> {
  try {
    return { ok: true, value: action() };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') throw error;
    return { ok: false, fault: FAULTS.get(error.code) ?? 'unusable' };
  }
}
