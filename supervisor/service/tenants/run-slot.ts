import type { RunPlace } from '../../calls/approvals/leased-place.ts';
import type { Admission } from '../../platform/fairness/fair-places.ts';

/** Places that are given up and taken again together. The other one is waited for with the first in hand. */
export function bothPlaces(first: RunPlace, other: RunPlace): RunPlace {
  return {
    leave: () => {
      other.leave();
      first.leave();
    },
    regain: async (signal) => {
      if (!(await first.regain(signal))) return false;
      if (await other.regain(signal)) return true;
      first.leave();
      return false;
    },
  };
}

/** The place of one run, which it may give up and take again until it has ended. */
export interface RunSlot {
  readonly place: RunPlace;
  /** Whether it gave its place up and has it not again yet. */
  isResting(): boolean;
  /** The run has ended. */
  end(): void;
}

/**
 * `takeAgain`: takes a place before runs that are new; `release`: gives back the place that it has now; null: it goes
 * on without one.
 */
export function runSlot(takeAgain: (signal: AbortSignal) => Promise<Admission>, release: (() => void) | null): RunSlot {
  let releaseSlot = release;
  let isResting = false;
  let hasEnded = false;
  const leave = (): void => {
    releaseSlot?.();
    releaseSlot = null;
  };
  return {
    place: {
      leave: () => {
        isResting = true;
        leave();
      },
      regain: async (signal) => {
        const admission = await takeAgain(signal);
        if (admission.outcome === 'begins') releaseSlot = admission.end;
        isResting = admission.outcome === 'gone';
        // Anyone who ended meanwhile has no use for it.
        if (hasEnded) leave();
        return admission.outcome !== 'gone';
      },
    },
    isResting: () => isResting,
    end: () => {
      hasEnded = true;
      leave();
    },
  };
}
