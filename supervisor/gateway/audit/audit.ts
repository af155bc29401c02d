import type { PublicationFileSystem } from '../../publication/file-system.ts';
import type { OwnerProbe } from '../../publication/owner.ts';
import { fileName, openAuditDirectory } from './directory.ts';
import { nextFiles } from './files.ts';
import type { AuditBounds, AuditFiles } from './files.ts';
import { outcomeLine, unendedCalls } from './record.ts';
import type { AuditedCall } from './record.ts';

/** What is written of calls that may write, before and after them (gateway.md §11). */
export interface Audit {
  /** Whether the line is durable; false also once the audit is fenced. */
  append(line: Uint8Array): Promise<boolean>;
  /** After anything that failed, until the gateway is started again. */
  isFenced(): boolean;
  /** Calls of an earlier gateway of which nobody knows how they ended; that is on record now. */
  readonly unended: readonly AuditedCall[];
  /** Writes what waits and lets others have the directory; false where that could not be done. */
  close(): Promise<boolean>;
}

export interface AuditOptions extends AuditBounds {
  readonly fileSystem: PublicationFileSystem;
  readonly owners: OwnerProbe;
  /** Absolute. */
  readonly directory: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly now: () => string;
  /** Told once, when nothing can be written any more. */
  readonly onFence: () => void;
}

/** Lines that are written together, and how long the first of them waits for the others. */
const BATCH = { lines: 64, bytes: 65_536, afterMs: 2 } as const;
/** Milliseconds that a line is waited for. */
const DURABLE_MS = 5000;

/** Takes the directory, begins a new file and sees that it can be written to; null where any of that fails. */
export async function openAudit({ fileSystem, owners, directory: path, now, onFence, ...bounds }: AuditOptions): Promise<Audit | null> {
  const opened = await openAuditDirectory(fileSystem, owners, path, bounds.maxFileBytes);
  if (opened === null) return null;
  const { directory, sequences, unlock } = opened;
  const newest = sequences.at(-1);
  const read = newest === undefined ? null : await directory.readFile(fileName(newest), bounds.maxFileBytes);
  const files = read?.ok === false ? null : await nextFiles(directory, sequences, bounds);
  const unended = read?.ok === true ? unendedCalls(read.value) : [];
  const lines = unended.map((call) => outcomeLine(call, UNKNOWN, now()));
  const isWritable = files !== null && (await files.append(lines));
  if (!isWritable) {
    await files?.close();
    await unlock();
    await directory.close();
    return null;
  }
  const writer = groupCommit(files, onFence);
  return {
    ...writer,
    unended,
    close: async () => {
      await writer.close();
      await files.close();
      const isFree = await unlock();
      await directory.close();
      return isFree && !writer.isFenced();
    },
  };
}

const UNKNOWN = { outcome_code: 'unknown', dispatch_state: 'unknown', write_effects_may_have_occurred: true, disconnected: false, cleanup_status: 'uncertain' } as const;

interface Waiting {
  readonly line: Uint8Array;
  readonly settle: (isDurable: boolean) => void;
}

/** One writer: what comes while it writes is written next, all of it together, in the order in which it came. */
function groupCommit(files: Pick<AuditFiles, 'append'>, onFence: () => void): Pick<Audit, 'append' | 'isFenced'> & { readonly close: () => Promise<void> } {
  const queue: Waiting[] = [];
  /** Of the queue, and of what is being written. */
  const unsettled = new Set<Waiting>();
  const fenced = Promise.withResolvers<void>();
  let isFenced = false;
  let writing: Promise<void> | null = null;
  /** Ends the wait for others. */
  let hurry = (): void => undefined;

  /** What is written all the same settles too late to be believed. */
  function fence(): void {
    if (isFenced) return;
    isFenced = true;
    queue.length = 0;
    for (const { settle } of unsettled) settle(false);
    fenced.resolve();
    onFence();
  }

  const isFull = (): boolean => queue.length >= BATCH.lines || queue.reduce((sum, { line }) => sum + line.length, 0) >= BATCH.bytes;

  async function others(): Promise<void> {
    if (isFull()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, BATCH.afterMs);
      hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function work(): Promise<void> {
    while (queue.length > 0) {
      await others();
      const batch = queue.splice(0, countOf(queue));
      const isDurable = await files.append(batch.map(({ line }) => line)).catch(() => false);
      if (!isDurable) fence();
      for (const { settle } of batch) settle(isDurable && !isFenced);
    }
  }

  return {
    isFenced: () => isFenced,
    append: async (line) => new Promise<boolean>((resolve) => {
      if (isFenced) {
        resolve(false);
        return;
      }
      const late = setTimeout(fence, DURABLE_MS);
      const waiting: Waiting = {
        line,
        settle: (isDurable) => {
          clearTimeout(late);
          unsettled.delete(waiting);
          resolve(isDurable);
        },
      };
      unsettled.add(waiting);
      queue.push(waiting);
      if (isFull()) hurry();
      writing ??= work().finally(() => { writing = null; });
    }),
    close: async () => {
      hurry();
      await Promise.race([writing, fenced.promise]);
    },
  };
}

/** How many of those that wait are written together. */
function countOf(queue: readonly Waiting[]): number {
  let bytes = 0;
  const end = queue.slice(0, BATCH.lines).findIndex(({ line }, index) => {
    bytes += line.length;
    return index > 0 && bytes > BATCH.bytes;
  });
  return end === -1 ? BATCH.lines : end;
}
