import type { RetryPolicy } from './policy.ts';

/** How one attempt ended, as far as trying again is concerned. */
export type AttemptEnd =
  /**
   * A status other than 2xx. `requestedMs`: after which the vendor wants to be asked again; null where it did not say.
   */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly requestedMs: number | null;
      readonly isSpent: boolean;
    }
  /** The connection was refused, or reset, before there was a status. */
  | { readonly kind: 'unanswered' }
  /** Anything else: a 2xx, whatever came of its body; a name that nobody knows; a call that was cancelled. */
  | { readonly kind: 'settled' };

export type NextStep =
  | { readonly kind: 'end'; readonly retryAfterMs: number | null }
  | { readonly kind: 'again'; readonly afterMs: number };

/** What a call has left when an attempt of it ended. */
export interface RetryMoment {
  /** Attempts that were made, from 1. */
  readonly made: number;
  /** Milliseconds until the deadline of the whole call. */
  readonly remainingMs: number;
  /** From 0 to below 1. */
  readonly jitter: number;
}

const AGAIN: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 529]);
const FIRST_WAIT_MS = 500;
const LONGEST_OWN_WAIT_MS = 8000;

/** Whether, and after how long, a call is tried again: the table of world.md §1.4. */
export function nextStep(policy: RetryPolicy, end: AttemptEnd, { made, remainingMs, jitter }: RetryMoment): NextStep {
  if (!mayHelp(end)) return { kind: 'end', retryAfterMs: null };
  const requested = end.kind === 'refused' ? end.requestedMs : null;
  if (made >= policy.attempts) return { kind: 'end', retryAfterMs: requested };
  const own = jitter * Math.min(LONGEST_OWN_WAIT_MS, FIRST_WAIT_MS * 2 ** (made - 1));
  const afterMs = requested ?? Math.floor(Math.min(policy.maxWaitMs, own));
  return afterMs > policy.maxWaitMs || afterMs >= remainingMs
    ? { kind: 'end', retryAfterMs: afterMs }
    : { kind: 'again', afterMs };
}

function mayHelp(end: AttemptEnd): boolean {
  return end.kind === 'refused' ? AGAIN.has(end.status) && !end.isSpent : end.kind === 'unanswered';
}
