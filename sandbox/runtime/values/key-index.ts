import { Char } from './char.ts';
import { Keyword } from './keyword.ts';
import { MapBuilder } from './map-builder.ts';

/** Keys the engine's own table may hold: its growth beyond the heap would end the process (architecture.md §1.1). */
const NATIVE_KEYS = 100_000;

/** Whether the engine's equality of this value is that of the language. */
function isAtomic(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return true;
    case 'number':
      return Number.isInteger(value);
    default:
      return value === null || value instanceof Keyword || value instanceof Char;
  }
}

/** Numbers equal keys in the order in which they first come: the index of each is its place among the keys. */
export class KeyIndex {
  readonly keys: unknown[] = [];
  readonly #native = new Map<unknown, number>();
  readonly #other = new MapBuilder();

  /** The index of a key; a new key gets the next one. */
  indexOf(key: unknown): number {
    const isNative = isAtomic(key) && (this.#native.size < NATIVE_KEYS || this.#native.has(key));
    const known = isNative ? this.#native.get(key) : this.#other.lookup(key);
    if (typeof known === 'number') return known;
    const index = this.keys.push(key) - 1;
    if (isNative) this.#native.set(key, index);
    else this.#other.put(key, index);
    return index;
  }
}
