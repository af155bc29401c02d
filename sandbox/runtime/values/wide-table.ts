import { ChainedTable, MOST_ENTRIES } from './chained-table.ts';

/** Chains that share what one table of the engine cannot hold. */
const CHAINS = 16;

/**
 * Values by key, as many as the heap holds. The first are in one table of the engine, which is all that most programs
 * have; each further one is in the chain that its key names. Keys are distinguished as the engine does.
 */
export class WideTable<Key, Value> {
  readonly #first = new Map<Key, Value>();
  #further: readonly ChainedTable<Key, Value>[] | null = null;

  get(key: Key): Value | undefined {
    const found = this.#first.get(key);
    return found !== undefined || this.#further === null ? found : this.#further[chainOf(key)]?.get(key);
  }

  /** Adds a key that is not there yet. */
  add(key: Key, value: Value): void {
    if (this.#first.size < MOST_ENTRIES) {
      this.#first.set(key, value);
      return;
    }
    this.#further ??= Array.from({ length: CHAINS }, () => new ChainedTable<Key, Value>());
    this.#further[chainOf(key)]?.add(key, value);
  }
}

/** By what most often distinguishes names, and numbers,. All else shares a chain: that costs time and nothing else. */
function chainOf(key: unknown): number {
  if (typeof key === 'string') return key === '' ? 0 : key.charCodeAt(key.length - 1) % CHAINS;
  return typeof key === 'number' ? (key | 0) & (CHAINS - 1) : 0;
}
