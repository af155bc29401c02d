/** What a tenant used, waits for and has: the accounts of the turns (turn-machine.ts). */

/** `making`: an isolate, or a process. `long`: it computes for longer than a turn is counted. */
export type AccountState = 'making' | 'computing' | 'long';

export interface RunningTurn {
  readonly state: AccountState;
  /** When it was given its turn, or last went on before others. */
  readonly since: number;
}

export interface Account {
  /** Processor time, of which half is forgotten in each second. */
  readonly usedMs: number;
  /** Tickets, in the order of their calls. */
  readonly waiting: Readonly<Record<'again' | 'next' | 'new', readonly number[]>>;
  readonly running: ReadonlyMap<number, RunningTurn>;
  /** When one more may begin although as many compute as may. */
  readonly extraAt: number;
  /** The number of the turn that it was given last. */
  readonly last: number;
  /** When one of its turns last computed for long enough to delay others. */
  readonly stretchedAt: number;
  /** Whether its processes give way to those of others. */
  readonly isHeavy: boolean;
}

/**
 * What was used a second ago counts half: nobody pays long for a busy moment, and leaving for a moment pays for
 * nothing.
 */
const HALF_LIFE_MS = 1000;
/** What a turn is expected to take: one that has just started has used nothing, and is not to be forgotten for that. */
const EXPECTED_MS = 10;
/** Less than one turn as long as it is counted makes no difference, nor does half as much again. */
const HEAVIER = { by: 50, times: 1.5 } as const;

/** An account after so long at a rate (milliseconds of processor time for each that passes). */
export function spentUntil(usedMs: number, rate: number, passedMs: number): number {
  const left = 0.5 ** (passedMs / HALF_LIFE_MS);
  return usedMs * left + rate * (HALF_LIFE_MS / Math.LN2) * (1 - left);
}

/** Whether one used so much more than another that its turns do not count against the other. */
export function heavier(usedMs: number, otherMs: number): boolean {
  return usedMs > HEAVIER.times * otherMs + HEAVIER.by;
}

/** Lower goes first. */
export function orderOf({ usedMs, running }: Account): number {
  return usedMs + EXPECTED_MS * running.size;
}
