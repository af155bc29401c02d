import { refuseEndless } from './endless.ts';
import { notSeqable, outOfBounds, stringOutOfBounds, unsupported, memoryExceeded } from './errors.ts';
import { refuseWide, toIndex } from './numbers/index-number.ts';
import { char } from './values/char.ts';
import { SEQUENCE_LIMIT } from './values/collection.ts';
import { Eduction } from './values/eduction.ts';
import { LazySeq, release } from './values/lazy-seq.ts';
import { ABSENT, LispMap } from './values/map.ts';
import { Range } from './values/range.ts';
import { Queue } from './values/queue.ts';
import {
  ArraySeq,
  Cell,
  Cons,
  DeferredSeq,
  EMPTY_LIST,
  isList,
  List,
  realised,
  type Seq,
  VectorSeq,
} from './values/seq.ts';
import { LispSet } from './values/set.ts';
import { Vector } from './values/vector.ts';
import { ArrayMap } from './values/array-map.ts';
import { SortedMap } from './values/sorted-map.ts';
import { Transient } from './values/transient.ts';

/** Chars of a string, one per UTF-16 unit. */
export function charsOf(text: string): unknown[] {
  const all: unknown[] = [];
  for (let i = 0; i < text.length; i++) all.push(char(text.charCodeAt(i)));
  return all;
}

/** `seq`: the non-empty seq of anything seqable, or null. Anything else is TE/I. */
export function seq(value: unknown): Cell | null {
  if (value instanceof Cell) return value === EMPTY_LIST || (value instanceof List && value.count === 0) ? null : value;
  if (value === null) return null;
  if (value instanceof Vector) {
    if (value.count === 0) return null;
    return value.count === value.tail.length ? new ArraySeq(value.tail, 0, true, null) : new VectorSeq(value, 0, null);
  }
  if (value instanceof LazySeq) return value.force(seq);
  if (value instanceof LispMap) {
    if (value.count === 0) return null;
    if (value instanceof ArrayMap || value instanceof SortedMap) return new ArraySeq(value.toArray(), 0, true, null);
    return new DeferredSeq(value, null);
  }
  if (value instanceof LispSet) return value.count === 0 ? null : new DeferredSeq(value, null);
  if (typeof value === 'string') return value.length === 0 ? null : new ArraySeq(charsOf(value), 0, true, null);
  if (value instanceof Eduction) return seq(isLazySource(value.source) ? value.lazily() : realised(value.realise()));
  if (value instanceof Queue) return value.count === 0 ? null : realised(value.toArray());
  throw notSeqable(value);
}

/** `first`: nil when there is nothing. */
export function first(value: unknown): unknown {
  if (value instanceof Cell) return value.first();
  if (value instanceof Vector) return value.count === 0 ? null : value.at(0);
  if (value instanceof LispMap || value instanceof LispSet) return firstMember(value);
  const cells = seq(value);
  return cells === null ? null : cells.first();
}

function firstMember(collection: LispMap | LispSet): unknown {
  const found: { member: unknown } = { member: null };
  const keep = (member: unknown): boolean => {
    found.member = member;
    return true;
  };
  if (collection instanceof LispMap) collection.visitEntries(keep);
  else collection.visit(keep);
  return found.member;
}

/** `rest`: never nil; the next element is not computed. */
export function rest(value: unknown): Seq {
  if (value instanceof Cell) return value.rest();
  const cells = seq(value);
  return cells === null ? EMPTY_LIST : cells.rest();
}

/** `next`: the non-empty rest, or null. */
export function next(value: unknown): Cell | null {
  return seq(rest(value));
}

/** Whether a sequence function over this must wait to be asked (language.md §6). */
export function isLazySource(value: unknown): boolean {
  let at = value;
  while (at instanceof Cons || at instanceof Eduction) at = at instanceof Cons ? at.tail : at.source;
  return at instanceof LazySeq || (at instanceof Range && at.lazy);
}

/**
 * Visits the elements of anything seqable in order until the visitor returns true; answers whether it did.
 * Holds no reference to the start of a lazy seq while it walks, and lets go of one that it owns.
 */
export function visit(collection: unknown, visitor: (element: unknown) => unknown): boolean {
  let at: unknown = collection;
  for (let steps = 0; ; steps++) {
    if (at === null) return false;
    if (at instanceof Vector) return visitVector(at, 0, visitor);
    if (at instanceof ArraySeq) return visitArray(at.elements, at.offset, visitor);
    if (at instanceof VectorSeq) return visitVector(at.vector, at.offset, visitor);
    if (at instanceof Range) return visitRange(at, visitor);
    if (at instanceof LispMap) return at.visitEntries(visitor);
    if (at instanceof LispSet) return at.visit(visitor);
    if (at instanceof DeferredSeq) return visitArray(at.elements, 0, visitor);
    if (typeof at === 'string') return visitUnits(at, visitor);
    if (at instanceof Eduction) return at.visit(visitor);
    const cells: Cell | null = seq(at);
    if (cells === null) return false;
    if (at instanceof LazySeq) at.release();
    if (visitor(cells.first()) === true) return true;
    at = cells.rest();
  }
}

function visitArray(elements: readonly unknown[], from: number, visitor: (element: unknown) => unknown): boolean {
  const length = elements.length;
  for (let i = from; i < length; i++) if (visitor(elements[i]) === true) return true;
  return false;
}

function visitVector(vector: Vector, from: number, visitor: (element: unknown) => unknown): boolean {
  const { count } = vector;
  let i = from;
  while (i < count) {
    const leaf = vector.leafFor(i);
    const base = i - (i & 31);
    for (let j = i & 31; j < leaf.length; j++) if (visitor(leaf[j]) === true) return true;
    i = base + 32;
  }
  return false;
}

function visitRange(range: Range, visitor: (element: unknown) => unknown): boolean {
  const { count, step } = range;
  for (let i = 0, x = range.start; i < count; i++, x += step) if (visitor(x) === true) return true;
  return false;
}

function visitUnits(text: string, visitor: (element: unknown) => unknown): boolean {
  for (let i = 0; i < text.length; i++) if (visitor(char(text.charCodeAt(i))) === true) return true;
  return false;
}

/** All elements of anything seqable. May be the collection's own array: never write to it. */
export function toArray(collection: unknown): readonly unknown[] {
  if (collection instanceof Vector) return collection.toArray();
  if (collection instanceof ArraySeq) {
    return collection.offset === 0 ? collection.elements : collection.elements.slice(collection.offset);
  }
  if (collection === null) return [];
  if (collection instanceof Range) {
    refuseLength(collection.count);
    return collection.toArray();
  }
  if (collection instanceof LispMap || collection instanceof LispSet) return collection.toArray();
  if (typeof collection === 'string') return charsOf(collection);
  refuseEndless(collection);
  const all: unknown[] = [];
  visit(collection, (element) => {
    if (all.push(element) > SEQUENCE_LIMIT) refuseLength(all.length);
  });
  return all;
}

/** Refuses a result of more elements than language.md §20 allows. */
export function refuseLength(length: number): void {
  if (length > SEQUENCE_LIMIT) throw memoryExceeded('a sequence');
}

/** `count`: UTF-16 units of a string; scalars TE/U. */
export function count(value: unknown): number {
  if (value instanceof Vector || value instanceof LispMap || value instanceof LispSet) return value.count;
  if (value === null) return 0;
  if (typeof value === 'string') return value.length;
  if (value instanceof Transient || value instanceof Queue) return value.count;
  let total = 0;
  let at: unknown = value;
  if (at instanceof Eduction || !(at instanceof Cell || at instanceof LazySeq)) throw unsupported('count', value);
  refuseEndless(value);
  for (;;) {
    const known = knownCount(at);
    if (known !== null) return total + known;
    const cells: Cell | null = seq(at);
    if (cells === null) return total;
    release(at);
    total++;
    refuseLength(total);
    at = cells.rest();
  }
}

/** The count of a seq that knows it without walking, else null. */
function knownCount(value: unknown): number | null {
  if (value instanceof ArraySeq || value instanceof List || value instanceof Range || value instanceof VectorSeq) {
    return value.count;
  }
  return value instanceof DeferredSeq ? value.source.count : null;
}

/** Whether `counted?` holds. */
export function isCounted(value: unknown): boolean {
  if (value instanceof ArraySeq) return value.counted;
  return (
    value instanceof Vector ||
    value instanceof LispMap ||
    value instanceof LispSet ||
    isList(value) ||
    value instanceof Range ||
    value instanceof VectorSeq ||
    value instanceof Queue
  );
}

/** What `nth` answers for a missing element when no default was given: nothing but an error. */
const NO_DEFAULT: unique symbol = Symbol('no default');

/** `(nth coll i)`: out of range IX. */
export function nth(collection: unknown, index: unknown): unknown {
  if (collection instanceof Vector && typeof index === 'number') {
    const i = Math.trunc(index);
    if (i >= 0 && i < collection.count) return collection.at(i);
  }
  return nthOr(collection, index, NO_DEFAULT);
}

/** `(nth coll i default)`. */
export function nthOr(collection: unknown, index: unknown, fallback: unknown): unknown {
  const i = toIndex('nth', 2, index);
  if (collection instanceof Vector) {
    return i >= 0 && i < collection.count ? collection.at(i) : missing(fallback, i, collection.count);
  }
  if (collection === null) return fallback === NO_DEFAULT ? null : fallback;
  if (typeof collection === 'string') {
    if (i >= 0 && i < collection.length) return char(collection.charCodeAt(i));
    if (fallback === NO_DEFAULT) refuseWide(i);
    if (fallback === NO_DEFAULT)
      throw stringOutOfBounds(`Index ${i} out of bounds for length ${collection.length}`, {
        index: i,
        length: collection.length,
      });
    return fallback;
  }
  if (collection instanceof Transient && collection.source.kind === 'vector') {
    const found = collection.lookup(i);
    return found === ABSENT ? missing(fallback, i, null) : found;
  }
  if (
    !(
      collection instanceof Cell ||
      collection instanceof LazySeq ||
      collection instanceof Eduction ||
      collection instanceof Queue
    )
  ) {
    throw unsupported('nth', collection);
  }
  return nthInSeq(collection, i, fallback);
}

function nthInSeq(collection: unknown, index: number, fallback: unknown): unknown {
  if (index < 0) return missing(fallback, index, null);
  let at = collection;
  for (let left = index; ; left--) {
    if (at instanceof ArraySeq) {
      return left < at.count ? at.elements[at.offset + left] : missing(fallback, index, index - left + at.count);
    }
    if (at instanceof Range) return left < at.count ? at.at(left) : missing(fallback, index, index - left + at.count);
    if (at instanceof VectorSeq)
      return left < at.count ? at.vector.at(at.offset + left) : missing(fallback, index, index - left + at.count);
    const cells: Cell | null = seq(at);
    if (cells === null) return missing(fallback, index, index - left);
    release(at);
    if (left === 0) return cells.first();
    at = cells.rest();
  }
}

/** `length`: null where it is not known. */
function missing(fallback: unknown, index: number, length: number | null): unknown {
  if (fallback !== NO_DEFAULT) return fallback;
  refuseWide(index);
  throw outOfBounds(null, length === null ? { index } : { index, length });
}

/** Elements of a function's last argument in `apply`: as many as asked for, a lazy rest unread. */
export function takeArray(collection: unknown, limit: number): readonly unknown[] {
  if (!isLazySource(collection)) return toArray(collection);
  const prefix: unknown[] = [];
  visit(collection, (element) => prefix.push(element) >= limit);
  return prefix;
}

/** `(cons x coll)`. */
export function cons(head: unknown, tail: unknown): Cell {
  if (tail === null) return new List(head, EMPTY_LIST, 1, null);
  if (tail instanceof Cell || tail instanceof LazySeq) return new Cons(head, tail, null);
  return new Cons(head, seq(tail) ?? EMPTY_LIST, null);
}
