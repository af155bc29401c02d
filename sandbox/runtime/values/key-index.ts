import { Char } from './char.ts';
import { Keyword } from './keyword.ts';
import { MapBuilder } from './map-builder.ts';
import { WideTable } from './wide-table.ts';

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
  readonly #native = new WideTable<unknown, number>();
  readonly #other = new MapBuilder();

  /** The index of a key; a new key gets the next one. */
  indexOf(key: unknown): number {
    const isNative = isAtomic(key);
    const known = isNative ? this.#native.get(key) : this.#other.lookup(key);
    if (typeof known === 'number') return known;
    const index = this.keys.push(key) - 1;
    if (isNative) this.#native.add(key, index);
    else this.#other.put(key, index);
    return index;
  }
}
