import { typeName } from '../classes.ts';
import { ArrayMap } from '../values/array-map.ts';
import type { Collection } from '../values/collection.ts';
import { Eduction } from '../values/eduction.ts';
import { HashMap } from '../values/hash-map.ts';
import { LazySeq } from '../values/lazy-seq.ts';
import { LispMap } from '../values/map.ts';
import { Range } from '../values/range.ts';
import { Queue } from '../values/queue.ts';
import { LispRecord } from '../values/record.ts';
import { ArraySeq, Cons, DeferredSeq, EmptySeq, List, type Seq, VectorSeq } from '../values/seq.ts';
import { HashSet, LispSet } from '../values/set.ts';
import { SortedMap } from '../values/sorted-map.ts';
import { SortedSet } from '../values/sorted-set.ts';
import { MapEntry, Vector } from '../values/vector.ts';
import { type Encoding, refuse } from './encoding.ts';
import { TAGS } from './tags.ts';

export function encodeCollection(encoding: Encoding, value: Collection): void {
  const { meta } = value;
  const empty = meta === null ? emptyText(value) : null;
  if (empty !== null) {
    encoding.write(empty);
    return;
  }
  if (encoding.stands(value)) return;
  if (meta !== null) encoding.write(TAGS.metadata);
  if (value instanceof ArrayMap) writeCounted(encoding, TAGS.arrayMap, { count: value.count, parts: value.flat, meta });
  else if (value instanceof Vector)
    writeCounted(encoding, value instanceof MapEntry ? TAGS.entry : TAGS.vector, {
      count: value.count,
      parts: value.toArray(),
      meta,
    });
  else if (value instanceof LispRecord) {
    const { type, values, extra } = value;
    encoding.write(`${TAGS.record}${values.length}:`);
    encoding.next([type, extra, ...values], meta);
  } else if (value instanceof Queue)
    writeCounted(encoding, TAGS.queue, { count: value.count, parts: value.toArray(), meta });
  else if (value instanceof LazySeq) {
    encoding.later(TAGS.lazySeq, value);
    if (meta !== null) encoding.next([meta]);
  } else if (value instanceof LispMap) encodeMap(encoding, value);
  else if (value instanceof LispSet) encodeSet(encoding, value);
  else if (value instanceof Eduction) {
    encoding.write(TAGS.eduction);
    encoding.next([value.transducer, value.source], meta);
  } else encodeSeq(encoding, value);
}

/** Empty collections without metadata are one object of their kind, so they have no number. */
function emptyText(value: Collection): string | null {
  if (value instanceof Vector) return value.count === 0 ? `${TAGS.vector}0:` : null;
  if (value instanceof ArrayMap) return value.count === 0 ? `${TAGS.arrayMap}0:` : null;
  if (value instanceof HashMap) return value.count === 0 ? `${TAGS.hashMap}0:` : null;
  if (value instanceof HashSet) return value.count === 0 ? `${TAGS.hashSet}0:` : null;
  if (value instanceof EmptySeq) return TAGS.emptySeq;
  if (value instanceof Queue) return value.count === 0 ? `${TAGS.queue}0:` : null;
  return value instanceof List && value.count === 0 ? `${TAGS.list}0:` : null;
}

interface Counted {
  readonly count: number;
  readonly parts: readonly unknown[];
  readonly meta: unknown;
}

function writeCounted(encoding: Encoding, tag: string, { count, parts, meta }: Counted): void {
  encoding.refuseCount(count);
  encoding.write(`${tag}${count}:`);
  encoding.next(parts, meta);
}

function encodeMap(encoding: Encoding, value: LispMap): void {
  const { count, meta } = value;
  encoding.refuseCount(count);
  const parts: unknown[] = value instanceof SortedMap ? [value.ordering.comparator] : [];
  value.visit((key, element) => {
    parts.push(key, element);
  });
  writeCounted(encoding, value instanceof SortedMap ? TAGS.sortedMap : TAGS.hashMap, { count, parts, meta });
}

function encodeSet(encoding: Encoding, value: LispSet): void {
  const { count, meta } = value;
  encoding.refuseCount(count);
  const isSorted = value instanceof SortedSet;
  const parts = isSorted ? [value.ordering.comparator, ...value.toArray()] : value.toArray();
  writeCounted(encoding, isSorted ? TAGS.sortedSet : TAGS.hashSet, { count, parts, meta });
}

function encodeSeq(encoding: Encoding, value: Collection): void {
  const { meta } = value;
  if (value instanceof Cons) encodeConses(encoding, value);
  else if (value instanceof List) encodeList(encoding, value);
  else if (value instanceof ArraySeq) {
    const { elements, offset, count } = value;
    writeCounted(encoding, value.counted ? TAGS.counted : TAGS.realised, {
      count,
      parts: offset === 0 ? elements : elements.slice(offset),
      meta,
    });
  } else if (value instanceof VectorSeq) {
    encoding.write(`${TAGS.vectorSeq}${value.offset},`);
    encoding.next([value.vector], meta);
  } else if (value instanceof DeferredSeq) {
    encoding.write(TAGS.deferredSeq);
    encoding.next([value.source], meta);
  } else {
    if (value instanceof EmptySeq) encoding.write(TAGS.emptySeq);
    else if (value instanceof Range)
      encoding.write(`${TAGS.range}${value.start},${value.step},${value.count},${value.lazy ? 1 : 0},`);
    else refuse(typeName(value));
    if (meta !== null) encoding.next([meta]);
  }
}

/** A list that is in no text yet: its cells up to one that does or has metadata, each with a number of its own. */
function encodeList(encoding: Encoding, value: List): void {
  if (value.count === 0) {
    encoding.write(`${TAGS.list}0:`);
    encoding.next([], value.meta);
    return;
  }
  const heads: unknown[] = [value.head];
  let at = value.tail;
  while (at.count > 0 && at.meta === null && encoding.takes(at)) {
    encoding.refuseCount(heads.length);
    heads.push(at.head);
    at = at.tail;
  }
  const isWhole = at.count === 0 && at.meta === null && !(at instanceof EmptySeq);
  encoding.write(`${isWhole ? TAGS.list : TAGS.listOnto}${heads.length}:`);
  if (!isWhole) heads.push(at);
  encoding.next(heads, value.meta);
}

function encodeConses(encoding: Encoding, value: Cons): void {
  const heads: unknown[] = [value.head];
  let at: Seq = value.tail;
  while (at instanceof Cons && at.meta === null && encoding.takes(at)) {
    encoding.refuseCount(heads.length);
    heads.push(at.head);
    at = at.tail;
  }
  encoding.write(`${TAGS.conses}${heads.length}:`);
  heads.push(at);
  encoding.next(heads, value.meta);
}
