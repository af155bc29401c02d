/** Places for requests, and a short queue for those who come when all are taken. */
export interface PlaceBounds {
  readonly most: number;
  /** Requests that wait, and for how long. */
  readonly waiting: number;
  readonly waitMs: number;
}

/** Places that are given in the order in which they were asked for. */
export class ConnectionSlots {
  readonly #bounds: PlaceBounds;
  #used = 0;
  readonly #queue = new Set<(isProvided: boolean) => void>();

  constructor(bounds: PlaceBounds) {
    this.#bounds = bounds;
  }

  used(): number {
    return this.#used;
  }

  /**
   * Whether there is a place: at once, or by the time that it is waited for; `signal`: raised when nobody waits for it
   * any more.
   */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#used < this.#bounds.most) {
      this.#used += 1;
      return true;
    }
    if (this.#queue.size >= this.#bounds.waiting) return false;
    return this.#wait(signal);
  }

  /** Gives a place back: the next one who waits has it. */
  leave(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#used -= 1;
    else next(true);
  }

  async #wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isProvided: boolean): void => {
        clearTimeout(late);
        signal.removeEventListener('abort', leave);
        this.#queue.delete(settle);
        resolve(isProvided);
      };
      const leave = (): void => {
        settle(false);
      };
      const late = setTimeout(leave, this.#bounds.waitMs);
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.add(settle);
    });
  }
}
