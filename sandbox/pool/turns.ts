import {
  hasCandidate,
  openTurns,
  stepTurns,
  waitingCount,
  type TurnAction,
  type TurnBounds,
  type TurnEvent,
  type TurnState,
  type Work,
} from './turn-machine.ts';
import type { AccountState } from './turn-accounts.ts';

export type { Work } from './turn-machine.ts';

/** A turn that has started. */
export interface Turn {
  /** Does nothing a second time. */
  readonly end: () => void;
  /**
   * Waits for something. What is not there at once is waited for without the turn, which another then has. The work
   * goes on when it has a turn again: at once, unless its tenant used more than others that wait. Parts of the work may
   * wait at the same time.
   */
  without<T>(wait: () => Promise<T>): Promise<T>;
  /**
   * Goes on to compute, which is counted for so long from now; false: its tenant computes with as many as it may, and
   * the turn is as it was.
   */
  readonly goOn: (longestMs: number) => boolean;
}

/** For whom; null: who shares the turns with nobody, and may have all of them. */
export interface Asking {
  readonly tenant: string | null;
}

/** How long the work may wait for its turn. */
export interface Patience extends Asking {
  /** Then it goes on without a turn, if its tenant may compute with one more. */
  readonly waitMs: number;
  /** Then it goes on in any case. */
  readonly lastMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Lets so many do their work at a time. The rest wait (turn-machine.ts says who is next). */
export interface Turns {
  /**
   * A turn that lasts longer than `longestMs` is no longer counted, so that work without an end holds nobody up; of its
   * own tenant it goes on to be known. With patience the wait has an end, too: the work then goes on uncounted. Never
   * rejects.
   */
  take(work: Exclude<Work, 'again'>, longestMs: number, asking?: Asking | Patience): Promise<Turn>;
  /** How many wait. */
  readonly waiting: (work: Work) => number;
}

/** Called when the processes of a tenant are to give way to those of others, and when no longer. */
export type OnWeigh = (tenant: string, isHeavy: boolean) => void;

const ALONE: Asking = { tenant: null };
const UNCOUNTED: Turn = { end: () => undefined, without: (wait) => wait(), goOn: () => true };
/** How often accounts are looked at while there are any. */
const REVIEW_MS = 100;
/** What goes on after a call waits no longer for its turn, and needs none then. */
const AGAIN_MS = 1000;

/**
 * Each turn begins in a turn of the event loop of its own: to begin one may take milliseconds. `computing`: of one
 * tenant beside others so many compute, those that are no longer counted among them. Who comes when as many do waits,
 * and one of them goes on all the same after a while: none that computes can be made to wait.
 */
export function takeTurns(bounds: TurnBounds, onWeigh: OnWeigh = () => undefined): Turns {
  const clerk = new Clerk(bounds, onWeigh);
  return {
    take: (work, longestMs, asking = ALONE) => clerk.take(work, longestMs, asking),
    waiting: (work) => clerk.waiting(work),
  };
}

type Begin = (accountState: AccountState) => void;
/** An event but for its time. */
type Happening = TurnEvent extends infer E ? (E extends TurnEvent ? Omit<E, 'now'> : never) : never;

type TurnRequest = { readonly event: 'ask'; readonly work: Work } | { readonly event: 'called' };

/** Keeps the state of the turns, and the time. */
class Clerk {
  #state: TurnState;
  readonly #onWeigh: OnWeigh;
  /** Those that wait, by ticket. */
  readonly #waiting = new Map<number, { readonly begin: Begin; readonly wait: (untilAt: number) => void }>();
  #tickets = 0;
  #isServing = false;
  #review: NodeJS.Timeout | null = null;

  constructor(bounds: TurnBounds, onWeigh: OnWeigh) {
    this.#state = openTurns(bounds);
    this.#onWeigh = onWeigh;
  }

  waiting(work: Work): number {
    return waitingCount(this.#state, work);
  }

  async take(work: Exclude<Work, 'again'>, longestMs: number, asking: Asking | Patience): Promise<Turn> {
    const ticket = this.ticket();
    const patience = 'waitMs' in asking ? asking : null;
    const accountState = await this.ask({ ticket, tenant: asking.tenant }, { event: 'ask', work }, patience);
    return accountState === null
      ? UNCOUNTED
      : new OpenTurn(this, { ticket, tenant: asking.tenant }, accountState, longestMs);
  }

  ticket(): number {
    this.#tickets += 1;
    return this.#tickets;
  }

  /** Null: the asker no longer wants it. `how`: the event that asks. */
  ask(
    { ticket, tenant }: Ticket,
    how: TurnRequest,
    patience: Omit<Patience, 'tenant'> | null,
  ): Promise<AccountState | null> {
    const { promise, resolve } = Promise.withResolvers<AccountState | null>();
    const { signal } = patience ?? {};
    if (signal?.aborted === true) return Promise.resolve(null);
    let timer: NodeJS.Timeout | undefined;
    const over = (accountState: AccountState | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#waiting.delete(ticket);
      resolve(accountState);
    };
    const onAbort = (): void => {
      over(null);
      this.handle({ event: 'leave', ticket, tenant });
    };
    signal?.addEventListener('abort', onAbort);
    const lastAt = performance.now() + (patience?.lastMs ?? Infinity);
    const impatient = (): void => {
      const isLast = performance.now() >= lastAt;
      this.handle({ event: 'impatient', ticket, tenant, waitMs: patience?.waitMs ?? 0, isLast });
    };
    const wait = (untilAt: number): void => {
      timer = setTimeout(impatient, Math.max(1, Math.ceil(Math.min(untilAt, lastAt) - performance.now())));
    };
    this.#waiting.set(ticket, { begin: over, wait });
    this.handle({ ...how, ticket, tenant });
    if (patience !== null && this.#waiting.has(ticket)) wait(performance.now() + patience.waitMs);
    return promise;
  }

  /** Carries out what the event decides before it returns; `own` gets an action for a ticket that does not wait. */
  handle(happening: Happening, own: (action: TurnAction) => void = () => undefined): void {
    const { state, actions } = stepTurns(this.#state, { ...happening, now: performance.now() });
    this.#state = state;
    for (const action of actions) {
      if (action.action === 'weigh') {
        this.#onWeigh(action.tenant, action.isHeavy);
        continue;
      }
      const waiting = this.#waiting.get(action.ticket);
      if (waiting === undefined) own(action);
      else if (action.action === 'begin') waiting.begin(action.state);
      else waiting.wait(action.untilAt);
    }
    this.#serveLater();
    this.#reviewLater();
  }

  #serveLater(): void {
    if (this.#isServing || this.#waiting.size === 0 || !hasCandidate(this.#state)) return;
    this.#isServing = true;
    setImmediate(() => {
      this.#isServing = false;
      this.handle({ event: 'serve' });
    });
  }

  #reviewLater(): void {
    if (this.#review !== null || this.#state.accounts.size === 0) return;
    this.#review = setTimeout(() => {
      this.#review = null;
      this.handle({ event: 'review' });
    }, REVIEW_MS).unref();
  }
}

interface Ticket {
  readonly ticket: number;
  readonly tenant: string | null;
}

class OpenTurn implements Turn {
  readonly #clerk: Clerk;
  #own: Ticket;
  #state: AccountState;
  #longestMs: number;
  /** Since when it computes without a call. */
  #since = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isOpen = true;
  #hasEnded = false;
  #waits = 0;
  /** While it waits to go on. */
  #ended: AbortController | null = null;

  constructor(clerk: Clerk, own: Ticket, accountState: AccountState, longestMs: number) {
    this.#clerk = clerk;
    this.#own = own;
    this.#state = accountState;
    this.#longestMs = longestMs;
    this.#watch();
  }

  readonly end = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#ended === null) this.#leave();
    else this.#ended.abort(ENDED);
  };

  async without<T>(wait: () => Promise<T>): Promise<T> {
    this.#waits += 1;
    const leaving = setImmediate(() => {
      this.#leave();
    });
    try {
      return await wait();
    } finally {
      clearImmediate(leaving);
      this.#waits -= 1;
      if (!this.#hasEnded && this.#waits === 0) await this.#goOnAfterCall();
    }
  }

  readonly goOn = (longestMs: number): boolean => {
    let mayCompute = false;
    this.#clerk.handle({ event: 'compute', ...this.#own }, () => {
      mayCompute = true;
    });
    // What made something for too long has no turn left to go on with.
    if (!mayCompute) return false;
    this.#state = 'computing';
    this.#longestMs = longestMs;
    this.#watch();
    return true;
  };

  /** One that had left asks under a new ticket. */
  async #goOnAfterCall(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#isOpen) this.#own = { ...this.#own, ticket: this.#clerk.ticket() };
    const how = this.#isOpen ? ({ event: 'called' } as const) : ({ event: 'ask', work: 'again' } as const);
    const ended = new AbortController();
    this.#ended = ended;
    const patience = { waitMs: AGAIN_MS, lastMs: Infinity, signal: ended.signal };
    const accountState = await this.#clerk.ask(this.#own, how, patience);
    this.#ended = null;
    this.#isOpen = accountState !== null;
    if (accountState === null) return;
    this.#state = accountState;
    this.#watch();
  }

  #leave(): void {
    clearTimeout(this.#timer);
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#clerk.handle({ event: 'leave', ...this.#own });
  }

  /** Says when it is long: what makes something from its beginning on, what computes since its last call. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#since = performance.now();
    if (this.#state !== 'long') this.#watchFor(this.#longestMs);
  }

  #watchFor(leftMs: number): void {
    this.#timer = setTimeout(() => {
      const left = this.#since + this.#longestMs - performance.now();
      if (left > 1) this.#watchFor(left);
      else this.#clerk.handle({ event: 'long', ...this.#own });
    }, leftMs).unref();
  }
}

/** Without a reason node makes an error with its stack for each. */
const ENDED = 'ended';
