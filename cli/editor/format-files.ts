import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { isUtf8 } from 'node:buffer';
import { formatSource } from '../../sandbox/language/editor/format/format.ts';
import { TextLines } from './positions.ts';
import { TEXT_BYTES_MAX } from './open-documents.ts';
import type { thisMachine } from '../../supervisor/api/machine.ts';
import { replaceFile } from '../../system/replace-file.ts';
import { nearestFile } from '../streams/nearest-file.ts';
import { Diagnoser } from './diagnose.ts';

/** The result of laying out a text. */
export type LaidOut =
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly text: string }
  /** `where` is `:LINE:COLUMN`, or empty. */
  | { readonly kind: 'unreadable'; readonly where: string; readonly reason: string };

/** The result for a file; `unwritten`: it is other than it should be. */
export type FormattedFile = LaidOut | { readonly kind: 'unwritten'; readonly reason: string };

/** A text as `svc fmt` lays it out. */
export function layOut(bytes: Uint8Array): LaidOut {
  if (bytes.length > TEXT_BYTES_MAX)
    return { kind: 'unreadable', where: '', reason: `it has more than ${String(TEXT_BYTES_MAX)} bytes` };
  if (!isUtf8(bytes)) return { kind: 'unreadable', where: '', reason: 'it is no UTF-8' };
  const source = Buffer.from(bytes).toString();
  const formatted = formatSource(source);
  if (formatted.ok) return formatted.text === source ? { kind: 'same' } : { kind: 'changed', text: formatted.text };
  const { line, character } = new TextLines(source, 'utf-16').placeAt(formatted.offset);
  return { kind: 'unreadable', where: `:${String(line + 1)}:${String(character + 1)}`, reason: formatted.message };
}

/** Lays a file out; it has its old text or its new one at any time. `isWritten`: false leaves it is. */
export async function formatFile(path: string, isWritten: boolean): Promise<FormattedFile> {
  let bytes: Uint8Array;
  try {
    if (!statSync(path).isFile()) return { kind: 'unreadable', where: '', reason: 'it is no file' };
    if (statSync(path).size > TEXT_BYTES_MAX) return layOut(new Uint8Array(TEXT_BYTES_MAX + 1));
    bytes = readFileSync(path);
  } catch (thrown) {
    const near = nearestFile(path);
    const target = near === null || near === basename(path) ? '' : `; did you mean ${near}?`;
    return { kind: 'unreadable', where: '', reason: `${reasonOf(thrown)}${target}` };
  }
  const laidOut = layOut(bytes);
  if (laidOut.kind !== 'changed' || !isWritten) return laidOut;
  try {
    await replaceFile(path, laidOut.text, { ifNew: 0o644 });
    return laidOut;
  } catch (thrown) {
    return { kind: 'unwritten', reason: reasonOf(thrown) };
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'you may not read or write it',
  EPERM: 'you may not read or write it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its file system is full',
};

/** What the system said; where there are no words for it, its code. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string')
    return WORDS[thrown.code] ?? thrown.code;
  throw thrown;
}

/** The components of a manifest or project that are files, sorted; empty where none could be read. */
export async function componentFiles(
  document: string,
  machine: ReturnType<typeof thisMachine>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { read, sets } = await new Diagnoser(machine).check(document, 'project', new Map(), signal);
  const sources = new Set(sets.flat().map(({ source }) => source));
  return [...read]
    .filter(([path, bytes]) => path.endsWith('.clj') || sources.has(Buffer.from(bytes).toString()))
    .map(([path]) => path)
    .toSorted();
}
