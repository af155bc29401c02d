import type { RunPlace } from '../../calls/approvals/held-place.ts';
import type { FairSlots, PlaceRequest } from '../../platform/fairness/fair-places.ts';

/** The place of one run, which it may give up and take again until it has ended. */
export interface RunSlot {
  readonly place: RunPlace;
  /** Whether it gave its place up and has it not again yet. */
  isResting(): boolean;
  /** The run has ended. */
  end(): void;
}

/** `release`: gives back the place that it has now; null: it goes on without one. */
export function runSlot(
  slots: Pick<FairSlots, 'take'>,
  { tenant, share }: Pick<PlaceRequest, 'tenant' | 'share'>,
  release: (() => void) | null,
): RunSlot {
  let held = release;
  let isResting = false;
  let hasEnded = false;
  const leave = (): void => {
    held?.();
    held = null;
  };
  return {
    place: {
      leave: () => {
        isResting = true;
        leave();
      },
      regain: async (signal) => {
        const taken = await slots.take({ tenant, share, signal, isBack: true });
        if (taken.outcome === 'begins') held = taken.end;
        isResting = taken.outcome === 'gone';
        // Anyone who ended meanwhile has no use for it.
        if (hasEnded) leave();
        return taken.outcome !== 'gone';
      },
    },
    isResting: () => isResting,
    end: () => {
      hasEnded = true;
      leave();
    },
  };
}
