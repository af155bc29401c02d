import type { RunClock } from '../../platform/run-clock/run-clock.ts';

/** The place of a run among those that go on at once. */
export interface RunPlace {
  /** Gives it to anyone who waits for one. */
  leave(): void;
  /**
   * Takes one again, before runs that are new; true also where no places are given any more, and the run goes on to its
   * end without one. False: the signal was aborted before. Never rejects.
   */
  regain(signal: AbortSignal): Promise<boolean>;
}

/** A place that is given up once its run has waited for long (approvals.md §9). */
export interface LeasedPlace {
  /** Settles once the run has its place, at once where it never gave it up. */
  regain(signal: AbortSignal): Promise<void>;
}

/** Gives the place up whenever the clock has stood still for `holdMs`; `place` null: there is none. */
export function holdPlace(clock: RunClock, place: RunPlace | null, holdMs: number): LeasedPlace {
  let isLeft = false;
  let regaining: Promise<boolean> | null = null;
  if (place === null) return { regain: async () => undefined };
  clock.whenStill(holdMs, () => {
    if (isLeft) return;
    isLeft = true;
    place.leave();
  });
  return {
    regain: async (signal) => {
      // Who is gone works no more: its run goes on, if at all, by another of its questions.
      while (isLeft && !signal.aborted) {
        regaining ??= place.regain(signal);
        isLeft = !(await regaining);
        regaining = null;
      }
    },
  };
}
