/**
 * The run clock as a pure state machine (approvals.md §9): it stands still while something of the run waits for a
 * person and none of it works. Events carry the time of a monotonic clock in milliseconds.
 */

export interface RunClockState {
  /** Isolates that compute, calls, compiles and checks that are live. */
  readonly working: number;
  /** Questions that are open. */
  readonly waiting: number;
  /** When the clock stopped; null while it runs. */
  readonly stoppedAt: number | null;
  /** Milliseconds by which it is behind the other clock, but for what it stands still now. */
  readonly lagMs: number;
  /** No person is waited for any longer: it runs on, whatever waits. */
  readonly isReleased: boolean;
}

export type RunClockEvent = { readonly now: number } & (
  | { readonly event: 'work_began' | 'work_ended' | 'wait_began' | 'wait_ended' }
  /** What must end the run does not wait for a person: the clock shows `to` at least, and runs on from there. */
  | { readonly event: 'jumped'; readonly to: number }
);

export const RUNNING_CLOCK: RunClockState = { working: 0, waiting: 0, stoppedAt: null, lagMs: 0, isReleased: false };

const CHANGES = {
  work_began: { working: 1, waiting: 0 },
  work_ended: { working: -1, waiting: 0 },
  wait_began: { working: 0, waiting: 1 },
  wait_ended: { working: 0, waiting: -1 },
} as const;

/** The next state. Throws for an end without its beginning. */
export function stepRunClock(state: RunClockState, step: RunClockEvent): RunClockState {
  const { event, now } = step;
  if (step.event === 'jumped') {
    const at = Math.max(step.to, runTimeAt(state, now));
    return { ...state, stoppedAt: null, lagMs: now - at, isReleased: true };
  }
  const change = CHANGES[step.event];
  const working = state.working + change.working;
  const waiting = state.waiting + change.waiting;
  if (working < 0 || waiting < 0) throw new Error(`${event} without its beginning`);
  const { stoppedAt, lagMs, isReleased } = state;
  const stands = waiting > 0 && working === 0 && !isReleased;
  if (stands) return { working, waiting, stoppedAt: stoppedAt ?? now, lagMs, isReleased };
  const stoodMs = stoppedAt === null ? 0 : now - stoppedAt;
  return { working, waiting, stoppedAt: null, lagMs: lagMs + stoodMs, isReleased };
}

/** What the run clock shows at `now`. */
export function runTimeAt({ stoppedAt, lagMs }: RunClockState, now: number): number {
  return (stoppedAt ?? now) - lagMs;
}
