import { paced } from '../files/pace.ts';
import { lineOf, rowOf } from './index-line.ts';
import type { IndexRow } from './index-row.ts';

/** Where an index is kept between two starts. Both fail in silence: what is not kept is made again. */
export interface IndexStorage {
  /** Null where nothing is kept that can be believed. */
  read(): Promise<Uint8Array | null>;
  replace(bytes: Uint8Array): Promise<void>;
}

/** For a machine without a folder for what can be made again. */
export const NO_STORAGE: IndexStorage = { read: async () => null, replace: async () => undefined };

/** Any change of what a row holds is a new version. */
const HEADER = 'svc-run-index 2\n';
const LINE_FEED = 0x0a;

/** The rows that are kept, by file name. Damaged lines are left out. */
export async function readRunIndex(storage: IndexStorage): Promise<Map<string, IndexRow>> {
  const rows = new Map<string, IndexRow>();
  const bytes = Buffer.from((await storage.read()) ?? []);
  if (!bytes.subarray(0, HEADER.length).equals(Buffer.from(HEADER))) return rows;
  const pace = paced();
  let start = HEADER.length;
  for (let end = bytes.indexOf(LINE_FEED, start); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    const row = rowOf(bytes.toString('utf8', start, end));
    if (row !== null) rows.set(row.name, row);
    start = end + 1;
    await pace();
  }
  return rows;
}

export async function writeIndex(storage: IndexStorage, rows: Iterable<IndexRow>): Promise<void> {
  const pace = paced();
  const parts: Buffer[] = [Buffer.from(HEADER)];
  for (const row of rows) {
    parts.push(Buffer.from(lineOf(row)));
    await pace();
  }
  await storage.replace(Buffer.concat(parts));
}
