import type { RunEffect } from '../stores/interface.ts';
import type { LeaseEnd } from './interface.ts';

/** What a worker knows of the lease of a run, by its own clock. Pure: state and event in, state out. */
export interface WorkerLeaseState {
  /** Why it ended; null while it has not, and never null again. */
  readonly ended: LeaseEnd | null;
  /** Since when it is known to be held: milliseconds of a monotonic clock. */
  readonly acquiredAt: number;
  /** What may go out without the database being asked again. */
  readonly opened: RunEffect;
}

/** What may go out of a process. */
export type GatedEffect = Exclude<RunEffect, 'none'>;

/** What the database said of it, if anything. */
export type ExtensionAnswer = 'extended' | 'cancelled' | 'lost' | 'unanswered';

/** `claimedAt`: before it was asked for. */
export function acquiredLease(claimedAt: number): WorkerLeaseState {
  return { ended: null, acquiredAt: claimedAt, opened: 'none' };
}

/** The first reason counts. */
export function endedLease(state: WorkerLeaseState, reason: LeaseEnd): WorkerLeaseState {
  return state.ended === null ? { ...state, ended: reason } : state;
}

/** A lease that was not answered for so long is lost: before anybody else may take the run. */
export function leaseAt(state: WorkerLeaseState, now: number, selfKillMs: number): WorkerLeaseState {
  return now - state.acquiredAt >= selfKillMs ? endedLease(state, 'lease_lost') : state;
}

/** `askedAt`: the time of the question, since the answer may have taken long. */
export function answeredLease(state: WorkerLeaseState, answer: ExtensionAnswer, askedAt: number): WorkerLeaseState {
  const renewed = { ...state, acquiredAt: Math.max(state.acquiredAt, askedAt) };
  switch (answer) {
    case 'extended':
      return renewed;
    case 'cancelled':
      return endedLease(renewed, 'cancelled');
    case 'lost':
      return endedLease(state, 'lease_lost');
    case 'unanswered':
      return state;
  }
}

/** What may write may also read. */
export function isOpenFor({ opened }: WorkerLeaseState, effect: GatedEffect): boolean {
  return opened === 'write_open' || opened === effect;
}

export function openedFor(state: WorkerLeaseState, effect: GatedEffect): WorkerLeaseState {
  return isOpenFor(state, effect) ? state : { ...state, opened: effect };
}
