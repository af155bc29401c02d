import type { Attempt } from '../../../contract/provider-protocol/call.ts';
import type { ProviderFailure } from '../../../contract/provider-protocol/outcome.ts';
import { failed } from '../failure.ts';
import { nextStep, type AttemptEnd } from './next-step.ts';
import type { Admitted, PacedCalls, RetryClock } from './paced-calls.ts';
import type { RetryPolicy } from './policy.ts';

/** The bytes of a success, or a failure in which no part of a credential is left. */
export type Conversed =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly failure: ProviderFailure };

/** The result of one attempt, and what it means for the next. */
export interface Tried {
  readonly conversed: Conversed;
  readonly end: AttemptEnd;
  readonly attempt: Omit<Attempt, 'waitedMs'>;
}

/** The result of a call with all its attempts. */
export interface Settled {
  readonly conversed: Conversed;
  readonly attempts: readonly Attempt[];
}

export interface RetryTools {
  readonly policy: RetryPolicy;
  /** Of the installation, whose calls wait for each other. A call of one attempt waits for none. */
  readonly calls: PacedCalls;
  readonly clock: RetryClock;
  /** Aborted when the call is given up: no wait goes on, and nothing is tried again. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline of the whole call. */
  readonly remainingMs: number;
}

/** Tries a call until it is answered, or no attempt is left (world.md §1.4). Rejects only where `once` does. */
export async function tryAgain(once: () => Promise<Tried>, tools: RetryTools): Promise<Settled> {
  const { policy, calls, clock, signal, remainingMs } = tools;
  if (policy.attempts === 1) {
    const { conversed, attempt } = await once();
    return { conversed, attempts: [{ ...attempt, waitedMs: 0 }] };
  }
  const attempts: Attempt[] = [];
  let endedAt = clock.now();
  const deadlineAt = endedAt + remainingMs;
  let last: ProviderFailure | null = null;
  for (;;) {
    const holdMs = Math.min(policy.maxWaitMs, deadlineAt - clock.now());
    const admitted = await calls.enter(holdMs, signal, last?.reason === 'rate_limited');
    if (admitted.kind !== 'leaves') return { conversed: { ok: false, failure: unsent(last, admitted) }, attempts };
    const waitedMs = Math.round(clock.now() - endedAt);
    const { conversed, end, attempt } = await triedBy(once, calls, admitted.place);
    endedAt = clock.now();
    attempts.push({ ...attempt, waitedMs });
    const made = attempts.length;
    const step = nextStep(policy, end, { made, remainingMs: deadlineAt - endedAt, jitter: clock.random() });
    const waitMs = step.kind === 'again' ? step.afterMs : step.retryAfterMs;
    const isLimited = end.kind === 'refused' && end.status === 429 && !end.isSpent;
    calls.answered(
      admitted.place,
      isLimited ? { kind: 'limited', waitMs: waitMs ?? 0 } : { kind: conversed.ok ? 'taken' : 'other' },
    );
    if (conversed.ok) return { conversed, attempts };
    last =
      waitMs === null || step.kind === 'again' ? conversed.failure : { ...conversed.failure, retryAfterMs: waitMs };
    if (step.kind === 'end' || signal.aborted) return { conversed: { ok: false, failure: last }, attempts };
    // Who was refused for the rate waits with all the others of the installation.
    if (!isLimited) await pause(clock, step.afterMs, signal);
  }
}

/** A place is given back whatever becomes of the attempt. */
async function triedBy(once: () => Promise<Tried>, calls: PacedCalls, place: number): Promise<Tried> {
  try {
    return await once();
  } catch (error) {
    calls.answered(place, { kind: 'other' });
    throw error;
  }
}

/** Of a call that was not sent, or not once more. */
function unsent(last: ProviderFailure | null, admitted: Exclude<Admitted, { kind: 'leaves' }>): ProviderFailure {
  const before: ProviderFailure =
    last ??
    (admitted.kind === 'gone'
      ? { ...failed('unavailable', false, null), proof: 'not_dispatched' }
      : { ...failed('rate_limited', true, null), proof: 'not_dispatched' });
  return admitted.kind === 'refused' ? { ...before, retryAfterMs: admitted.retryAfterMs } : before;
}

async function pause(clock: RetryClock, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const unset = clock.after(milliseconds, done);
    function done(): void {
      signal.removeEventListener('abort', done);
      unset();
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
