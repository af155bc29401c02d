import type { CheckBudget } from '../../providers/source/installed-provider.ts';

/** What bounds checks, apart from the machine: tests have their own. */
export interface CheckClocks {
  /** Processor time that the calling thread has used, milliseconds; only differences mean anything. */
  readonly processorMs: () => number;
  /** Calls back after so many milliseconds, unless the function that it returns was called before. */
  readonly startTimer: (ms: number, expired: () => void) => () => void;
}

export const systemCheckClocks: CheckClocks = {
  processorMs: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
  startTimer: (ms, expired) => {
    const timer = setTimeout(expired, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * A check that takes so many times its budget by the wall clock, and at least two minutes, hangs. On two processors,
 * with six tenants and the load of a whole test run the checks of a model waited for 46 s.
 */
const HANG_FACTOR = 12;
const HANG_MS = 120_000;

/** Milliseconds after which checks with that budget are taken to hang. */
export function hangMs(limitMs: number): number {
  return Math.max(HANG_MS, HANG_FACTOR * limitMs);
}

/**
 * What all audited checks of a command may use together. Counted is the processor time that they use themselves: what
 * they wait for (a thread that starts, a place in a pool, a machine that is busy with others) is no fault of theirs.
 */
export function checkBudget(limitMs: number, processorMs: CheckClocks['processorMs']): CheckBudget {
  let usedMs = 0;
  return {
    isSpent: () => usedMs >= limitMs,
    spend: (ms) => {
      usedMs += ms;
    },
    measure: (stretch) => {
      const [usedBefore, began] = [usedMs, processorMs()];
      const update = (): boolean => {
        usedMs = usedBefore + processorMs() - began;
        return usedMs >= limitMs;
      };
      try {
        return stretch(update);
      } finally {
        update();
      }
    },
  };
}
