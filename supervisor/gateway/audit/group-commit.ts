import type { AuditFiles } from './files.ts';

/** Lines that become durable together. */
export interface LineWriter {
  /** Whether the line is durable; false also once the writer is fenced. */
  append(line: Uint8Array): Promise<boolean>;
  /** After anything that failed, for good. */
  isFenced(): boolean;
  /** Writes what waits. */
  close(): Promise<void>;
}

/** Lines that are written together, and how long the first of them waits for the others. */
const BATCH = { lines: 64, bytes: 65_536, afterMs: 2 } as const;
/** Milliseconds that a line is waited for. */
const DURABLE_MS = 5000;

interface Waiting {
  readonly line: Uint8Array;
  readonly settle: (isDurable: boolean) => void;
}

/** One writer: what comes while it writes is written next, all of it together, in the order in which it came. */
export function groupCommit(files: Pick<AuditFiles, 'append'>, onFence: () => void): LineWriter {
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

  const isFull = (): boolean =>
    queue.length >= BATCH.lines || queue.reduce((sum, { line }) => sum + line.length, 0) >= BATCH.bytes;

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
    append: async (line) =>
      new Promise<boolean>((resolve) => {
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
        writing ??= work().finally(() => {
          writing = null;
        });
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
