import { badValue } from '../errors.ts';
import { ARRAY_MAP_LIMIT, ArrayMap, EMPTY_MAP, indexOfKey } from './array-map.ts';
import { HashMap, HashMapBuilder } from './hash-map.ts';
import { ABSENT, type LispMap } from './map.ts';

/** Grows a map entry by entry with the kinds and the order of language.md §5; used by producers and transients. */
export class MapBuilder {
  /** Entries while the map is an array map. */
  #flat: unknown[];
  #hashed: HashMapBuilder | null;

  constructor(start: ArrayMap | HashMap = EMPTY_MAP) {
    this.#flat = start instanceof ArrayMap ? start.flat.slice() : [];
    this.#hashed = start instanceof HashMap ? new HashMapBuilder(start) : null;
  }

  get count(): number {
    return this.#hashed === null ? this.#flat.length >>> 1 : this.#hashed.count;
  }

  /** The value under exactly this key, or `ABSENT`. */
  lookup(key: unknown): unknown {
    if (this.#hashed !== null) return this.#hashed.lookup(key);
    const i = indexOfKey(this.#flat, key);
    return i === -1 ? ABSENT : this.#flat[i + 1];
  }

  put(key: unknown, value: unknown): void {
    if (this.#hashed !== null) {
      this.#hashed.put(key, value);
      return;
    }
    const flat = this.#flat;
    const i = indexOfKey(flat, key);
    if (i !== -1) flat[i + 1] = value;
    else if (flat.length >= ARRAY_MAP_LIMIT * 2) {
      this.#hashed = new HashMapBuilder(HashMap.fromFlat(flat, null));
      this.#hashed.put(key, value);
    } else flat.push(key, value);
  }

  /** `dissoc!`: an array map moves its last entry into the hole. */
  drop(key: unknown): void {
    if (this.#hashed !== null) {
      this.#hashed = new HashMapBuilder(this.#hashed.build(null).dissoc(key));
      return;
    }
    const flat = this.#flat;
    const i = indexOfKey(flat, key);
    if (i === -1) return;
    const [lastKey, lastValue] = flat.splice(-2);
    if (i < flat.length) {
      flat[i] = lastKey;
      flat[i + 1] = lastValue;
    }
  }

  /** The map so far; the builder may go on. */
  build(meta: unknown = null): ArrayMap | HashMap {
    if (this.#hashed !== null) return this.#hashed.build(meta);
    return this.#flat.length === 0 && meta === null ? EMPTY_MAP : new ArrayMap(this.#flat.slice(), meta);
  }
}

/** A map of a flat key/value array: an array map up to eight entries, else a hash map; later values win. */
export function mapFromEntries(flat: readonly unknown[], meta: unknown = null): ArrayMap | HashMap {
  if (flat.length > ARRAY_MAP_LIMIT * 2) return HashMap.fromFlat(flat, meta);
  return arrayMap(flat, meta);
}

/** `array-map`: insertion order at any size; a repeated key keeps its place and takes the later value. */
export function arrayMap(flat: readonly unknown[], meta: unknown = null): ArrayMap {
  if (flat.length === 0 && meta === null) return EMPTY_MAP;
  const unique: unknown[] = [];
  for (let i = 0; i < flat.length; i += 2) {
    const at = indexOfKey(unique, flat[i]);
    if (at === -1) unique.push(flat[i], flat[i + 1]);
    else unique[at + 1] = flat[i + 1];
  }
  return new ArrayMap(unique, meta);
}

/**
 * A map literal whose keys were computed: as `mapFromEntries`, but a repeated key raises "Duplicate key".
 * `show` prints the key for the message.
 */
export function mapLiteral(flat: readonly unknown[], show: (key: unknown) => string): LispMap {
  const made = mapFromEntries(flat);
  if (made.count * 2 === flat.length) return made;
  const seen = new MapBuilder();
  for (let i = 0; i < flat.length; i += 2) {
    if (seen.lookup(flat[i]) !== ABSENT) throw badValue(`Duplicate key: ${show(flat[i])}`);
    seen.put(flat[i], true);
  }
  return made;
}
