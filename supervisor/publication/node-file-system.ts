import { constants, existsSync } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { access, link, lstat, mkdir, open, opendir, readlink, rename, rmdir, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { fileFailure, fileSuccess } from './file-system.ts';
import type { FileResult, FileStatus, OpenDirectory, OpenFile, PublicationFileSystem } from './file-system.ts';

const DIRECTORY_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const CREATE_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const DESCRIPTORS = '/proc/self/fd';
/** What file systems answer that cannot sync a directory at all: their names are as permanent as they ever get. */
const NO_DIRECTORY_SYNC: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP']);

/**
 * The file system of the machine. Node has no `openat`; on Linux a name is addressed through the directory's
 * descriptor under `/proc/self/fd`, which is the same. Elsewhere it is addressed by path, and the identity checks
 * around every step are what is left.
 */
export function nodeFileSystem(): PublicationFileSystem {
  const hasDescriptors = process.platform === 'linux' && existsSync(DESCRIPTORS);
  return {
    userId: process.geteuid?.() ?? 0,
    status: (path) => attempt(async () => statusOf(await lstat(path, { bigint: true }))),
    readLink: (path) => attempt(async () => readlink(path)),
    openDirectory: (path) => attempt(async () => openDirectoryAt(path, hasDescriptors)),
  };
}

async function openDirectoryAt(path: string, hasDescriptors: boolean): Promise<OpenDirectory> {
  const handle = await open(path, DIRECTORY_FLAGS);
  const reference = hasDescriptors ? `${DESCRIPTORS}/${handle.fd}` : path;
  const at = (name: string): string => `${reference}/${name}`;
  return {
    reference,
    status: () => attempt(async () => statusOf(await handle.stat({ bigint: true }))),
    isWritable: () => isWritable(reference),
    entry: (name) => attempt(async () => statusOf(await lstat(at(name), { bigint: true }))),
    names: (limit) => attempt(async () => namesIn(reference, limit)),
    openDirectory: (name) => attempt(async () => openDirectoryAt(at(name), hasDescriptors)),
    makeDirectory: (name, mode) => attemptEffect(async () => mkdir(at(name), mode)),
    createFile: (name, mode) => attempt(async () => openFile(await open(at(name), CREATE_FLAGS, mode))),
    readFile: (name, limit) => readFileAt(at(name), limit),
    link: (from, fromName, name) => attemptEffect(async () => link(`${from.reference}/${fromName}`, at(name))),
    rename: (from, fromName, name) => attemptEffect(async () => rename(`${from.reference}/${fromName}`, at(name))),
    removeFile: (name) => attemptEffect(async () => unlink(at(name))),
    removeDirectory: (name) => attemptEffect(async () => rmdir(at(name))),
    sync: () => syncDirectory(handle),
    close: async () => handle.close(),
  };
}

async function syncDirectory(handle: FileHandle): Promise<FileResult<null>> {
  const synced = await attemptEffect(async () => handle.sync());
  return !synced.ok && NO_DIRECTORY_SYNC.has(synced.errno) ? fileSuccess(null) : synced;
}

function openFile(handle: FileHandle): OpenFile {
  return {
    status: () => attempt(async () => statusOf(await handle.stat({ bigint: true }))),
    write: (bytes) => attemptEffect(async () => handle.writeFile(bytes)),
    sync: () => attemptEffect(async () => handle.sync()),
    close: async () => handle.close(),
  };
}

async function readFileAt(path: string, limit: number): Promise<FileResult<Uint8Array>> {
  const opened = await attempt(async () => open(path, READ_FLAGS));
  if (!opened.ok) return opened;
  try {
    return await attempt(async () => {
      const buffer = new Uint8Array(limit + 1);
      let length = 0;
      for (;;) {
        const { bytesRead } = await opened.value.read(buffer, length, buffer.length - length, length);
        length += bytesRead;
        if (bytesRead === 0 || length > limit) break;
      }
      if (length > limit) throw Object.assign(new Error('larger than the caller accepts'), { code: 'EFBIG' });
      return buffer.subarray(0, length);
    });
  } finally {
    await opened.value.close();
  }
}

async function namesIn(path: string, limit: number): Promise<readonly string[]> {
  const directory = await opendir(path, { bufferSize: Math.min(limit, 256) });
  try {
    const names: string[] = [];
    while (names.length < limit) {
      const entry = await directory.read();
      if (entry === null) break;
      names.push(entry.name);
    }
    return names;
  } finally {
    await directory.close();
  }
}

async function isWritable(path: string): Promise<FileResult<boolean>> {
  const result = await attemptEffect(async () => access(path, constants.W_OK | constants.X_OK));
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
    modifiedAt: Number(stats.mtimeMs),
  };
}

function kindOf(stats: BigIntStats): FileStatus['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

async function attemptEffect(effect: () => Promise<void>): Promise<FileResult<null>> {
  return attempt(async () => {
    await effect();
    return null;
  });
}

/** An error of the operating system is a value; anything else is a bug and passes on. */
async function attempt<T>(action: () => Promise<T>): Promise<FileResult<T>> {
  try {
    return fileSuccess(await action());
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return fileFailure(error.code);
    throw error;
  }
}
