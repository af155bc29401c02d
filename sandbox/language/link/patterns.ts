import { badValue, unsupported } from '../../runtime/errors.ts';
import { printString } from '../../runtime/print.ts';
import { seq, toArray } from '../../runtime/sequence.ts';
import { LispMap, ABSENT } from '../../runtime/values/map.ts';
import { arrayMap } from '../../runtime/values/map-builder.ts';
import { Seq } from '../../runtime/values/seq.ts';
import { LispSet } from '../../runtime/values/set.ts';
import { Vector } from '../../runtime/values/vector.ts';
import { conjMap } from '../../runtime/collections.ts';

/** The source of a vector pattern: anything `nth` takes; maps, sets and scalars are TE/U (language.md §9). */
export function patternSource(source: unknown): unknown {
  if (source === null || typeof source === 'string' || source instanceof Vector || source instanceof Seq) return source;
  throw unsupported('nth', source);
}

/** The same source walked as a seq, for patterns with a rest. */
export function patternSeq(source: unknown): unknown {
  if (source instanceof LispMap || source instanceof LispSet) throw unsupported('nth', source);
  return seq(source);
}

/** The source of a map pattern: a seq of pairs, or one that ends in a map, becomes a map. */
export function patternMap(source: unknown): unknown {
  if (!(source instanceof Seq)) return source;
  const flat = toArray(source);
  if (flat.length === 1) return flat[0] instanceof LispMap ? flat[0] : oddPairs(flat[0]);
  if (flat.length % 2 === 0) return arrayMap(flat);
  const last = flat.at(-1);
  return last instanceof LispMap ? conjMap(arrayMap(flat.slice(0, -1)), last) : oddPairs(last);
}

function oddPairs(key: unknown): never {
  throw badValue(`No value supplied for key: ${printString(key)}`);
}

export function absent(): symbol {
  return ABSENT;
}

export function isAbsent(value: unknown): boolean {
  return value === ABSENT;
}

