import { LONGEST_TIMER_MS } from '../../../contract/limits/longest-timer.ts';
import {
  countsByTenant,
  countQueue,
  nextStartAt,
  openFairQueue,
  stepFairQueue,
  type FairAnswer,
  type FairQueueEvent,
  type FairQueueState,
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
  return new QueuedSlots(bounds, now);
}

/** Carries the events of the queue to it, and its answers to those who asked. */
class QueuedSlots implements FairSlots {
  readonly counts: FairSlots['counts'] = () => countQueue(this.#state);
  readonly byTenant: FairSlots['byTenant'] = () => countsByTenant(this.#state);
  readonly #now: () => number;
  readonly #asking = new Map<QueueTicket, (answer: FairAnswer) => void>();
  readonly #drained = Promise.withResolvers<void>();
  #state: FairQueueState;
  #issued = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(bounds: QueueBounds, now: () => number) {
    this.#state = openFairQueue(bounds);
    this.#now = now;
  }

  take({ tenant, share, signal, isBack = false }: PlaceRequest): Promise<Admission> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve({ outcome: 'gone' });
      this.#issued += 1;
      const ticket = this.#issued;
      const leave = (): void => {
        this.#asking.delete(ticket);
        this.#over(ticket);
        resolve({ outcome: 'gone' });
      };
      this.#asking.set(ticket, (answer) => {
        signal?.removeEventListener('abort', leave);
        resolve(answer.outcome === 'begins' ? this.#place(ticket) : answer);
      });
      signal?.addEventListener('abort', leave, { once: true });
      this.#step({ event: 'request', ticket, tenant, share, now: this.#now(), isBack });
    });
  }

  pause(): void {
    this.#step({ event: 'pause', now: this.#now() });
  }

  resume(): void {
    this.#step({ event: 'resume', now: this.#now() });
  }

  shed(count: number): void {
    this.#step({ event: 'shed', count, now: this.#now() });
  }

  drain(): Promise<void> {
    this.#step({ event: 'close', now: this.#now() });
    return this.#drained.promise;
  }

  #place(ticket: QueueTicket): Place {
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      this.#over(ticket);
    };
    return { outcome: 'begins', end };
  }

  #over(ticket: QueueTicket): void {
    this.#step({ event: 'over', ticket, now: this.#now() });
  }

  #step(event: FairQueueEvent): void {
    const { state, answers } = stepFairQueue(this.#state, event);
    this.#state = state;
    for (const { ticket, answer } of answers) {
      this.#asking.get(ticket)?.(answer);
      this.#asking.delete(ticket);
    }
    if (this.#state.closed && countQueue(this.#state).holding === 0) this.#drained.resolve();
    this.#waitForRates();
  }

  /** Wakes the queue when somebody may begin whom only his rate keeps from it. */
  #waitForRates(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const at = nextStartAt(this.#state);
    this.#timer = at === null ? null : setTimeout(() => this.#tick(), this.#delayUntil(at));
  }

  #tick(): void {
    this.#step({ event: 'tick', now: this.#now() });
  }

  #delayUntil(at: number): number {
    return Math.min(LONGEST_TIMER_MS, Math.max(1, Math.ceil(at - this.#now())));
  }
}
