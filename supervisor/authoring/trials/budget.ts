/** What is left of the money of a command (first-day.md §2): a run begins with a share that it cannot pass. */
export class MoneyBudget {
  #left: number;
  #reserved = 0;
  readonly #waiting: (() => void)[] = [];

  /** Millionths of a dollar. */
  constructor(microusd: number) {
    this.#left = microusd;
  }

  /**
   * Sets money aside for one run: `bound`, what it may spend by its own limits, or all that is left where it has none.
   * Waits while nothing is left but what others have set aside and may give back. Null: the budget is spent.
   */
  async reserve(bound: number | null): Promise<number | null> {
    for (;;) {
      const free = this.#left - this.#reserved;
      const share = bound === null ? free : Math.min(bound, this.#left);
      if (share > 0 && share <= free) {
        this.#reserved += share;
        return share;
      }
      if (this.#reserved === 0) return null;
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** The run is over; null: nobody knows what it spent, which then counts as all of its share. */
  settle(share: number, spent: number | null): void {
    this.#reserved -= share;
    this.#left -= Math.min(share, spent ?? share);
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
