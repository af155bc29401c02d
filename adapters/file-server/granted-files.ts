import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, fchmodSync, fchownSync, fstatSync, fsyncSync, readSync, writeFileSync } from 'node:fs';
import { isAbsolute, matchesGlob } from 'node:path';
import type { FolderEntry, PinnedFolder } from './pinned-folder.ts';
import { FileRefusal, refusing } from './refusal.ts';

/** What a server may touch: files below one folder. */
export interface FolderGrant {
  /** Held as long as the server runs. */
  readonly root: PinnedFolder;
  /** Patterns of paths below it, of which one must match; none: every path. */
  readonly include: readonly string[];
  /** Greatest size of a written file; null: nothing is written. */
  readonly maxWriteBytes: number | null;
}

/** Greatest file that is read, in bytes. */
export const MAX_READ_BYTES = 4_194_304;
const MAX_PATH_CHARACTERS = 1024;
const NEW_FILE_MODE = 0o600;
const GROUP_RIGHTS = 0o070;

/** Lines of a text, with the digest of the whole, so that a reader sees when it changed between two pages. */
export interface FileText {
  readonly lines: readonly string[];
  /** `sha256:` and 64 hex digits of the bytes. */
  readonly hash: string;
}

/** The text of a granted file. Links are followed nowhere. */
export function readText(grant: FolderGrant, path: string): FileText {
  return inFolderOf(grant, path, (folder, name) => {
    const file = folder.open(name, constants.O_RDONLY, 0);
    try {
      if (!fstatSync(file).isFile()) throw new FileRefusal('that is no regular file');
      const bytes = readBounded(file);
      return { lines: textOf(bytes).split('\n'), hash: `sha256:${createHash('sha256').update(bytes).digest('hex')}` };
    } finally {
      closeSync(file);
    }
  });
}

/** Puts a text in the place of a granted file, whole or not at all, with the rights of the old one; gives its bytes. */
export function writeText(grant: FolderGrant, path: string, text: string): number {
  const { maxWriteBytes } = grant;
  if (maxWriteBytes === null) throw new FileRefusal('nothing may be written here');
  const bytes = Buffer.from(text);
  if (bytes.length > maxWriteBytes) throw new FileRefusal(`at most ${String(maxWriteBytes)} bytes may be written`);
  inFolderOf(grant, path, (folder, name) => replaceFile(folder, name, bytes));
  return bytes.length;
}

function replaceFile(folder: PinnedFolder, name: string, bytes: Uint8Array): void {
  const old = folder.entry(name);
  if (old !== null && !old.isFile) throw new FileRefusal('that is no regular file');
  const staged = `.svc-${randomBytes(8).toString('hex')}`;
  const file = folder.open(staged, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, NEW_FILE_MODE);
  let isPlaced = false;
  try {
    writeFileSync(file, bytes);
    if (old !== null) giveRights(file, old);
    fsyncSync(file);
    folder.rename(staged, name);
    isPlaced = true;
  } finally {
    closeSync(file);
    if (!isPlaced) folder.remove(staged);
  }
}

/** A file that cannot have the old one's group grants its own group nothing: that may be other people. */
function giveRights(file: number, { mode, uid, gid }: FolderEntry): void {
  const made = fstatSync(file);
  const hasOwners = (made.uid === uid && made.gid === gid) || isAllowed(() => fchownSync(file, uid, gid));
  const hasGroup = hasOwners || made.gid === gid || isAllowed(() => fchownSync(file, made.uid, gid));
  fchmodSync(file, hasGroup ? mode : mode & ~GROUP_RIGHTS);
}

function isAllowed(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EPERM' || error.code === 'EINVAL')) return false;
    throw error;
  }
}

/** Works in the folder of a path that the grant allows, which is reached one name after the other. */
function inFolderOf<T>(
  { root, include }: FolderGrant,
  path: string,
  work: (folder: PinnedFolder, name: string) => T,
): T {
  const segments = path.split('/');
  const isPlain =
    path.length <= MAX_PATH_CHARACTERS &&
    !isAbsolute(path) &&
    !/[\0\\]/.test(path) &&
    segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  if (!isPlain) throw new FileRefusal('a path is relative, with / between its names, and leads nowhere up');
  if (include.length > 0 && !include.some((pattern) => matchesGlob(path, pattern)))
    throw new FileRefusal('that path is not granted');
  return refusing(() => inFolder(root, segments.slice(0, -1), (folder) => work(folder, segments.at(-1) ?? '')));
}

function inFolder<T>(start: PinnedFolder, names: readonly string[], work: (folder: PinnedFolder) => T): T {
  let folder = start;
  try {
    for (const name of names) {
      const next = folder.enter(name);
      if (folder !== start) folder.close();
      folder = next;
    }
    return work(folder);
  } finally {
    if (folder !== start) folder.close();
  }
}

/** Whatever its size was said to be: a file may grow while it is read. */
function readBounded(file: number): Uint8Array {
  const buffer = Buffer.allocUnsafe(MAX_READ_BYTES + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read)
    read = readSync(file, buffer, length, buffer.length - length, null);
  if (length > MAX_READ_BYTES) throw new FileRefusal(`the file is longer than ${String(MAX_READ_BYTES)} bytes`);
  return buffer.subarray(0, length);
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FileRefusal('the file is no UTF-8 text');
  }
}
