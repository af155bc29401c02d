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
 * but `settle`, and no stretch of work is longer than one piece of the file or one line.
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
  const lines = new SpooledLines();
  const writer = file === null ? null : new PieceWriter(file, lines);
  return {
    append: (line) => {
      lines.push(line);
      writer?.begin();
    },
    read: async (from, mostBytes) => {
      const waiting = lines.waitingFrom(from, mostBytes);
      return waiting ?? (await writer?.read(from, mostBytes)) ?? [];
    },
    settle: async () => (writer === null ? null : writer.settle()),
  };
}

/** Where every line of a spool ends, and the text of those that are in no file yet. */
class SpooledLines {
  /** For each line the bytes up to its end, line feed included. */
  readonly #ends: number[] = [];
  /** Behind `written` others. */
  readonly #waiting: string[] = [];
  #written = 0;

  push(line: string): void {
    this.#ends.push(this.bytes() + Buffer.byteLength(line, 'utf8'));
    this.#waiting.push(line);
  }

  /** Of all lines. */
  bytes(): number {
    return this.#endOf(this.#ends.length);
  }

  waitingBytes(): number {
    return this.bytes() - this.#endOf(this.#written);
  }

  /** The first that wait, in one text. */
  piece(): { readonly lines: number; readonly text: string } {
    const lines = this.#linesWithin(this.#written, this.#ends.length, PIECE_BYTES);
    return { lines, text: this.#waiting.slice(0, lines).join('') };
  }

  /** So many of those that waited first are in the file. */
  confirm(lines: number): void {
    this.#waiting.splice(0, lines);
    this.#written += lines;
  }

  /** Whole lines from `from` on, without line feeds; null where that line is in the file. */
  waitingFrom(from: number, mostBytes: number): readonly string[] | null {
    if (from >= this.#ends.length) return [];
    if (from < this.#written) return null;
    const first = from - this.#written;
    return this.#waiting
      .slice(first, first + this.#linesWithin(from, this.#ends.length, mostBytes))
      .map((line) => line.slice(0, -1));
  }

  /** Where in the file the lines from `from` on are. */
  placeOf(from: number, mostBytes: number): { readonly position: number; readonly length: number } {
    const position = this.#endOf(from);
    return { position, length: this.#endOf(from + this.#linesWithin(from, this.#written, mostBytes)) - position };
  }

  #endOf(lines: number): number {
    return this.#ends[lines - 1] ?? 0;
  }

  /** How many lines from `from` on, and before `to`, hold so many bytes; one at least. */
  #linesWithin(from: number, to: number, bytes: number): number {
    let last = from + 1;
    while (last < to && this.#endOf(last + 1) - this.#endOf(from) <= bytes) last += 1;
    return Math.min(last, to) - from;
  }
}

/** Writes lines to their file a piece at a time, while nobody waits for it. */
class PieceWriter {
  readonly #file: SpoolFile;
  readonly #lines: SpooledLines;
  readonly #digest = createHash('sha256');
  #isLost = false;
  #isSettling = false;
  #writing: Promise<void> | null = null;
  /** What the file threw, which no file may. */
  #mistake: { readonly error: unknown } | null = null;

  constructor(file: SpoolFile, lines: SpooledLines) {
    this.#file = file;
    this.#lines = lines;
  }

  begin(): void {
    if (this.#writing !== null || !this.#hasPiece()) return;
    this.#writing = this.#write()
      .catch((error: unknown) => {
        this.#isLost = true;
        this.#mistake = { error };
      })
      .finally(() => {
        this.#writing = null;
        this.begin();
      });
  }

  async read(from: number, mostBytes: number): Promise<readonly string[]> {
    const { position, length } = this.#lines.placeOf(from, mostBytes);
    const bytes = await this.#file.read(position, length);
    if (bytes === null || bytes.length < length) return [];
    return Buffer.from(bytes).toString('utf8').split('\n').slice(0, -1);
  }

  async settle(): Promise<Spooled | null> {
    this.#isSettling = true;
    this.begin();
    while (this.#writing !== null) await this.#writing;
    if (this.#mistake !== null) throw this.#mistake.error;
    if (this.#isLost || !(await this.#file.sync())) return null;
    return { bytes: this.#lines.bytes(), sha256: this.#digest.copy().digest('hex') };
  }

  #hasPiece(): boolean {
    const bytes = this.#lines.waitingBytes();
    return !this.#isLost && bytes > 0 && (this.#isSettling || bytes >= PIECE_BYTES);
  }

  async #write(): Promise<void> {
    while (this.#hasPiece()) {
      const { lines, text } = this.#lines.piece();
      const bytes = Buffer.from(text, 'utf8');
      this.#isLost = !(await this.#file.write(bytes));
      if (this.#isLost) return;
      this.#digest.update(bytes);
      this.#lines.confirm(lines);
      // A burst of lines leaves room for what else there is to do.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }
}
