import { RUN_EFFECTS, type RunChange, type RunPosition, type RunRowState } from './interface.ts';

const FOLLOWING: Readonly<Record<RunRowState, readonly RunRowState[]>> = {
  accepted: ['claimed', 'cancelled', 'lost'],
  claimed: ['claimed', 'running', 'finished', 'cancelled', 'lost', 'accepted'],
  running: ['running', 'finished', 'cancelled', 'lost', 'accepted'],
  finished: [],
  cancelled: [],
  lost: [],
};

/**
 * Whether a run may go from one position to another (gateway.md §19): no end is left, and what went out stays known.
 */
export function mayMove(from: RunPosition, to: RunPosition): boolean {
  return (
    FOLLOWING[from.state].includes(to.state) &&
    RUN_EFFECTS.indexOf(from.effect) <= RUN_EFFECTS.indexOf(to.effect) &&
    (from.effect !== 'write_open' || to.state !== 'accepted')
  );
}

/** The epoch after a move: a claim begins a new one. */
export function epochAfter(epoch: number, from: RunPosition, to: RunPosition): number {
  return from.state === 'accepted' && to.state === 'claimed' ? epoch + 1 : epoch;
}

/** Throws TypeError for a move that no run makes, whatever the journal holds. */
export function checkMove(from: RunPosition, to: RunChange): void {
  if (!mayMove(from, to))
    throw new TypeError(`a run cannot go from ${from.state} (${from.effect}) to ${to.state} (${to.effect})`);
}
