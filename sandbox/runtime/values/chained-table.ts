/**
 * Entries of one table of the engine. A table doubles in one piece, and V8 gives the whole isolate up, its thread with
 * it, when a piece finds no room in the heap; up to half a megabyte always does (the young generation's share of it).
 */
export const MOST_ENTRIES = 16_384;

/**
 * A table that may grow until the heap is full: a chain of the engine's own. To find something costs a look into each,
 * the newest first, and so for what is not there.
 */
export class ChainedTable<Key, Value> {
  readonly #full: Map<Key, Value>[] = [];
  #open = new Map<Key, Value>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    const found = this.#open.get(key);
    return found !== undefined || this.#full.length === 0 ? found : this.#older(key);
  }

  #older(key: Key): Value | undefined {
    for (let i = this.#full.length - 1; i >= 0; i--) {
      const found = this.#full[i]?.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  /** Adds a key that is not there yet. */
  add(key: Key, value: Value): void {
    if (this.#open.size >= MOST_ENTRIES) {
      this.#full.push(this.#open);
      this.#open = new Map();
    }
    this.#open.set(key, value);
    this.#size += 1;
  }

  /** Removes a key that is there. */
  delete(key: Key): void {
    this.#size -= 1;
    if (this.#open.delete(key)) return;
    for (let i = this.#full.length - 1; i >= 0; i--) if (this.#full[i]?.delete(key) === true) return;
  }

  /** In the order in which they were added. */
  keys(): Key[] {
    const keys: Key[] = [];
    for (const table of [...this.#full, this.#open]) for (const key of table.keys()) keys.push(key);
    return keys;
  }
}
