import type { Readable } from 'node:stream';
import type { InputStream, StreamRead } from '../../supervisor/api/run.ts';
import { readUpTo } from './read-stream.ts';

/** The name of standard input where a file is asked for (cli.md §1 rule 3). */
export const STANDARD_INPUT = '-';

/** The input of a run from standard input, which is opened when it is asked for, and read once (documents.md §3). */
export function standardInput(open: () => Readable, signal: AbortSignal): InputStream {
  let reading: Promise<StreamRead> | null = null;
  return { name: 'input', read: (limit) => (reading ??= readUpTo(open(), limit, signal)) };
}
