/** Requests that may leave within one window before it is known what the vendor takes. */
const FIRST_ALLOWANCE = 10;
/** The unit of rates. */
const SECOND_MS = 1000;
/** A second, and what two requests can lose on each other on their way. */
const WINDOW_MS = 1100;
/**
 * The least that a crowd is held back: a vendor says when one more request fits, and each of a crowd would find that
 * out for itself.
 */
const CROWD_HOLD_MS = 1000;
/** How much wider a window may be than the one before: a limit is overshot by a fifth, and no more. */
const GROWTH = 1.2;
/** Beyond this nobody is counted any more until a vendor refuses. */
const ALLOWANCE_MAX = 256;
/** Clean answers after which one more call may be on its way at the same time. */
const CLEAN_PER_CALL = 16;

interface Waiting {
  readonly id: number;
  /** Until when it may wait for a hold. */
  readonly latestAt: number;
}

interface Departure {
  readonly leftAt: number;
  /** A vendor counts from when a request arrives, of which a quick answer says more than its leaving does. */
  readonly countsUntil: number;
  readonly isRefused: boolean;
}

export interface GateLook {
  /** Who may leave now. */
  readonly leaving: readonly number[];
  /** Who cannot wait until the vendor wants to be asked again, and when that is. */
  readonly refused: readonly { readonly id: number; readonly until: number }[];
  /** When to look again; null: with the next event. */
  readonly wakeAt: number | null;
}

/** How a request that left came back. */
export type GateAnswer =
  | { readonly kind: 'taken' }
  /** 429. `until`: before which nobody of the installation asks again. */
  | { readonly kind: 'limited'; readonly until: number }
  /** Nothing that says anything of the rate. */
  | { readonly kind: 'other' };

/**
 * Who of the calls of one installation may be sent, without clock and timer: `look` says it for a given moment
 * (world.md §1.4).
 *
 * 1. After a 429 nobody leaves until the moment that the vendor named; who cannot wait so long is refused at once.
 * 2. Many calls that come together leave as a vendor can take them: 10 in the first second, then a fifth more each
 *    second; after a 429 as many as were taken, then one more each second. Of 32 callers under a limit of 10 requests
 *    a second 12 arrive in the first, not 32.
 * 3. Who is nearly alone never waits: two calls may always be on their way, one after a 429, and more as answers come
 *    back.
 */
export class CallGate {
  readonly #waiting: Waiting[] = [];
  /** Requests of the last window by their ids. */
  readonly #left = new Map<number, Departure>();
  #underWay = 0;
  #clean = 0;
  #allowance = FIRST_ALLOWANCE;
  #hasMetLimit = false;
  #holdUntil = Number.NEGATIVE_INFINITY;
  #windowFrom = Number.NEGATIVE_INFINITY;
  #leftInWindow = 0;
  #usedInWindow = 0;
  #isWindowClean = true;

  /** Whether nobody is under way or waits, and nobody would have to. */
  isIdle(now: number): boolean {
    return this.#underWay === 0 && this.#waiting.length === 0 && this.#holdUntil <= now;
  }

  /** `latestAt`: until when it may wait for a hold. Who was refused before comes first. */
  ask(id: number, latestAt: number, wasRefused = false): void {
    if (wasRefused) this.#waiting.unshift({ id, latestAt });
    else this.#waiting.push({ id, latestAt });
  }

  /** It does not want to leave any more. */
  giveUp(id: number): void {
    const at = this.#waiting.findIndex((waiting) => waiting.id === id);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  answered(id: number, answer: GateAnswer, now: number): void {
    this.#roll(now);
    this.#underWay -= 1;
    const departure = this.#left.get(id);
    if (departure !== undefined)
      this.#left.set(id, { ...departure, countsUntil: now + WINDOW_MS, isRefused: answer.kind === 'limited' });
    if (answer.kind === 'taken') {
      this.#clean += 1;
      this.#usedInWindow += 1;
    }
    if (answer.kind !== 'limited') return;
    this.#clean = 0;
    this.#isWindowClean = false;
    // Nobody leaves while the others come back, so that the last refusal knows how many were taken.
    this.#allowance = Number.isFinite(this.#allowance) ? Math.max(1, this.#usedAt(now)) : ALLOWANCE_MAX;
    this.#hasMetLimit = true;
    const crowdUntil = this.#waiting.length === 0 ? answer.until : now + CROWD_HOLD_MS;
    this.#holdUntil = Math.max(this.#holdUntil, answer.until, crowdUntil);
  }

  look(now: number): GateLook {
    this.#roll(now);
    if (now < this.#holdUntil) {
      const refused = this.#refuse();
      return { leaving: [], refused, wakeAt: this.#wakeAt(this.#holdUntil) };
    }
    const leaving: number[] = [];
    while (this.#hasRoom()) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      leaving.push(next.id);
      this.#underWay += 1;
      this.#leftInWindow += 1;
      if (Number.isFinite(this.#allowance))
        this.#left.set(next.id, { leftAt: now, countsUntil: now + WINDOW_MS, isRefused: false });
    }
    return {
      leaving,
      refused: [],
      wakeAt: this.#wakeAt(Math.min(...[...this.#left.values()].map(({ countsUntil }) => countsUntil))),
    };
  }

  #wakeAt(at: number): number | null {
    return this.#waiting.length === 0 ? null : at;
  }

  /** How many were taken within a second, at most as many as there was room for. */
  #usedAt(now: number): number {
    const departures = [...this.#left.values()].filter(
      ({ leftAt, isRefused }) => !isRefused && leftAt > now - SECOND_MS,
    );
    return Math.min(this.#allowance, departures.length);
  }

  #hasRoom(): boolean {
    const together = (this.#hasMetLimit ? 1 : 2) + Math.floor(this.#clean / CLEAN_PER_CALL);
    return this.#left.size < this.#allowance || this.#underWay < together;
  }

  #refuse(): GateLook['refused'] {
    const until = this.#holdUntil;
    const refused = this.#waiting.filter(({ latestAt }) => latestAt < until);
    for (const { id } of refused) this.giveUp(id);
    return refused.map(({ id }) => ({ id, until }));
  }

  #roll(now: number): void {
    for (const [id, { countsUntil }] of this.#left) if (countsUntil <= now) this.#left.delete(id);
    if (now < this.#windowFrom + WINDOW_MS) return;
    if (this.#isWindowClean && this.#leftInWindow >= this.#allowance) this.#widen();
    this.#windowFrom = now;
    this.#leftInWindow = 0;
    this.#usedInWindow = 0;
    this.#isWindowClean = true;
  }

  #widen(): void {
    // What left may still be refused: only what was taken is known to be within the limit.
    const known = Math.max(this.#allowance, this.#usedInWindow);
    const wider = this.#hasMetLimit ? this.#allowance + 1 : Math.ceil(known * GROWTH);
    this.#allowance = wider > ALLOWANCE_MAX ? Number.POSITIVE_INFINITY : wider;
    if (!Number.isFinite(this.#allowance)) this.#left.clear();
  }
}
