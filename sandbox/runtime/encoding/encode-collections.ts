import { typeName } from '../classes.ts';
import { ArrayMap } from '../values/array-map.ts';
import type { Collection } from '../values/collection.ts';
import { Eduction } from '../values/eduction.ts';
import { HashMap } from '../values/hash-map.ts';
import { LazySeq } from '../values/lazy-seq.ts';
import { LispMap } from '../values/map.ts';
import { Range } from '../values/range.ts';
import { ArraySeq, Cons, DeferredSeq, EmptySeq, List, type Seq, VectorSeq } from '../values/seq.ts';
import { HashSet, LispSet } from '../values/set.ts';
import { SortedMap } from '../values/sorted-map.ts';
import { SortedSet } from '../values/sorted-set.ts';
import { MapEntry, Vector } from '../values/vector.ts';
import { type Encoding, refuse } from './encoding.ts';
import { TAGS } from './tags.ts';

export function encodeCollection(encoding: Encoding, value: Collection): void {
  const empty = value.meta === null ? emptyText(value) : null;
  if (empty !== null) {
    encoding.write(empty);
    return;
  }
  if (encoding.stands(value)) return;
  if (value.meta !== null) encoding.write(TAGS.metadata);
  if (value instanceof ArrayMap) counted(encoding, TAGS.arrayMap, value.count, value.flat);
  else if (value instanceof Vector) counted(encoding, value instanceof MapEntry ? TAGS.entry : TAGS.vector, value.count, value.toArray());
  else if (value instanceof LispMap) encodeMap(encoding, value);
  else if (value instanceof LispSet) encodeSet(encoding, value);
  else if (value instanceof LazySeq) encoding.later(TAGS.lazySeq, value);
  else if (value instanceof Eduction) {
    encoding.write(TAGS.eduction);
    encoding.next([value.transducer, value.source]);
  } else encodeSeq(encoding, value);
  if (value.meta !== null) encoding.next([value.meta]);
}

/** Empty collections without metadata are one object of their kind, so they have no number. */
function emptyText(value: Collection): string | null {
  if (value instanceof EmptySeq) return TAGS.emptySeq;
  if (!(value instanceof Vector || value instanceof ArrayMap || value instanceof HashMap || value instanceof HashSet || value instanceof List)) return null;
  if (value.count > 0) return null;
  if (value instanceof Vector) return `${TAGS.vector}0:`;
  if (value instanceof ArrayMap) return `${TAGS.arrayMap}0:`;
  if (value instanceof HashMap) return `${TAGS.hashMap}0:`;
  return value instanceof HashSet ? `${TAGS.hashSet}0:` : `${TAGS.list}0:`;
}

function counted(encoding: Encoding, tag: string, count: number, children: readonly unknown[]): void {
  encoding.refuseCount(count);
  encoding.write(`${tag}${count}:`);
  encoding.next(children);
}

function encodeMap(encoding: Encoding, value: LispMap): void {
  encoding.refuseCount(value.count);
  const flat: unknown[] = [];
  value.visit((key, held) => {
    flat.push(key, held);
  });
  counted(encoding, value instanceof SortedMap ? TAGS.sortedMap : TAGS.hashMap, value.count, flat);
  if (value instanceof SortedMap) encoding.next([value.ordering.comparator]);
}

function encodeSet(encoding: Encoding, value: LispSet): void {
  counted(encoding, value instanceof SortedSet ? TAGS.sortedSet : TAGS.hashSet, value.count, value.toArray());
  if (value instanceof SortedSet) encoding.next([value.ordering.comparator]);
}

function encodeSeq(encoding: Encoding, value: Collection): void {
  if (value instanceof EmptySeq) encoding.write(TAGS.emptySeq);
  else if (value instanceof List) encodeList(encoding, value);
  else if (value instanceof ArraySeq) {
    const { elements, offset, count } = value;
    counted(encoding, value.counted ? TAGS.counted : TAGS.realised, count, offset === 0 ? elements : elements.slice(offset));
  } else if (value instanceof Cons) encodeConses(encoding, value);
  else if (value instanceof Range) encoding.write(`${TAGS.range}${value.start},${value.step},${value.count},${value.lazy ? 1 : 0},`);
  else if (value instanceof VectorSeq) {
    encoding.write(`${TAGS.vectorSeq}${value.offset},`);
    encoding.next([value.vector]);
  } else if (value instanceof DeferredSeq) {
    encoding.write(TAGS.deferredSeq);
    encoding.next([value.source]);
  } else refuse(typeName(value));
}

/** A list that stands nowhere yet: its cells up to one that does or has metadata, each with a number of its own. */
function encodeList(encoding: Encoding, value: List): void {
  if (value.count === 0) {
    encoding.write(`${TAGS.list}0:`);
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
  encoding.next(heads);
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
  encoding.next(heads);
}
