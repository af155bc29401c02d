import { setTimeout as after } from 'node:timers/promises';
import type { Database } from './database.ts';
import { takePlaceAgain } from './fair-claim.ts';
import type { Job, Lease, LeaseEnd } from './interface.ts';
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
  readonly takenAt: number;
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
  { runRef, epoch, job, spent, deadlineMs, takenAt }: LeaseRequest,
  now = () => performance.now(),
): WorkerLease {
  const attempt = { runRef, epoch };
  const stopping = new AbortController();
  let ended: LeaseEnd | null = null;
  let heldSince = takenAt;
  let isWriteOpen = false;
  let isDispatched = false;
  let extending: Promise<boolean> | null = null;

  function end(reason: LeaseEnd): void {
    if (ended !== null) return;
    ended = reason;
    clearInterval(timer);
    stopping.abort(reason);
  }
  /** A process that was stopped finds out before it does anything else. */
  function isLive(): boolean {
    if (ended === null && now() - heldSince >= timing.selfKillMs) end('lease_lost');
    return ended === null;
  }
  async function ask(): Promise<boolean> {
    const asked = now();
    const answer = await extendLease(database, attempt, timing.leaseMs).catch(() => 'unanswered' as const);
    if (answer === 'extended' || answer === 'cancelled') heldSince = Math.max(heldSince, asked);
    if (answer === 'cancelled') end('cancelled');
    if (answer === 'lost') end('lease_lost');
    return isLive();
  }
  function extend(): Promise<boolean> {
    if (!isLive()) return Promise.resolve(false);
    extending ??= ask().finally(() => {
      extending = null;
    });
    return extending;
  }
  // Looks at the clock more often than it asks: a database that does not answer must not hide the time.
  let lastAsked = now();
  const timer = setInterval(
    () => {
      if (!isLive() || now() - lastAsked < timing.extendMs) return;
      lastAsked = now();
      void extend();
    },
    Math.max(1, Math.floor(timing.extendMs / 5)),
  );

  async function gate(effect: 'dispatched' | 'write_open'): Promise<boolean> {
    const isKnown = isWriteOpen || (effect === 'dispatched' && isDispatched);
    if (!isLive()) return false;
    if (isKnown) return true;
    const isOpen = await openGate(database, attempt, effect).catch(() => false);
    // The answer may have come long after it was given.
    if (!isOpen || !isLive()) return false;
    isDispatched = true;
    isWriteOpen ||= effect === 'write_open';
    return true;
  }

  /** Changes of its place, one after the other. */
  let placed: Promise<unknown> = Promise.resolve();
  function leave(): void {
    // A database that does not hear of it lets the tenant begin one run less.
    placed = placed.then(() => setPlace(database, attempt, 'left')).catch(() => undefined);
  }
  async function regain(signal: AbortSignal): Promise<boolean> {
    await placed;
    await setPlace(database, attempt, 'wanted').catch(() => undefined);
    const over = AbortSignal.any([signal, stopping.signal]);
    while (isLive() && !signal.aborted) {
      const isTaken = database.transaction(async (sql) => takePlaceAgain(sql, job.tenant, attempt));
      if (await isTaken.catch(() => false)) return true;
      await after(timing.pollMs, undefined, { signal: over }).catch(() => undefined);
    }
    if (!signal.aborted) return true;
    leave();
    return false;
  }

  return {
    lease: {
      job,
      attempt: epoch,
      spent,
      deadlineMs,
      extend,
      gate,
      note: async (spentNow) => isLive() && noteSpent(database, attempt, spentNow).catch(() => false),
      place: { leave, regain },
      signal: stopping.signal,
    },
    ended: () => ended,
    end,
    look: () => void extend(),
    release: () => clearInterval(timer),
  };
}
