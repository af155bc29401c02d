import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { replaceFile } from '../../../system/replace-file.ts';
import type { Variables } from '../../process/variables.ts';

/** cli.md §11: forms of scratch sessions, private to the user, in the user's cache directory. */
const DIRECTORY = 'svc';
const FILE = 'repl-history';
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
/** What ends the lines of one form in the file, where each form has a line of its own. */
const LINE_END = '\r';
const NOT_PRIVATE = 0o077;
export const HISTORY_BYTES = 524_288;

export interface History {
  /** Oldest first. */
  readonly lines: readonly string[];
  /** Replaces the file by the newest of these lines that fit. */
  readonly save: (lines: readonly string[]) => Promise<void>;
}

/** Of sessions that keep none. */
export const NO_HISTORY: History = { lines: [], save: async () => undefined };

/**
 * The history of earlier sessions. Where the directory or file is not the user's alone, there is none and nothing is
 * written; a history that cannot be kept is no failure of a session.
 */
export async function openHistory(variables: Variables): Promise<History> {
  const cache = cacheDirectory(variables);
  if (cache === null) return NO_HISTORY;
  const directory = join(cache, DIRECTORY);
  const path = join(directory, FILE);
  try {
    await makeDirectory(cache);
    await makeDirectory(directory);
    if (!isPrivate(await lstat(directory), 'directory')) return NO_HISTORY;
    const lines = await readLines(path);
    return lines === null ? NO_HISTORY : { lines, save: async (newest) => keep(path, newest) };
  } catch {
    return NO_HISTORY;
  }
}

function cacheDirectory(variables: Variables): string | null {
  const { XDG_CACHE_HOME: cache, HOME: home } = variables;
  if (cache !== undefined && isAbsolute(cache)) return cache;
  return home !== undefined && isAbsolute(home) ? join(home, '.cache') : null;
}

/** One level only: where not even the parent is there, the user has no cache. */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: DIRECTORY_MODE });
    // The umask may have taken from the owner too.
    await chmod(path, DIRECTORY_MODE);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

type Facts = Awaited<ReturnType<typeof lstat>>;

function isPrivate(facts: Facts, kind: 'directory' | 'file'): boolean {
  const isKind = kind === 'directory' ? facts.isDirectory() : facts.isFile();
  return isKind && facts.uid === process.getuid?.() && (Number(facts.mode) & NOT_PRIVATE) === 0;
}

/** Null when the file is there but is not to be touched. */
async function readLines(path: string): Promise<readonly string[] | null> {
  let file;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? [] : null;
  }
  try {
    const facts = await file.stat();
    if (!isPrivate(facts, 'file') || facts.size > HISTORY_BYTES) return null;
    const text = await file.readFile('utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replaceAll(LINE_END, '\n'));
  } finally {
    await file.close();
  }
}

/** A history that cannot be kept is no failure of the session. */
async function keep(path: string, lines: readonly string[]): Promise<void> {
  await replaceFile(path, newestThatFit(lines), { exactly: FILE_MODE }).catch(() => undefined);
}

function newestThatFit(lines: readonly string[]): string {
  const retained: string[] = [];
  let bytes = 0;
  for (const line of lines.toReversed()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > HISTORY_BYTES) break;
    retained.push(`${line.replaceAll('\n', LINE_END)}\n`);
  }
  return retained.toReversed().join('');
}
