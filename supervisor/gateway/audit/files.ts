import type { OpenDirectory, OpenFile } from '../../publication/file-system.ts';

const MODE = 0o600;

export interface AuditBounds {
  readonly maxFileBytes: number;
  /** Counting the one that is written. */
  readonly maxRetainedFiles: number;
}

/** The files of an audit, the newest of which is written to. */
export interface AuditFiles {
  /** Whether everything is durable; after the first time that it is not nothing else may be written. Lines are never parted. */
  append(lines: readonly Uint8Array[]): Promise<boolean>;
  close(): Promise<void>;
}

/** What files are called, and the lines that a new one begins with. */
export interface FileShape {
  readonly nameOf: (sequence: bigint) => string;
  readonly head: () => readonly Uint8Array[];
}

/** Begins the next file, which is durable and the newest; null where that cannot be done. */
export async function nextFiles(directory: OpenDirectory, sequences: readonly bigint[], { maxFileBytes, maxRetainedFiles }: AuditBounds, { nameOf, head }: FileShape): Promise<AuditFiles | null> {
  const kept = [...sequences];
  let size = 0;
  let file = await begin();
  if (file === null) return null;

  /** Opens the next one and makes room for it. */
  async function begin(): Promise<OpenFile | null> {
    const sequence = (kept.at(-1) ?? 0n) + 1n;
    const created = await directory.createFile(nameOf(sequence), MODE);
    if (!created.ok) return null;
    kept.push(sequence);
    const lines = Buffer.concat(head());
    size = lines.length;
    const isWritten = lines.length === 0 || (await created.value.write(lines)).ok;
    if (isWritten && (await created.value.sync()).ok && (await directory.sync()).ok && (await prune())) return created.value;
    await created.value.close();
    return null;
  }

  async function prune(): Promise<boolean> {
    while (kept.length > maxRetainedFiles) {
      const [oldest] = kept;
      if (oldest === undefined || !(await directory.removeFile(nameOf(oldest))).ok) return false;
      kept.shift();
    }
    return true;
  }

  /** Lines of one file, written and synced at once. */
  async function write(lines: readonly Uint8Array[]): Promise<boolean> {
    if (file === null || lines.length === 0) return file !== null;
    const bytes = Buffer.concat(lines);
    size += bytes.length;
    return (await file.write(bytes)).ok && (await file.sync()).ok;
  }

  return {
    async append(lines) {
      let together: Uint8Array[] = [];
      let more = 0;
      for (const line of lines) {
        if (size + more + line.length > maxFileBytes) {
          if (!(await write(together))) return false;
          const full = file;
          file = null;
          await full?.close();
          file = await begin();
          if (file === null) return false;
          [together, more] = [[], 0];
        }
        together.push(line);
        more += line.length;
      }
      return write(together);
    },
    close: async () => {
      await file?.close();
      file = null;
    },
  };
}
