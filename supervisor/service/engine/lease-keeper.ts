import { setTimeout as after } from 'node:timers/promises';
import type { RunPlace } from '../../calls/approvals/leased-place.ts';
import type { Database } from './database.ts';
import { takePlaceAgain } from './fair-claim.ts';
import type { Job, Lease, LeaseEnd } from './interface.ts';
import {
  answeredLease,
  endedLease,
  isOpenFor,
  leaseAt,
  openedFor,
  acquiredLease,
  type GatedEffect,
  type WorkerLeaseState,
} from './lease-state.ts';
import { extendLease, noteSpent, openGate, setPlace, type Attempt } from './transitions.ts';

/** gateway.md §19; milliseconds. */
export interface EngineTiming {
  readonly extendMs: number;
  readonly leaseMs: number;
  /** Without an answer for so long the run is given up: before anybody else may take it. */
  readonly selfKillMs: number;
  readonly reapMs: number;
  /** Between two looks for work where no notification comes. */
  readonly pollMs: number;
}

export const ENGINE_TIMING: EngineTiming = {
  extendMs: 5000,
  leaseMs: 30_000,
  selfKillMs: 20_000,
  reapMs: 10_000,
  pollMs: 500,
};

export interface LeaseRequest extends Attempt {
  readonly job: Job;
  readonly spent: unknown;
  readonly deadlineMs: number | null;
  /** Monotonic milliseconds before the run was taken. */
  readonly acquiredAt: number;
}

/** A lease that is extended until it is released. */
export interface WorkerLease {
  readonly lease: Lease;
  /** Why it ended under the run; null while it has not. */
  ended(): LeaseEnd | null;
  end(reason: LeaseEnd): void;
  /** Asks at once whether the run is still wanted. */
  look(): void;
  release(): void;
}

/** Keeps one lease: by the clock of the database there, by the monotonic one here. `now`: monotonic milliseconds. */
export function keepLease(
  database: Database,
  timing: EngineTiming,
  request: LeaseRequest,
  now = () => performance.now(),
): WorkerLease {
  return new RenewedLease(database, timing, request, now);
}

/** Times between two looks at the clock, in one time between two questions. */
const LOOKS = 5;

class RenewedLease implements WorkerLease {
  readonly lease: Lease;
  readonly #database: Database;
  readonly #timing: EngineTiming;
  readonly #attempt: Attempt;
  readonly #now: () => number;
  readonly #stopping = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #state: WorkerLeaseState;
  #lastRequested: number;
  #extending: Promise<boolean> | null = null;

  constructor(database: Database, timing: EngineTiming, request: LeaseRequest, now: () => number) {
    const { runRef, epoch, job, spent, deadlineMs, acquiredAt: claimedAt } = request;
    this.#database = database;
    this.#timing = timing;
    this.#attempt = { runRef, epoch };
    this.#now = now;
    this.#state = acquiredLease(claimedAt);
    this.#lastRequested = now();
    this.#timer = setInterval(() => this.#tick(), Math.max(1, Math.floor(timing.extendMs / LOOKS)));
    this.lease = {
      job,
      attempt: epoch,
      spent,
      deadlineMs,
      extend: () => this.#extend(),
      gate: async (effect) => this.#gate(effect),
      note: async (spentNow) => this.#isLive() && noteSpent(database, this.#attempt, spentNow).catch(() => false),
      place: new LeasedPlace(database, this.#attempt, {
        tenant: job.tenant,
        pollMs: timing.pollMs,
        ended: this.#stopping.signal,
        isLive: () => this.#isLive(),
      }),
      signal: this.#stopping.signal,
    };
  }

  ended(): LeaseEnd | null {
    return this.#state.ended;
  }

  end(reason: LeaseEnd): void {
    this.#become(endedLease(this.#state, reason));
  }

  look(): void {
    void this.#extend();
  }

  release(): void {
    clearInterval(this.#timer);
  }

  #become(state: WorkerLeaseState): void {
    const hasEnded = state.ended !== null && this.#state.ended === null;
    this.#state = state;
    if (!hasEnded) return;
    this.release();
    this.#stopping.abort(state.ended);
  }

  /** A process that was stopped finds out before it does anything else. */
  #isLive(): boolean {
    this.#become(leaseAt(this.#state, this.#now(), this.#timing.selfKillMs));
    return this.#state.ended === null;
  }

  /** Looks at the clock more often than it asks: a database that does not answer must not hide the time. */
  #tick(): void {
    if (!this.#isLive() || this.#now() - this.#lastRequested < this.#timing.extendMs) return;
    this.#lastRequested = this.#now();
    void this.#extend();
  }

  #extend(): Promise<boolean> {
    if (!this.#isLive()) return Promise.resolve(false);
    this.#extending ??= this.#ask().finally(() => {
      this.#extending = null;
    });
    return this.#extending;
  }

  async #ask(): Promise<boolean> {
    const askedAt = this.#now();
    const asking = extendLease(this.#database, this.#attempt, this.#timing.leaseMs);
    const answer = await asking.catch(() => 'unanswered' as const);
    this.#become(answeredLease(this.#state, answer, askedAt));
    return this.#isLive();
  }

  async #gate(effect: GatedEffect): Promise<boolean> {
    if (!this.#isLive()) return false;
    if (isOpenFor(this.#state, effect)) return true;
    const isOpen = await openGate(this.#database, this.#attempt, effect).catch(() => false);
    // The answer may have come long after it was given.
    if (!isOpen || !this.#isLive()) return false;
    this.#become(openedFor(this.#state, effect));
    return true;
  }
}

interface PlaceFacts {
  readonly tenant: string;
  readonly pollMs: number;
  /** Aborted when the lease ends. */
  readonly ended: AbortSignal;
  readonly isLive: () => boolean;
}

/** The place of a run among those of its tenant. */
class LeasedPlace implements RunPlace {
  readonly #database: Database;
  readonly #attempt: Attempt;
  readonly #facts: PlaceFacts;
  /** Its changes, one after the other. */
  #placed: Promise<unknown> = Promise.resolve();

  constructor(database: Database, attempt: Attempt, facts: PlaceFacts) {
    this.#database = database;
    this.#attempt = attempt;
    this.#facts = facts;
  }

  leave(): void {
    // A database that does not hear of it lets the tenant begin one run less.
    this.#placed = this.#placed.then(() => setPlace(this.#database, this.#attempt, 'left')).catch(() => undefined);
  }

  async regain(signal: AbortSignal): Promise<boolean> {
    const { isLive, ended, pollMs } = this.#facts;
    await this.#placed;
    await setPlace(this.#database, this.#attempt, 'wanted').catch(() => undefined);
    const over = AbortSignal.any([signal, ended]);
    while (isLive() && !signal.aborted) {
      if (await this.#take()) return true;
      await after(pollMs, undefined, { signal: over }).catch(() => undefined);
    }
    if (!signal.aborted) return true;
    this.leave();
    return false;
  }

  async #take(): Promise<boolean> {
    const taking = this.#database.transaction(async (sql) => takePlaceAgain(sql, this.#facts.tenant, this.#attempt));
    return taking.catch(() => false);
  }
}
