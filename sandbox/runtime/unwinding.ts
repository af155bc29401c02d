import type { LimitSignal } from './errors.ts';
import { programState } from './fresh.ts';
import { now } from './intrinsics.ts';

/*
 * What `finally` forms may still do after a limit has ended their evaluation: steps (turns of loops, elements of lazy
 * seqs, entries of `finally`) and milliseconds for all of them together (language.md §10).
 */
const MOST_STEPS = 100_000;
const MOST_MS = 100;

interface Unwinding {
  readonly signal: LimitSignal;
  readonly clock: () => number;
  readonly until: number;
  steps: number;
}

const state = programState<{ unwinding: Unwinding | null }>(() => ({ unwinding: null }));

/** Begins to count, milliseconds by `clock`; a limit that is met while another one is unwinding changes nothing. */
export function beginUnwinding(signal: LimitSignal, clock: () => number = now): void {
  state.unwinding ??= { signal, clock, until: clock() + MOST_MS, steps: 0 };
}

/** The limit that is unwinding. */
export function unwindingLimit(): LimitSignal | null {
  return state.unwinding?.signal ?? null;
}

export function endUnwinding(): void {
  state.unwinding = null;
}

/** Counts a step, where steps are counted; throws the limit again when nothing is left. */
export function step(): void {
  const { unwinding } = state;
  if (unwinding === null) return;
  unwinding.steps += 1;
  if (unwinding.steps > MOST_STEPS || unwinding.clock() > unwinding.until) throw unwinding.signal;
}
