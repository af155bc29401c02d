import { ABSENT } from './map.ts';
import { LispSet } from './set.ts';
import { type Ordering, SortedEntries } from './sorted-entries.ts';

/** A set in the order of its comparator: each member is a key and its own value. */
export class SortedSet extends LispSet {
  declare readonly entries: SortedEntries;

  constructor(entries: SortedEntries, meta: unknown) {
    super(meta);
    this.entries = entries;
  }

  get javaName(): string {
    return 'clojure.lang.PersistentTreeSet';
  }

  get count(): number {
    return this.entries.count;
  }

  get ordering(): Ordering {
    return this.entries.ordering;
  }

  lookup(value: unknown): unknown {
    const entry = this.entries.find(value);
    return entry === null ? ABSENT : entry.key;
  }

  conj(value: unknown): SortedSet {
    const { entries } = this;
    return entries.count > 0 && entries.find(value) !== null
      ? this
      : new SortedSet(entries.with(value, value), this.meta);
  }

  disj(value: unknown): SortedSet {
    const entries = this.entries.without(value);
    return entries === this.entries ? this : new SortedSet(entries, this.meta);
  }

  visit(visitor: (member: unknown) => unknown): boolean {
    return this.entries.visit(({ key }) => visitor(key));
  }

  toArray(): unknown[] {
    const all: unknown[] = [];
    this.entries.visit(({ key }) => {
      all.push(key);
    });
    return all;
  }

  empty(): SortedSet {
    return new SortedSet(SortedEntries.empty(this.ordering), this.meta);
  }

  withMeta(meta: unknown): SortedSet {
    return new SortedSet(this.entries, meta);
  }
}
