import { createHash } from 'node:crypto';

/** The file that a trace is spooled to. */
export interface SpoolFile {
  /** Appends; false when the bytes could not be written. */
  write(bytes: Uint8Array): Promise<boolean>;
  /** Bytes that were written before; null where they cannot be read, and once the file is closed. */
  read(position: number, length: number): Promise<Uint8Array | null>;
  /** Makes what was written permanent. */
  sync(): Promise<boolean>;
}

/** Length of what was spooled, and its SHA-256 as 64 hex digits. */
export interface Spooled {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * The lines of one trace, written to its file as they come and readable from any line on. Nothing waits for the disk
 * but
 * `settle`, and no stretch of work is longer than one piece of the file or one line.
 */
export interface TraceSpool {
  /** A line with its line feed. */
  append(line: string): void;
  /**
   * Whole lines from `from` on (0 is the first), without line feeds: at least one if there is any, then as many as
   * `mostBytes` hold or fewer. Empty also for lines that can no longer be read.
   */
  read(from: number, mostBytes: number): Promise<readonly string[]>;
  /** Everything is in the file and permanent; null where it could not be written, or there is no file. */
  settle(): Promise<Spooled | null>;
}

/** What is written in one go. */
const PIECE_BYTES = 65_536;

/** Without a file, lines stay in memory. */
export function openTraceSpool(file: SpoolFile | null): TraceSpool {
  const digest = createHash('sha256');
  /** For each line the bytes up to its end, line feed included. */
  const ends: number[] = [];
  /** Lines that are in no file yet, the first of them behind `written` others. */
  const waiting: string[] = [];
  let written = 0;
  let isLost = file === null;
  let isSettling = false;
  let writing: Promise<void> | null = null;
  /** What the file threw, which no file may. */
  let mistake: { readonly error: unknown } | null = null;

  const endOf = (lines: number): number => ends[lines - 1] ?? 0;

  async function write(target: SpoolFile): Promise<void> {
    while (!isLost && hasPiece()) {
      const count = linesWithin(written, ends.length, PIECE_BYTES);
      const bytes = Buffer.from(waiting.slice(0, count).join(''), 'utf8');
      isLost = !(await target.write(bytes));
      if (isLost) return;
      digest.update(bytes);
      waiting.splice(0, count);
      written += count;
      // A burst of lines leaves room for what else there is to do.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  function hasPiece(): boolean {
    return waiting.length > 0 && (isSettling || endOf(ends.length) - endOf(written) >= PIECE_BYTES);
  }

  function begin(): void {
    if (file === null || writing !== null || isLost || !hasPiece()) return;
    writing = write(file)
      .catch((error: unknown) => {
        isLost = true;
        mistake = { error };
      })
      .finally(() => {
        writing = null;
        begin();
      });
  }

  /** How many lines from `from` on, and before `to`, hold so many bytes; one at least. */
  function linesWithin(from: number, to: number, bytes: number): number {
    let last = from + 1;
    while (last < to && endOf(last + 1) - endOf(from) <= bytes) last += 1;
    return Math.min(last, to) - from;
  }

  return {
    append: (line) => {
      ends.push(endOf(ends.length) + Buffer.byteLength(line, 'utf8'));
      waiting.push(line);
      begin();
    },
    read: async (from, mostBytes) => {
      if (from >= ends.length) return [];
      if (from >= written)
        return waiting
          .slice(from - written, from - written + linesWithin(from, ends.length, mostBytes))
          .map((line) => line.slice(0, -1));
      const end = endOf(from + linesWithin(from, written, mostBytes));
      const bytes = await file?.read(endOf(from), end - endOf(from));
      if (bytes === null || bytes === undefined || bytes.length < end - endOf(from)) return [];
      return Buffer.from(bytes).toString('utf8').split('\n').slice(0, -1);
    },
    settle: async () => {
      isSettling = true;
      begin();
      for (let current = writing; current !== null; current = writing) await current;
      if (mistake !== null) throw mistake.error;
      if (file === null || isLost || !(await file.sync())) return null;
      return { bytes: endOf(ends.length), sha256: digest.copy().digest('hex') };
    },
  };
}
