/** So many at once, in the order in which they asked. */
export class FifoTurns {
  /** Below zero while those that went on at once, after they had lent their turn, are more than there may be. */
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Waits for a turn, which is to be given back; false when the signal was aborted before it came. */
  take(signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted === true) return Promise.resolve(false);
    if (this.#free <= 0) return this.#wait(signal);
    this.#free -= 1;
    return Promise.resolve(true);
  }

  /** Gives a turn back; the one that has waited longest gets it. */
  give(): void {
    this.#free += 1;
    const [next] = this.#free > 0 ? this.#waiting : [];
    if (next === undefined) return;
    this.#free -= 1;
    next();
  }

  /** Lends a turn to others while nothing is done with it. What is done goes on at once. */
  async without<T>(wait: () => Promise<T>): Promise<T> {
    this.give();
    try {
      return await wait();
    } finally {
      this.#free -= 1;
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (hasTurn: boolean): void => {
        this.#waiting.delete(begin);
        signal?.removeEventListener('abort', leave);
        resolve(hasTurn);
      };
      const begin = (): void => end(true);
      const leave = (): void => end(false);
      this.#waiting.add(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
