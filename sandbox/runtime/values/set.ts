import { Collection } from './collection.ts';
import { EMPTY_HASH_MAP, type HashMap, HashMapBuilder } from './hash-map.ts';
import { ABSENT } from './map.ts';

/** Hash sets and sorted sets. */
export abstract class LispSet extends Collection {
  abstract readonly count: number;
  /** The stored member equal to this value, or `ABSENT`. */
  abstract lookup(value: unknown): unknown;
  abstract conj(value: unknown): LispSet;
  abstract disj(value: unknown): LispSet;
  /** Members in iteration order. */
  abstract toArray(): readonly unknown[];
  /** Visits members in iteration order until the visitor returns true; answers whether it did. */
  abstract visit(visitor: (member: unknown) => unknown): boolean;
  abstract empty(): LispSet;
  abstract override withMeta(meta: unknown): LispSet;
  abstract get javaName(): string;
}

/** A set in hash order: a hash map of each member to itself. */
export class HashSet extends LispSet {
  declare readonly members: HashMap;

  constructor(members: HashMap, meta: unknown) {
    super(meta);
    this.members = members;
  }

  get count(): number {
    return this.members.count;
  }

  get javaName(): string {
    return 'clojure.lang.PersistentHashSet';
  }

  lookup(value: unknown): unknown {
    return this.members.lookup(value);
  }

  conj(value: unknown): HashSet {
    return this.members.lookup(value) === ABSENT ? new HashSet(this.members.assoc(value, value), this.meta) : this;
  }

  disj(value: unknown): HashSet {
    const members = this.members.dissoc(value);
    return members === this.members ? this : new HashSet(members, this.meta);
  }

  visit(visitor: (member: unknown) => unknown): boolean {
    return this.members.visit(visitor);
  }

  toArray(): unknown[] {
    const all: unknown[] = [];
    this.members.visit((member) => {
      all.push(member);
    });
    return all;
  }

  empty(): HashSet {
    return this.meta === null ? EMPTY_SET : EMPTY_SET.withMeta(this.meta);
  }

  withMeta(meta: unknown): HashSet {
    return new HashSet(this.members, meta);
  }
}

export const EMPTY_SET = new HashSet(EMPTY_HASH_MAP, null);

/** Grows a hash set; a member that is there already stays as it was stored. */
export class SetBuilder {
  readonly #members: HashMapBuilder;

  constructor(start: HashSet = EMPTY_SET) {
    this.#members = new HashMapBuilder(start.members);
  }

  get count(): number {
    return this.#members.count;
  }

  lookup(value: unknown): unknown {
    return this.#members.lookup(value);
  }

  /** Adds a member; answers whether it was new. */
  add(value: unknown): boolean {
    if (this.#members.lookup(value) !== ABSENT) return false;
    this.#members.put(value, value);
    return true;
  }

  build(meta: unknown = null): HashSet {
    return new HashSet(this.#members.build(null), meta);
  }
}

/** A hash set of an array's elements. */
export function setFrom(elements: readonly unknown[], meta: unknown = null): HashSet {
  if (elements.length === 0 && meta === null) return EMPTY_SET;
  const builder = new SetBuilder();
  for (const element of elements) builder.add(element);
  return builder.build(meta);
}
