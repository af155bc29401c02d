import type { RunClock } from '../../../platform/run-clock/run-clock.ts';
import {
  isCurrent,
  nextExpiry,
  openLease,
  stepLease,
  type LeaseAnswer,
  type LeaseEvent,
  type LeaseLimits,
  type Ticket,
} from './lease.ts';

/** A lease in hand. */
export interface AcquiredLease {
  /** Whether calls may still be made under it. */
  isCurrent(): boolean;
  /** Every call is noted for as long as it lives: the lease is not free before the last one has ended. */
  duringCall<T>(call: () => Promise<T>): Promise<T>;
  /** The evaluation is over. */
  release(): void;
}

export type LeaseRefusal = Exclude<LeaseAnswer, { readonly outcome: 'granted' }>;

export type LeaseGrant =
  | { readonly granted: true; readonly lease: AcquiredLease }
  | { readonly granted: false; readonly refusal: LeaseRefusal };

/** The run's one evaluation lease for those who wait for it. */
export interface EvaluationLease {
  /** Settles when the request is answered. Aborting `signal` is the death of who asks, also after the grant. */
  request(signal: AbortSignal): Promise<LeaseGrant>;
  /** Whether an evaluation holds it. */
  isHeld(): boolean;
  granted(): number;
  /** Answers all who wait; who holds it keeps it until the release. */
  close(): void;
}

export function openEvaluationLease(
  limits: LeaseLimits,
  clock: Pick<RunClock, 'monotonic' | 'after'>,
): EvaluationLease {
  let state = openLease(limits);
  let issued = 0;
  let cancelTick = (): void => undefined;
  const waiting = new Map<Ticket, (answer: LeaseAnswer) => void>();

  function step(event: LeaseEvent): void {
    const stepped = stepLease(state, event);
    ({ state } = stepped);
    for (const { ticket, answer } of stepped.answers) {
      waiting.get(ticket)?.(answer);
      waiting.delete(ticket);
    }
    cancelTick();
    const expiry = nextExpiry(state);
    cancelTick =
      expiry === null ? () => undefined : clock.after(Math.max(1, Math.ceil(expiry - clock.monotonic())), tick);
  }

  function tick(): void {
    step({ event: 'tick', now: clock.monotonic() });
  }

  function leaseOf(ticket: Ticket): AcquiredLease {
    return {
      isCurrent: () => isCurrent(state, ticket),
      release: () => step({ event: 'release', ticket, now: clock.monotonic() }),
      async duringCall(call) {
        step({ event: 'call_reserved', ticket });
        try {
          return await call();
        } finally {
          step({ event: 'call_ended', ticket, now: clock.monotonic() });
        }
      },
    };
  }

  return {
    async request(signal) {
      issued += 1;
      const ticket = issued;
      const died = (): void => step({ event: 'owner_died', ticket, now: clock.monotonic() });
      const answered = new Promise<LeaseAnswer>((resolve) => {
        waiting.set(ticket, resolve);
      });
      const now = clock.monotonic();
      step({ event: 'request', ticket, requestedAt: now, now });
      if (signal.aborted) died();
      else signal.addEventListener('abort', died, { once: true });
      const answer = await answered;
      signal.removeEventListener('abort', died);
      return answer.outcome === 'granted'
        ? { granted: true, lease: leaseOf(ticket) }
        : { granted: false, refusal: answer };
    },
    isHeld: () => state.holder !== null,
    granted: () => state.granted,
    close: () => step({ event: 'close', now: clock.monotonic() }),
  };
}
