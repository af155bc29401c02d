import {
  accessSync, closeSync, constants, existsSync, fstatSync, fsync, linkSync, lstatSync, mkdirSync, opendirSync, openSync,
  readlinkSync, readSync, renameSync, rmdirSync, unlinkSync, writeFile, writeSync,
} from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { promisify } from 'node:util';
import { fileFailure, fileSuccess } from './file-system.ts';
import type { FileResult, FileStatus, OpenDirectory, OpenFile, PublicationFileSystem } from './file-system.ts';

const DIRECTORY_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const CREATE_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const DESCRIPTORS = '/proc/self/fd';
/** What file systems answer that cannot sync a directory at all: their names are as permanent as they ever get. */
const NO_DIRECTORY_SYNC: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP']);

/** A write of this many bytes to the page cache takes less than a tenth of a millisecond. */
const AT_ONCE_BYTES = 65_536;

const syncDescriptor = promisify(fsync);
const writeDescriptor = promisify<number, Uint8Array, void>(writeFile);

/**
 * The file system of the machine. Node has no `openat`; on Linux a name is addressed through the directory's
 * descriptor under `/proc/self/fd`, which is the same. Elsewhere it is addressed by path, and the identity checks
 * around every step are what is left.
 *
 * What only looks at or changes names is done at once: it takes microseconds, and node's thread pool makes ten times
 * that of it (a run makes some 80 such calls). So are small writes, which only fill the page cache. Large writes and
 * syncs take as long as the disk does, and wait in the pool.
 */
export function nodeFileSystem(): PublicationFileSystem {
  const hasDescriptors = process.platform === 'linux' && existsSync(DESCRIPTORS);
  return {
    userId: process.geteuid?.() ?? 0,
    status: (path) => attempt(() => statusOf(lstatSync(path, { bigint: true }))),
    readLink: (path) => attempt(() => readlinkSync(path)),
    openDirectory: (path) => attempt(() => openDirectoryAt(path, hasDescriptors)),
  };
}

function openDirectoryAt(path: string, hasDescriptors: boolean): OpenDirectory {
  const descriptor = openSync(path, DIRECTORY_FLAGS);
  const reference = hasDescriptors ? `${DESCRIPTORS}/${descriptor}` : path;
  const at = (name: string): string => `${reference}/${name}`;
  return {
    reference,
    status: () => attempt(() => statusOf(fstatSync(descriptor, { bigint: true }))),
    isWritable: async () => isWritable(reference),
    entry: (name) => attempt(() => statusOf(lstatSync(at(name), { bigint: true }))),
    names: (limit) => attempt(() => namesIn(reference, limit)),
    openDirectory: (name) => attempt(() => openDirectoryAt(at(name), hasDescriptors)),
    makeDirectory: (name, mode) => attemptEffect(() => mkdirSync(at(name), mode)),
    createFile: (name, mode) => attempt(() => openFile(openSync(at(name), CREATE_FLAGS, mode))),
    readFile: async (name, limit) => readFileAt(at(name), limit),
    link: (from, fromName, name) => attemptEffect(() => linkSync(`${from.reference}/${fromName}`, at(name))),
    rename: (from, fromName, name) => attemptEffect(() => renameSync(`${from.reference}/${fromName}`, at(name))),
    removeFile: (name) => attemptEffect(() => unlinkSync(at(name))),
    removeDirectory: (name) => attemptEffect(() => rmdirSync(at(name))),
    sync: () => syncDirectory(descriptor),
    close: async () => closeSync(descriptor),
  };
}

async function syncDirectory(descriptor: number): Promise<FileResult<null>> {
  const synced = await attemptEffect(async () => syncDescriptor(descriptor));
  return !synced.ok && NO_DIRECTORY_SYNC.has(synced.errno) ? fileSuccess(null) : synced;
}

function writeAtOnce(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}

function openFile(descriptor: number): OpenFile {
  return {
    status: () => attempt(() => statusOf(fstatSync(descriptor, { bigint: true }))),
    write: (bytes) => attemptEffect(() => (bytes.length <= AT_ONCE_BYTES ? writeAtOnce(descriptor, bytes) : writeDescriptor(descriptor, bytes))),
    sync: () => attemptEffect(async () => syncDescriptor(descriptor)),
    close: async () => closeSync(descriptor),
  };
}

async function readFileAt(path: string, limit: number): Promise<FileResult<Uint8Array>> {
  const opened = await attempt(() => openSync(path, READ_FLAGS));
  if (!opened.ok) return opened;
  try {
    return await attempt(() => {
      const buffer = new Uint8Array(limit + 1);
      let length = 0;
      for (;;) {
        const read = readSync(opened.value, buffer, length, buffer.length - length, length);
        length += read;
        if (read === 0 || length > limit) break;
      }
      if (length > limit) throw Object.assign(new Error('larger than the caller accepts'), { code: 'EFBIG' });
      return buffer.subarray(0, length);
    });
  } finally {
    closeSync(opened.value);
  }
}

function namesIn(path: string, limit: number): readonly string[] {
  const directory = opendirSync(path, { bufferSize: Math.min(limit, 256) });
  try {
    const names: string[] = [];
    while (names.length < limit) {
      const entry = directory.readSync();
      if (entry === null) break;
      names.push(entry.name);
    }
    return names;
  } finally {
    directory.closeSync();
  }
}

async function isWritable(path: string): Promise<FileResult<boolean>> {
  const result = await attemptEffect(() => accessSync(path, constants.W_OK | constants.X_OK));
  if (result.ok) return fileSuccess(true);
  return ['EACCES', 'EPERM', 'EROFS'].includes(result.errno) ? fileSuccess(false) : result;
}

function statusOf(stats: BigIntStats): FileStatus {
  return {
    kind: kindOf(stats),
    identity: `${stats.dev}:${stats.ino}`,
    owner: Number(stats.uid),
    mode: Number(stats.mode) & 0o7777,
    size: Number(stats.size),
    links: Number(stats.nlink),
    modifiedAt: Number(stats.mtimeMs),
  };
}

function kindOf(stats: BigIntStats): FileStatus['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

async function attemptEffect(effect: () => void | Promise<void>): Promise<FileResult<null>> {
  return attempt(async () => {
    await effect();
    return null;
  });
}

/** An error of the operating system is a value; anything else is a bug and passes on. */
async function attempt<T>(action: () => T | Promise<T>): Promise<FileResult<T>> {
  try {
    return fileSuccess(await action());
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return fileFailure(error.code);
    throw error;
  }
}
