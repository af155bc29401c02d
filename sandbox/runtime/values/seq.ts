import { Collection } from './collection.ts';
import type { Vector } from './vector.ts';

/** Everything `seq?` answers true for: cells, whose first element is there, and lazy seqs. */
export abstract class Seq extends Collection {
  get javaName(): string {
    return 'clojure.lang.LazySeq';
  }
}

/** A seq whose first element is realised. Only the empty list has none. */
export abstract class Cell extends Seq {
  /** The first element, nil when empty. */
  abstract first(): unknown;
  /** What follows, realised no further: a seq, possibly lazy or empty; never null. */
  abstract rest(): Seq;
}

/** A realised, non-empty seq over an array that nobody writes any more. */
export class ArraySeq extends Cell {
  declare readonly elements: readonly unknown[];
  declare readonly offset: number;
  /** Whether `counted?` holds (language.md §6). */
  declare readonly counted: boolean;

  constructor(elements: readonly unknown[], offset: number, counted: boolean, meta: unknown) {
    super(meta);
    this.elements = elements;
    this.offset = offset;
    this.counted = counted;
  }

  get count(): number {
    return this.elements.length - this.offset;
  }

  first(): unknown {
    return this.elements[this.offset];
  }

  rest(): Seq {
    return this.offset + 1 < this.elements.length
      ? new ArraySeq(this.elements, this.offset + 1, this.counted, null)
      : this.counted
        ? EMPTY_LIST
        : EMPTY_SEQ;
  }

  withMeta(meta: unknown): Cell {
    return new ArraySeq(this.elements, this.offset, this.counted, meta);
  }
}

/** A non-empty seq of a vector too large to be one array. */
export class VectorSeq extends Cell {
  declare readonly vector: Vector;
  declare readonly offset: number;

  constructor(vector: Vector, offset: number, meta: unknown) {
    super(meta);
    this.vector = vector;
    this.offset = offset;
  }

  get count(): number {
    return this.vector.count - this.offset;
  }

  first(): unknown {
    return this.vector.at(this.offset);
  }

  rest(): Seq {
    return this.offset + 1 < this.vector.count ? new VectorSeq(this.vector, this.offset + 1, null) : EMPTY_LIST;
  }

  withMeta(meta: unknown): Cell {
    return new VectorSeq(this.vector, this.offset, meta);
  }
}

/** A non-empty seq over something whose elements are laid out only when more than emptiness is asked. */
export class DeferredSeq extends Cell {
  declare readonly source: { readonly count: number; toArray(): readonly unknown[] };
  #elements: readonly unknown[] | null = null;

  constructor(source: { readonly count: number; toArray(): readonly unknown[] }, meta: unknown) {
    super(meta);
    this.source = source;
  }

  get elements(): readonly unknown[] {
    this.#elements ??= this.source.toArray();
    return this.#elements;
  }

  first(): unknown {
    return this.elements[0];
  }

  rest(): Seq {
    return this.source.count > 1 ? new ArraySeq(this.elements, 1, false, null) : EMPTY_LIST;
  }

  withMeta(meta: unknown): Cell {
    return new DeferredSeq(this.source, meta);
  }
}

/** `(cons x s)`: one element before another seq, which may be lazy. */
export class Cons extends Cell {
  declare readonly head: unknown;
  declare readonly tail: Seq;

  constructor(head: unknown, tail: Seq, meta: unknown) {
    super(meta);
    this.head = head;
    this.tail = tail;
  }

  /** Whether elements may wait to be computed. */
  get isPending(): boolean {
    return true;
  }

  first(): unknown {
    return this.head;
  }

  rest(): Seq {
    return this.tail;
  }

  withMeta(meta: unknown): Cell {
    return new Cons(this.head, this.tail, meta);
  }
}

/** A list: `list?` holds, `conj`, `peek` and `pop` work at the front. */
export class List extends Cell {
  declare readonly head: unknown;
  declare readonly tail: List;
  declare readonly count: number;

  constructor(head: unknown, tail: List | null, count: number, meta: unknown) {
    super(meta);
    this.head = head;
    this.tail = tail ?? this;
    this.count = count;
  }

  first(): unknown {
    return this.head;
  }

  override get javaName(): string {
    return this.count === 0 ? 'clojure.lang.PersistentList$EmptyList' : 'clojure.lang.PersistentList';
  }

  /** The rest of a list; the empty list is its own rest. */
  rest(): List {
    return this.tail;
  }

  conj(value: unknown): List {
    return new List(value, this.count === 0 ? EMPTY_LIST : this, this.count + 1, this.meta);
  }

  withMeta(meta: unknown): List {
    return new List(this.head, this.count === 0 ? null : this.tail, this.count, meta);
  }
}

/** `()`; others that carry metadata exist, so test `count === 0`. */
export const EMPTY_LIST = new List(null, null, 0, null);

/** What lazy functions give for nothing: an empty seq that is no list and not counted (language.md §6). */
export class EmptySeq extends List {
  constructor(meta: unknown) {
    super(null, null, 0, meta);
  }

  override get javaName(): string {
    return 'clojure.lang.LazySeq';
  }

  /** Behind the end there is the empty list, as of any lazy seq. */
  override rest(): List {
    return EMPTY_LIST;
  }

  override withMeta(meta: unknown): List {
    return new EmptySeq(meta);
  }
}

export const EMPTY_SEQ = new EmptySeq(null);

/** Whether `list?` holds. */
export function isList(value: unknown): value is List {
  return value instanceof List && !(value instanceof EmptySeq);
}

/** A list of an array's elements. */
export function list(elements: readonly unknown[], meta: unknown = null): List {
  let made = EMPTY_LIST;
  for (let i = elements.length - 1; i >= 0; i--) made = new List(elements[i], made, made.count + 1, null);
  return meta === null ? made : made.withMeta(meta);
}

/** A realised seq that `counted?` denies: what `map`, `filter`, `keys` give. */
export function realised(elements: readonly unknown[]): Cell {
  return elements.length === 0 ? EMPTY_SEQ : new ArraySeq(elements, 0, false, null);
}

/** A realised seq that is counted: what `sort`, rest arguments, `take-last` of a vector give. */
export function countedSeq(elements: readonly unknown[]): Cell {
  return elements.length === 0 ? EMPTY_LIST : new ArraySeq(elements, 0, true, null);
}
