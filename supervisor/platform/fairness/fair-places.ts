import { LONGEST_TIMER_MS } from '../../../contract/limits/longest-timer.ts';
import {
  countsByTenant,
  countQueue,
  nextStartAt,
  openFairQueue,
  stepFairQueue,
  type FairAnswer,
  type FairQueueEvent,
  type QueueBounds,
  type Refusal,
  type Share,
  type QueueTicket,
} from './fair-queue.ts';

/** A place in hand. */
export interface Place {
  readonly outcome: 'begins';
  /** Gives it back; does nothing a second time. */
  readonly end: () => void;
}

/** What became of a request for a place. */
export type Admission =
  | Place
  | Refusal
  /** Its signal was raised while it waited. */
  | { readonly outcome: 'gone' };

/** Who asks, with what share, and until when. */
export interface PlaceRequest {
  readonly tenant: string;
  readonly share: Share;
  /** Raised when nobody waits for the place any more; after the grant it means nothing. */
  readonly signal?: AbortSignal | undefined;
  /** It had a place before, and comes back before those that had none. */
  readonly isBack?: boolean;
}

/** A number of places and the fair, bounded queue in front of them (fair-queue.ts), for those who wait in it. */
export interface FairSlots {
  /** Settles with the answer; never rejects. A place that is free is given at once. */
  take(request: PlaceRequest): Promise<Admission>;
  readonly counts: () => { readonly waiting: number; readonly holding: number };
  readonly byTenant: () => ReturnType<typeof countsByTenant>;
  /** Nobody begins until `resume`; who waits goes on to wait. */
  pause(): void;
  resume(): void;
  /** Asks so many of those that wait to come again, the newest first. */
  shed(count: number): void;
  /** Refuses who waits and who comes, and settles when the last place was given back. */
  drain(): Promise<void>;
}

/** `now`: milliseconds of a monotonic clock. */
export function makeFairSlots(bounds: QueueBounds, now: () => number = () => performance.now()): FairSlots {
  let state = openFairQueue(bounds);
  let issued = 0;
  const asking = new Map<QueueTicket, (answer: FairAnswer) => void>();
  let drained: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;

  function step(event: FairQueueEvent): void {
    const stepped = stepFairQueue(state, event);
    ({ state } = stepped);
    for (const { ticket, answer } of stepped.answers) {
      asking.get(ticket)?.(answer);
      asking.delete(ticket);
    }
    if (countQueue(state).holding === 0) drained?.();
    waitForRates();
  }

  /** Wakes the queue when somebody may begin whom only his rate keeps from it. */
  function waitForRates(): void {
    if (timer !== null) clearTimeout(timer);
    const at = nextStartAt(state);
    timer =
      at === null
        ? null
        : setTimeout(
            () => step({ event: 'tick', now: now() }),
            Math.min(LONGEST_TIMER_MS, Math.max(1, Math.ceil(at - now()))),
          );
  }

  function over(ticket: QueueTicket): void {
    step({ event: 'over', ticket, now: now() });
  }

  return {
    take: ({ tenant, share, signal, isBack = false }) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve({ outcome: 'gone' });
        issued += 1;
        const ticket = issued;
        const leave = (): void => {
          asking.delete(ticket);
          over(ticket);
          resolve({ outcome: 'gone' });
        };
        let isOver = false;
        const end = (): void => {
          if (isOver) return;
          isOver = true;
          over(ticket);
        };
        asking.set(ticket, (answer) => {
          signal?.removeEventListener('abort', leave);
          resolve(answer.outcome === 'begins' ? { outcome: 'begins', end } : answer);
        });
        signal?.addEventListener('abort', leave, { once: true });
        step({ event: 'request', ticket, tenant, share, now: now(), isBack });
      }),
    counts: () => countQueue(state),
    byTenant: () => countsByTenant(state),
    pause: () => {
      step({ event: 'pause', now: now() });
    },
    resume: () => {
      step({ event: 'resume', now: now() });
    },
    shed: (count) => {
      step({ event: 'shed', count, now: now() });
    },
    drain: () =>
      new Promise((resolve) => {
        const before = drained;
        drained = () => {
          before?.();
          resolve();
        };
        step({ event: 'close', now: now() });
      }),
  };
}
