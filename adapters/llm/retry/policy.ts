/** How often a call of an installation is tried, and how long it may wait in between (world.md §1.4). */
export interface RetryPolicy {
  /** Attempts of one call, 1 to 5. One: nothing is tried again, and no call waits for another. */
  readonly attempts: number;
  /** The longest wait between two attempts, in milliseconds. */
  readonly maxWaitMs: number;
}

/** What doctor's probes use, and whatever is asked once. */
export const ONE_ATTEMPT: RetryPolicy = { attempts: 1, maxWaitMs: 0 };
