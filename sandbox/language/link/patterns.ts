import { badValue } from '../../runtime/errors.ts';
import { printString } from '../../runtime/print.ts';
import { toArray } from '../../runtime/sequence.ts';
import { LispMap } from '../../runtime/values/map.ts';
import { arrayMap } from '../../runtime/values/map-builder.ts';
import { Seq } from '../../runtime/values/seq.ts';
import { conjMap } from '../../runtime/collections.ts';

/** The source of a map pattern: a seq of pairs, or one that ends in a map, becomes a map. */
export function patternMap(source: unknown): unknown {
  if (!(source instanceof Seq)) return source;
  const flat = toArray(source);
  // As the reference has it, a single element is the source itself, whatever it is.
  if (flat.length === 1) return flat[0];
  if (flat.length % 2 === 0) return arrayMap(flat);
  const last = flat.at(-1);
  return last instanceof LispMap ? conjMap(arrayMap(flat.slice(0, -1)), last) : failOddPairs(last);
}

function failOddPairs(key: unknown): never {
  throw badValue(`No value supplied for key: ${printString(key)}`);
}
