import { crc32 } from 'node:zlib';
import type { IsolationReason } from '../capture/isolation.ts';
import type { TraceSource } from '../capture/run.ts';
import type { IndexRow, IndexedRun } from './index-row.ts';

/** A row as a line of the index file: a checksum, the row without its view, the view. */
export function lineOf(row: IndexRow): string {
  const { run } = row;
  const { view = '', ...kept } = run ?? {};
  const key = JSON.stringify({
    ...row,
    runIds: [...row.runIds],
    traceIds: [...row.traceIds],
    run: run === null ? null : kept,
  });
  const body = `${key}\t${view}`;
  return `${checksum(body)} ${body}\n`;
}

interface Key {
  readonly name: string;
  readonly stamp: string;
  readonly digest: string | null;
  readonly bytes: number;
  readonly source: TraceSource;
  readonly reason: IsolationReason | null;
  readonly runIds: readonly string[];
  readonly traceIds: readonly string[];
  readonly run: Omit<IndexedRun, 'view'> | null;
}

/** Null for a line that was torn or changed: its file is read again. `line`: without its line feed. */
export function rowOf(line: string): IndexRow | null {
  const space = line.indexOf(' ');
  const tab = line.indexOf('\t');
  const body = line.slice(space + 1);
  if (space < 0 || tab < space || line.slice(0, space) !== checksum(body)) return null;
  // The checksum says that this program wrote the line.
  const key: Key = JSON.parse(line.slice(space + 1, tab));
  const run = key.run === null ? null : { ...key.run, view: line.slice(tab + 1) };
  return { ...key, runIds: new Set(key.runIds), traceIds: new Set(key.traceIds), run };
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
