/** What a watch looks at and does; absent: this very process. */
export interface Watched {
  /** Bytes that the process holds in memory. */
  readonly usedBytes: () => number;
  readonly end: () => void;
}

/** A heap grows by some 25 MB meanwhile. */
const EVERY_MS = 25;

/**
 * By the signal by which V8 ends a process for which it finds no memory: the pool takes both for the same
 * (sandbox/pool/host.ts).
 */
const THIS_PROCESS: Watched = { usedBytes: () => process.memoryUsage.rss(), end: () => process.abort() };

/**
 * Ends the process once it holds more than `limitBytes`, in place of a limit that the operating system does not keep.
 * Programs run in threads of their own, so that nothing they do puts off the look; the watch keeps no process alive.
 */
export function watchMemory(limitBytes: number, { usedBytes: held, end }: Watched = THIS_PROCESS): void {
  setInterval(() => {
    if (held() > limitBytes) end();
  }, EVERY_MS).unref();
}
