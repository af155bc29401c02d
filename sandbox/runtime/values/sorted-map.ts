import { ABSENT, LispMap } from './map.ts';
import { type Ordering, SortedEntries } from './sorted-entries.ts';

/** A map in the order of its comparator. */
export class SortedMap extends LispMap {
  declare readonly entries: SortedEntries;

  constructor(entries: SortedEntries, meta: unknown) {
    super(meta);
    this.entries = entries;
  }

  get javaName(): string {
    return 'clojure.lang.PersistentTreeMap';
  }

  get count(): number {
    return this.entries.count;
  }

  get ordering(): Ordering {
    return this.entries.ordering;
  }

  lookup(key: unknown): unknown {
    const entry = this.entries.find(key);
    return entry === null ? ABSENT : entry.value;
  }

  storedKey(key: unknown): unknown {
    const entry = this.entries.find(key);
    return entry === null ? ABSENT : entry.key;
  }

  assoc(key: unknown, value: unknown): SortedMap {
    return this.#holding(this.entries.with(key, value));
  }

  dissoc(key: unknown): SortedMap {
    return this.#holding(this.entries.without(key));
  }

  #holding(entries: SortedEntries): SortedMap {
    return entries === this.entries ? this : new SortedMap(entries, this.meta);
  }

  visit(visitor: (key: unknown, value: unknown) => unknown): boolean {
    return this.entries.visit(({ key, value }) => visitor(key, value));
  }

  empty(): SortedMap {
    return new SortedMap(SortedEntries.empty(this.ordering), this.meta);
  }

  withMeta(meta: unknown): SortedMap {
    return new SortedMap(this.entries, meta);
  }
}
