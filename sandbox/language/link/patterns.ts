import { badValue, unsupported } from '../../runtime/errors.ts';
import { printString } from '../../runtime/print.ts';
import { seq, toArray } from '../../runtime/sequence.ts';
import { LispMap, ABSENT } from '../../runtime/values/map.ts';
import { arrayMap } from '../../runtime/values/map-builder.ts';
import { Seq } from '../../runtime/values/seq.ts';
import { LispSet } from '../../runtime/values/set.ts';
import { conjMap } from '../../runtime/collections.ts';

/** The source of a vector pattern with a rest, walked as a seq; maps and sets are TE/U (language.md §9). */
export function patternSeq(source: unknown): unknown {
  if (source instanceof LispMap || source instanceof LispSet) throw unsupported('nth', source);
  return seq(source);
}

/** The source of a map pattern: a seq of pairs, or one that ends in a map, becomes a map. */
export function patternMap(source: unknown): unknown {
  if (!(source instanceof Seq)) return source;
  const flat = toArray(source);
  // As the reference has it, a single element is the source itself, whatever it is.
  if (flat.length === 1) return flat[0];
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

