import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  close as closeDescriptor,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  read,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFile,
  writeSync,
  type BigIntStats,
} from 'node:fs';
import { promisify } from 'node:util';
import { machineAccounts } from './accounts.ts';
import {
  fileFailure,
  fileSuccess,
  type FileResult,
  type FileStatus,
  type OpenDirectory,
  type OpenFile,
  type PublicationFileSystem,
} from './file-system.ts';

const DIRECTORY_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const CREATE_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What the owner may do, which no umask takes from what this program makes (cli.md §3). */
const OWNER_RIGHTS = 0o700;

/** Where Linux keeps a process's descriptors; a directory's leads to that directory, whatever became of its path. */
const DESCRIPTORS = '/proc/self/fd';
/** Linux: a descriptor of an object that this process may not even read. Node has no name for it. */
const O_PATH = 0o10000000;
/** What file systems answer that cannot sync a directory at all: their names are as permanent as they ever get. */
const NO_DIRECTORY_SYNC: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP']);

/** A read or a write of this many bytes, which only the page cache sees, takes less than a tenth of a millisecond. */
const AT_ONCE_BYTES = 65_536;

const syncDescriptor = promisify(fsync);
const writeDescriptor = promisify<number, Uint8Array, void>(writeFile);
const readDescriptor = promisify(read);
/** What is asked of the pool in one go; to hash it takes half a millisecond. */
const PIECE_BYTES = 262_144;

/**
 * The file system of the machine. Node has no `openat`; on Linux a name is addressed through the directory's descriptor
 * under `/proc/self/fd`, which is the same. Elsewhere (macOS) it is addressed by path, and before each step that path
 * is held against the descriptor: where it leads to anything else the step fails with ESTALE.
 *
 * What only looks at or changes names is done at once: it takes microseconds, and node's thread pool makes ten times
 * that of it (a run makes some 80 such calls). So are small reads and writes, which only meet the page cache. Large
 * ones and syncs take as long as the disk does, and wait in the pool.
 */
export function nodeFileSystem(
  descriptors: string | null = descriptorFolder(),
  close: CloseDescriptor = closeAtOnce,
): PublicationFileSystem {
  return {
    userId: process.geteuid?.() ?? 0,
    accounts: machineAccounts(),
    status: (path) => attempt(() => statusOf(lstatSync(path, { bigint: true }))),
    readLink: (path) => attempt(() => readlinkSync(path)),
    openDirectory: (path) => attempt(() => openDirectoryAt(path, { descriptors, close })),
  };
}

type CloseDescriptor = (descriptor: number) => Promise<void>;

const closeAtOnce: CloseDescriptor = async (descriptor) => {
  closeSync(descriptor);
};

/**
 * For anyone who does not wait for it: the last descriptor of a removed file takes as long to close as the disk does.
 */
export const closeInPool: CloseDescriptor = promisify(closeDescriptor);

function descriptorFolder(): string | null {
  return process.platform === 'linux' && existsSync(DESCRIPTORS) ? DESCRIPTORS : null;
}

interface Manner {
  readonly descriptors: string | null;
  readonly close: CloseDescriptor;
}

function openDirectoryAt(path: string, manner: Manner): OpenDirectory {
  const { descriptors, close } = manner;
  const descriptor = openSync(path, DIRECTORY_FLAGS);
  const opened = fstatSync(descriptor, { bigint: true });
  /** How this very directory is addressed now; throws where it no longer can be. */
  const reference = (): string => {
    if (descriptors !== null) return `${descriptors}/${descriptor}`;
    const now = lstatSync(path, { bigint: true });
    if (now.dev === opened.dev && now.ino === opened.ino) return path;
    throw Object.assign(new Error('a path leads elsewhere than before'), { code: 'ESTALE' });
  };
  const at = (name: string): string => `${reference()}/${name}`;
  return {
    reference,
    status: () => attempt(() => statusOf(fstatSync(descriptor, { bigint: true }))),
    isWritable: () => attempt(() => isWritable(reference())),
    entry: (name) => attempt(() => statusOf(lstatSync(at(name), { bigint: true }))),
    names: (limit) => attempt(() => namesIn(reference(), limit)),
    openDirectory: (name) => attempt(() => openDirectoryAt(at(name), manner)),
    makeDirectory: (name, mode) => attemptEffect(() => makeDirectoryAt(at(name), mode, descriptors)),
    createFile: (name, mode) => attempt(() => openFile(createFileAt(at(name), mode), close)),
    readFile: (name, limit) => readFileAt(() => at(name), limit),
    digestFile: (name, limit) => digestFileAt(() => at(name), limit),
    link: (from, fromName, name) => attemptEffect(() => linkSync(`${from.reference()}/${fromName}`, at(name))),
    rename: (from, fromName, name) => attemptEffect(() => renameSync(`${from.reference()}/${fromName}`, at(name))),
    removeFile: (name) => attemptEffect(() => unlinkSync(at(name))),
    removeDirectory: (name) => attemptEffect(() => rmdirSync(at(name))),
    sync: () => syncDirectory(descriptor),
    close: () => close(descriptor),
  };
}

/** `mode` less the umask, but for the rights of the owner. */
function makeDirectoryAt(path: string, mode: number, descriptors: string | null): void {
  mkdirSync(path, mode);
  const owed = mode & OWNER_RIGHTS;
  const made = lstatSync(path).mode & 0o777;
  if ((made & owed) === owed) return;
  if (descriptors === null) {
    chmodSync(path, made | owed);
    return;
  }
  const descriptor = openSync(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    chmodSync(`${descriptors}/${descriptor}`, made | owed);
  } finally {
    closeSync(descriptor);
  }
}

/** As for directories; the rights are there before any byte is. */
function createFileAt(path: string, mode: number): number {
  const descriptor = openSync(path, CREATE_FLAGS, mode);
  try {
    const owed = mode & OWNER_RIGHTS;
    const made = fstatSync(descriptor).mode & 0o777;
    if ((made & owed) !== owed) fchmodSync(descriptor, made | owed);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    unlinkSync(path);
    throw error;
  }
}

async function syncDirectory(descriptor: number): Promise<FileResult<null>> {
  const synced = await attemptEffect(async () => syncDescriptor(descriptor));
  return !synced.ok && NO_DIRECTORY_SYNC.has(synced.errno) ? fileSuccess(null) : synced;
}

function writeAtOnce(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}

function overwriteDescriptor(descriptor: number, position: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;)
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
}

function openFile(descriptor: number, close: CloseDescriptor): OpenFile {
  return {
    status: () => attempt(() => statusOf(fstatSync(descriptor, { bigint: true }))),
    write: (bytes) =>
      attemptEffect(() =>
        bytes.length <= AT_ONCE_BYTES ? writeAtOnce(descriptor, bytes) : writeDescriptor(descriptor, bytes),
      ),
    read: (position, length) => attempt(() => readPiece(descriptor, position, length)),
    overwrite: (position, bytes) => attemptEffect(async () => overwriteDescriptor(descriptor, position, bytes)),
    sync: () => attemptEffect(async () => syncDescriptor(descriptor)),
    close: () => close(descriptor),
  };
}

/** The whole of a file of at most `limit` bytes. */
async function readFileAt(path: () => string, limit: number): Promise<FileResult<Uint8Array>> {
  const pieces: Uint8Array[] = [];
  const read = await visitPieces(path, limit, (piece) => {
    pieces.push(piece);
  });
  if (!read.ok) return read;
  const [first] = pieces;
  return fileSuccess(pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces));
}

async function digestFileAt(path: () => string, limit: number): Promise<FileResult<string>> {
  const digest = createHash('sha256');
  const read = await visitPieces(path, limit, (piece) => {
    digest.update(piece);
  });
  return read.ok ? fileSuccess(digest.digest('hex')) : read;
}

async function visitPieces(
  path: () => string,
  limit: number,
  take: (piece: Uint8Array) => void,
): Promise<FileResult<null>> {
  const opened = await attempt(() => openSync(path(), READ_FLAGS));
  if (!opened.ok) return opened;
  try {
    return await attemptEffect(async () => {
      for (let length = 0; ;) {
        // One byte more than there may be shows that there are more.
        const piece = await readPiece(opened.value, length, Math.min(PIECE_BYTES, limit + 1 - length));
        if (piece.length === 0) return;
        length += piece.length;
        if (length > limit) throw Object.assign(new Error('larger than the caller accepts'), { code: 'EFBIG' });
        take(piece);
      }
    });
  } finally {
    closeSync(opened.value);
  }
}

async function readPiece(descriptor: number, position: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  if (length <= AT_ONCE_BYTES) return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position));
  const { bytesRead } = await readDescriptor(descriptor, buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
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

const DENIALS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && DENIALS.has(error.code))
      return false;
    throw error;
  }
}

function statusOf(stats: BigIntStats): FileStatus {
  return {
    kind: kindOf(stats),
    identity: `${stats.dev}:${stats.ino}`,
    owner: Number(stats.uid),
    group: Number(stats.gid),
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
