import { containsKey } from '../../runtime/collections.ts';
import { equals } from '../../runtime/equality.ts';
import { count, toArray, visit } from '../../runtime/sequence.ts';
import { Collection } from '../../runtime/values/collection.ts';
import { integer } from '../../runtime/values/double.ts';
import { Eduction } from '../../runtime/values/eduction.ts';
import { ABSENT, LispMap } from '../../runtime/values/map.ts';
import { LispSet } from '../../runtime/values/set.ts';
import { Vector } from '../../runtime/values/vector.ts';
import { domainFault, indexOf, type Method } from './member.ts';

const isMap = (value: unknown): value is LispMap => value instanceof LispMap;
const isVector = (value: unknown): value is Vector => value instanceof Vector;
/** Vectors, lists and seqs: what is a java.util.List. */
const isList = (value: unknown): value is Collection =>
  value instanceof Collection && !(value instanceof LispMap || value instanceof LispSet || value instanceof Eduction);
const isCollection = (value: unknown): value is Collection =>
  value instanceof Collection && !(value instanceof Eduction);

function method<T>(
  name: string,
  argumentCount: number,
  takes: (receiver: unknown) => receiver is T,
  body: (receiver: T, args: readonly unknown[]) => unknown,
): readonly [string, Method] {
  const call = ([receiver, ...args]: readonly unknown[]): unknown => (takes(receiver) ? body(receiver, args) : null);
  return [name, { counts: [argumentCount + 1], takes, call }];
}

/** The value under exactly this key; Java's maps know no other spelling of it. */
function valueUnder(map: LispMap, key: unknown, fallback: unknown): unknown {
  const found = map.lookup(key);
  return found === ABSENT ? fallback : found;
}

function elementAt(vector: Vector, index: unknown): unknown {
  const at = indexOf('.get', index);
  if (at >= 0 && at < vector.count) return vector.at(at);
  throw domainFault('java.lang.IndexOutOfBoundsException', `Index ${at} out of bounds for length ${vector.count}`);
}

function indexIn(list: Collection, wanted: unknown, last: boolean): number {
  const elements = toArray(list);
  const matches = (element: unknown): boolean => equals(element, wanted);
  return last ? elements.findLastIndex(matches) : elements.findIndex(matches);
}

/** Methods of collections (functions.md §18): exact keys. */
export const COLLECTION_METHODS: readonly (readonly [string, Method])[] = [
  method('size', 0, isCollection, (collection) => integer(BigInt(count(collection)))),
  method('isEmpty', 0, isCollection, (collection) => !visit(collection, () => true)),
  method('get', 1, isMap, (map, [key = null]) => valueUnder(map, key, null)),
  method('get', 1, isVector, (vector, [index = null]) => elementAt(vector, index)),
  method('getOrDefault', 2, isMap, (map, [key = null, fallback = null]) => valueUnder(map, key, fallback)),
  method('containsKey', 1, isMap, (map, [key = null]) => map.lookup(key) !== ABSENT),
  method(
    'contains',
    1,
    (value): value is LispSet => value instanceof LispSet,
    (set, [member = null]) => containsKey(set, member),
  ),
  method('contains', 1, isList, (list, [element = null]) => indexIn(list, element, false) >= 0),
  method('indexOf', 1, isList, (list, [element = null]) => indexIn(list, element, false)),
  method('lastIndexOf', 1, isList, (list, [element = null]) => indexIn(list, element, true)),
];
