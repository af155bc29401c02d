import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, fsyncSync, lstatSync, openSync, readFileSync, realpathSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, matchesGlob, sep } from 'node:path';

/** What a server may touch: files below one folder. */
export interface Grant {
  /** Real path of the folder. */
  readonly root: string;
  /** Patterns of paths below it, of which one must match; none: every path. */
  readonly include: readonly string[];
  /** Greatest size of a written file; null: nothing is written. */
  readonly maxWriteBytes: number | null;
}

/** Told to whoever called, without a path of this machine. */
export class FileRefusal extends Error {}

/** Greatest file that is read, in bytes. */
const MAX_READ_BYTES = 4_194_304;
const MAX_PATH_CHARACTERS = 1024;

/** Lines of a text, with the digest of the whole, so that a reader sees when it changed between two pages. */
export interface FileText {
  readonly lines: readonly string[];
  /** `sha256:` and 64 hex digits of the bytes. */
  readonly hash: string;
}

/** The text of a granted file. Links are followed nowhere. */
export function readText(grant: Grant, path: string): FileText {
  const file = openSafely(placeOf(grant, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = fstatSync(file);
    if (!status.isFile()) throw new FileRefusal('that is no regular file');
    if (status.size > MAX_READ_BYTES) throw new FileRefusal(`the file is longer than ${String(MAX_READ_BYTES)} bytes`);
    const bytes = readFileSync(file);
    return { lines: textOf(bytes).split('\n'), hash: `sha256:${createHash('sha256').update(bytes).digest('hex')}` };
  } finally {
    closeSync(file);
  }
}

/** Puts a text in the place of a granted file, whole or not at all; gives its bytes. */
export function writeText(grant: Grant, path: string, text: string): number {
  const { maxWriteBytes } = grant;
  if (maxWriteBytes === null) throw new FileRefusal('nothing may be written here');
  const bytes = Buffer.from(text);
  if (bytes.length > maxWriteBytes) throw new FileRefusal(`at most ${String(maxWriteBytes)} bytes may be written`);
  const place = placeOf(grant, path);
  const there = lstatSync(place, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) throw new FileRefusal('that is no regular file');
  const staged = join(dirname(place), `.${basename(place)}.${randomBytes(8).toString('hex')}`);
  const file = openSafely(staged, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW);
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
    renameSync(staged, place);
  } catch (error) {
    unlinkSync(staged);
    throw error;
  } finally {
    closeSync(file);
  }
  return bytes.length;
}

/** The real place of a path that the grant allows. */
function placeOf({ root, include }: Grant, path: string): string {
  const segments = path.split('/');
  const isPlain = path.length <= MAX_PATH_CHARACTERS && !isAbsolute(path) && !/[\0\\]/.test(path) && segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  if (!isPlain) throw new FileRefusal('a path is relative, with / between its names, and leads nowhere up');
  if (include.length > 0 && !include.some((pattern) => matchesGlob(path, pattern))) throw new FileRefusal('that path is not granted');
  const folder = realFolder(join(root, ...segments.slice(0, -1)));
  if (folder !== root && !folder.startsWith(root === sep ? sep : root + sep)) throw new FileRefusal('that path is not granted');
  return join(folder, segments.at(-1) ?? '');
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new FileRefusal('there is no such file');
  }
}

function openSafely(path: string, flags: number): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    throw new FileRefusal(code === 'ENOENT' ? 'there is no such file' : code === 'ELOOP' ? 'that is no regular file' : 'the file cannot be opened');
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FileRefusal('the file is no UTF-8 text');
  }
}
