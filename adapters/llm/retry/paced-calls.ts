import { CallGate, type GateAnswer } from './call-gate.ts';

/** Time as retries see it; tests bring their own. */
export interface RetryClock {
  /** Milliseconds that only grow. */
  now(): number;
  /** Milliseconds since 1970, which dates of vendors are measured against. */
  wall(): number;
  /** Calls back after so many milliseconds; the returned function prevents it. */
  after(milliseconds: number, callback: () => void): () => void;
  /** From 0 to below 1. */
  random(): number;
}

export const SYSTEM_CLOCK: RetryClock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** How waiting for a place came out. */
export type Admitted =
  | { readonly kind: 'leaves'; readonly place: number }
  /** The installation is held back for longer than the call may wait. */
  | { readonly kind: 'refused'; readonly retryAfterMs: number }
  /** The call was given up. */
  | { readonly kind: 'gone' };

/** The calls of one installation, each of which waits for its turn before it is sent (world.md §1.4). */
export class PacedCalls {
  readonly #gate = new CallGate();
  readonly #clock: RetryClock;
  readonly #waiting = new Map<number, (admitted: Admitted) => void>();
  #requests = 0;
  #unsetTimer: (() => void) | null = null;

  constructor(clock: RetryClock) {
    this.#clock = clock;
  }

  isIdle(): boolean {
    return this.#gate.isIdle(this.#clock.now());
  }

  /** `waitMs`: how long the call may be held back. A caller that was admitted reports its outcome with `answered`. */
  async enter(waitMs: number, signal: AbortSignal, wasRefused = false): Promise<Admitted> {
    if (signal.aborted) return { kind: 'gone' };
    this.#requests += 1;
    const id = this.#requests;
    this.#gate.ask(id, this.#clock.now() + waitMs, wasRefused);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#gate.giveUp(id);
        this.#waiting.delete(id);
        resolve({ kind: 'gone' });
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.set(id, (admitted) => {
        signal.removeEventListener('abort', giveUp);
        this.#waiting.delete(id);
        resolve(admitted);
      });
      this.#look();
    });
  }

  answered(
    place: number,
    answer: { readonly kind: 'taken' | 'other' } | { readonly kind: 'limited'; readonly waitMs: number },
  ): void {
    const now = this.#clock.now();
    const seen: GateAnswer = answer.kind === 'limited' ? { kind: 'limited', until: now + answer.waitMs } : answer;
    this.#gate.answered(place, seen, now);
    this.#look();
  }

  #look(): void {
    this.#unsetTimer?.();
    this.#unsetTimer = null;
    const now = this.#clock.now();
    const { leaving, refused, wakeAt } = this.#gate.look(now);
    if (wakeAt !== null) this.#unsetTimer = this.#clock.after(Math.ceil(wakeAt - now), () => this.#look());
    for (const id of leaving) this.#waiting.get(id)?.({ kind: 'leaves', place: id });
    for (const { id, until } of refused)
      this.#waiting.get(id)?.({ kind: 'refused', retryAfterMs: Math.ceil(until - now) });
  }
}
