import type { OpenDirectory, OpenFile } from '../../evidence/publication/file-system.ts';

const MODE = 0o600;

export interface AuditBounds {
  readonly maxFileBytes: number;
  /** Files with records, counting the one that is written. */
  readonly maxRetainedFiles: number;
}

/** A file that an earlier process left. */
export interface LeftFile {
  readonly sequence: bigint;
  /** Bytes. */
  readonly size: number;
}

/** The files of an audit, the newest of which is written to. */
export interface AuditFiles {
  /**
   * Whether everything is durable; after the first time that it is not nothing else may be written. Lines are never
   * parted.
   */
  append(lines: readonly Uint8Array[]): Promise<boolean>;
  /** Removes the newest file where nothing was appended to it: the directory is as it was then. */
  close(): Promise<void>;
}

/** What files are called, and the lines that come before the first that is appended to one. */
export interface FileShape {
  readonly nameOf: (sequence: bigint) => string;
  readonly head: () => readonly Uint8Array[];
}

/**
 * Creates the next file, which is durable and the newest; null where that cannot be done. Empty files are removed:
 * a process died before it wrote to one. No other gives way before a record is in the newest, so that starts
 * that fail, and processes that record nothing, lose no records (gateway.md §11).
 */
export async function openNextFiles(
  directory: OpenDirectory,
  left: readonly LeftFile[],
  bounds: AuditBounds,
  shape: FileShape,
): Promise<AuditFiles | null> {
  for (const { sequence } of left.filter(({ size }) => size === 0)) {
    if (!(await directory.removeFile(shape.nameOf(sequence))).ok) return null;
  }
  const files = new NumberedFiles(directory, left, bounds, shape);
  return (await files.openNext()) ? files : null;
}

class NumberedFiles implements AuditFiles {
  readonly #directory: OpenDirectory;
  readonly #bounds: AuditBounds;
  readonly #shape: FileShape;
  /** Rising; without the newest. */
  readonly #retained: bigint[];
  #newest: bigint;
  #file: OpenFile | null = null;
  #size = 0;
  /** Comes before the first line of the newest file; null once it is there. */
  #head: Uint8Array | null = null;
  /** Whether anything was appended to the newest file, or was to be. */
  #isUsed = false;

  constructor(directory: OpenDirectory, left: readonly LeftFile[], bounds: AuditBounds, shape: FileShape) {
    this.#directory = directory;
    this.#bounds = bounds;
    this.#shape = shape;
    this.#retained = left.filter(({ size }) => size > 0).map(({ sequence }) => sequence);
    this.#newest = left.at(-1)?.sequence ?? 0n;
  }

  async openNext(): Promise<boolean> {
    const sequence = this.#newest + 1n;
    const created = await this.#directory.createFile(this.#shape.nameOf(sequence), MODE);
    if (!created.ok) return false;
    this.#newest = sequence;
    this.#isUsed = false;
    this.#file = created.value;
    if ((await created.value.sync()).ok && (await this.#directory.sync()).ok) return true;
    await this.close();
    return false;
  }

  async append(lines: readonly Uint8Array[]): Promise<boolean> {
    let together: Uint8Array[] = [];
    let more = 0;
    this.#prepareHead();
    for (const line of lines) {
      if (this.#size + more + line.length > this.#bounds.maxFileBytes) {
        if (!(await this.#write(together)) || !(await this.#rotate())) return false;
        [together, more] = [[], 0];
      }
      together.push(line);
      more += line.length;
    }
    return this.#write(together);
  }

  async close(): Promise<void> {
    const isLeft = this.#file !== null && !this.#isUsed;
    await this.#file?.close();
    this.#file = null;
    if (isLeft) await this.#directory.removeFile(this.#shape.nameOf(this.#newest));
  }

  #prepareHead(): void {
    if (this.#isUsed) return;
    this.#head = Buffer.concat(this.#shape.head());
    this.#size = this.#head.length;
  }

  async #rotate(): Promise<boolean> {
    const full = this.#newest;
    const isStored = this.#isUsed;
    await this.close();
    if (isStored) this.#retained.push(full);
    const isOpen = await this.openNext();
    this.#prepareHead();
    return isOpen;
  }

  /** Lines of one file, written and synced at once. */
  async #write(lines: readonly Uint8Array[]): Promise<boolean> {
    if (this.#file === null || lines.length === 0) return this.#file !== null;
    const isFirst = !this.#isUsed;
    this.#isUsed = true;
    const bytes = Buffer.concat(lines);
    this.#size += bytes.length;
    const isWritten =
      (await this.#file.write(this.#head === null ? bytes : Buffer.concat([this.#head, bytes]))).ok &&
      (await this.#file.sync()).ok;
    this.#head = null;
    return isWritten && (!isFirst || this.#prune());
  }

  /** Once the newest file has a record. */
  async #prune(): Promise<boolean> {
    while (this.#retained.length >= this.#bounds.maxRetainedFiles) {
      const [oldest] = this.#retained;
      if (oldest === undefined || !(await this.#directory.removeFile(this.#shape.nameOf(oldest))).ok) return false;
      this.#retained.shift();
    }
    return true;
  }
}
