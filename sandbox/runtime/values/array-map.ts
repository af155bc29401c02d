import { equals } from '../equality.ts';
import { copied, insertedPair } from './arrays.ts';
import { HashMap } from './hash-map.ts';
import { Keyword } from './keyword.ts';
import { ABSENT, LispMap } from './map.ts';
import { MapEntry } from './vector.ts';

/** From this many entries on a new key turns an array map into a hash map (language.md §5). */
export const ARRAY_MAP_LIMIT = 8;

/** Index of a key in a flat key/value array, or -1. */
export function indexOfKey(flat: readonly unknown[], key: unknown): number {
  const length = flat.length;
  for (let i = 0; i < length; i += 2) if (flat[i] === key) return i;
  if (typeof key === 'string' || key instanceof Keyword || key === null) return -1;
  for (let i = 0; i < length; i += 2) if (equals(flat[i], key)) return i;
  return -1;
}

/** A map in insertion order, laid out as one flat array of keys and values. */
export class ArrayMap extends LispMap {
  declare readonly flat: readonly unknown[];

  constructor(flat: readonly unknown[], meta: unknown) {
    super(meta);
    this.flat = flat;
  }

  get count(): number {
    return this.flat.length >>> 1;
  }

  get javaName(): string {
    return 'clojure.lang.PersistentArrayMap';
  }

  lookup(key: unknown): unknown {
    const i = indexOfKey(this.flat, key);
    return i === -1 ? ABSENT : this.flat[i + 1];
  }

  storedKey(key: unknown): unknown {
    const i = indexOfKey(this.flat, key);
    return i === -1 ? ABSENT : this.flat[i];
  }

  assoc(key: unknown, value: unknown): LispMap {
    const { flat } = this;
    const i = indexOfKey(flat, key);
    if (i !== -1) return this.withValueAt(i, value);
    if (flat.length >= ARRAY_MAP_LIMIT * 2) return HashMap.fromFlat(flat, this.meta).assoc(key, value);
    return new ArrayMap(insertedPair(flat, flat.length, key, value), this.meta);
  }

  /** The map with another value for the key at this index of its array. */
  withValueAt(index: number, value: unknown): ArrayMap {
    const { flat } = this;
    if (flat[index + 1] === value) return this;
    const copy = copied(flat);
    copy[index + 1] = value;
    return new ArrayMap(copy, this.meta);
  }

  dissoc(key: unknown): LispMap {
    const { flat } = this;
    const i = indexOfKey(flat, key);
    return i === -1 ? this : new ArrayMap([...flat.slice(0, i), ...flat.slice(i + 2)], this.meta);
  }

  visit(visitor: (key: unknown, value: unknown) => unknown): boolean {
    const { flat } = this;
    for (let i = 0; i < flat.length; i += 2) if (visitor(flat[i], flat[i + 1]) === true) return true;
    return false;
  }

  override toArray(): unknown[] {
    const { flat } = this;
    const entries: unknown[] = [];
    for (let i = 0; i < flat.length; i += 2) entries.push(new MapEntry(flat[i], flat[i + 1]));
    return entries;
  }

  empty(): ArrayMap {
    return this.meta === null ? EMPTY_MAP : new ArrayMap([], this.meta);
  }

  withMeta(meta: unknown): ArrayMap {
    return new ArrayMap(this.flat, meta);
  }
}

export const EMPTY_MAP = new ArrayMap([], null);
