import { addAll, assoc, conj, containsKey, disj, dissoc } from '../collections.ts';
import { comparisonFor, compareValues } from '../comparison.ts';
import { badValue, castError, mismatch, nullError, wrongArgument } from '../errors.ts';
import { typeName } from '../classes.ts';
import { functionFacts } from '../functions.ts';
import { invoke, invoke1, invoke2 } from '../invoke.ts';
import { changeableKey, flexibleKey, get, getOr } from '../lookup.ts';
import { keepMeta } from '../metadata.ts';
import { printString } from '../print.ts';
import { seq, toArray, visit } from '../sequence.ts';
import { isTruthy } from '../truth.ts';
import { ArrayMap, EMPTY_MAP, indexOfKey } from '../values/array-map.ts';
import { Collection } from '../values/collection.ts';
import { isInteger } from '../values/double.ts';
import { EMPTY_HASH_MAP, HashMap } from '../values/hash-map.ts';
import { ABSENT, LispMap } from '../values/map.ts';
import { arrayMap, MapBuilder } from '../values/map-builder.ts';
import { realised } from '../values/seq.ts';
import { EMPTY_SET, setFrom } from '../values/set.ts';
import { type Ordering, SortedEntries } from '../values/sorted-entries.ts';
import { SortedMap } from '../values/sorted-map.ts';
import { SortedSet } from '../values/sorted-set.ts';
import { MapEntry, Vector, vector } from '../values/vector.ts';
import { fixed, type Row, variadic } from './row.ts';
import { visitEntries } from './seq-reduce.ts';

/** The natural order also refuses a single key that has none. */
const NATURAL: Ordering = { compare: compareComparable, comparator: null };

function compareComparable(a: unknown, b: unknown): number {
  if (a === b && a instanceof Collection && !(a instanceof Vector)) {
    throw castError(`Default comparator requires nil, Number, or Comparable: ${printString(a)}`);
  }
  return compareValues(a, b);
}

/** The order of a sorted collection; null is the natural one. */
export function orderingBy(comparator: unknown): Ordering {
  return comparator === null ? NATURAL : { compare: comparisonFor(comparator), comparator };
}

function requirePairs(args: readonly unknown[]): void {
  if (args.length % 2 === 1) throw badValue(`No value supplied for key: ${printString(args.at(-1))}`);
}

function sortedMap(ordering: Ordering, pairs: readonly unknown[]): SortedMap {
  requirePairs(pairs);
  let map = new SortedMap(SortedEntries.empty(ordering), null);
  for (let i = 0; i < pairs.length; i += 2) map = map.assoc(pairs[i], pairs[i + 1]);
  return map;
}

function sortedSet(ordering: Ordering, members: readonly unknown[]): SortedSet {
  let set = new SortedSet(SortedEntries.empty(ordering), null);
  for (const member of members) set = set.conj(member);
  return set;
}

function assocAll(args: readonly unknown[]): unknown {
  if (args.length % 2 === 0)
    throw badValue('assoc expects even number of arguments after map/vector, found odd number');
  let [collection] = args;
  for (let i = 1; i < args.length; i += 2) collection = assoc(collection, args[i], args[i + 1]);
  return collection;
}

/** The spelling under which a collection holds a key; a key that is not there is itself. */
function addressed(collection: unknown, key: unknown): unknown {
  if (!(collection instanceof LispMap)) return key;
  const stored = changeableKey(collection, key);
  return stored === ABSENT ? key : stored;
}

/** Replaces the value under a key, written under the stored spelling. */
function updateAt(operation: string, collection: unknown, key: unknown, change: (old: unknown) => unknown): unknown {
  if (collection instanceof ArrayMap) {
    const index = indexOfKey(collection.flat, key);
    if (index !== -1) return collection.withValueAt(index, change(collection.flat[index + 1]));
  }
  const stored = addressed(collection, key);
  return assoc(collection, stored, change(valueAt(collection, stored)), operation);
}

/** The value under a spelling; in a map under no other. */
function valueAt(collection: unknown, key: unknown): unknown {
  if (!(collection instanceof LispMap)) return get(collection, key);
  const found = collection.lookup(key);
  return found === ABSENT ? null : found;
}

function changeIn(
  operation: string,
  collection: unknown,
  path: readonly unknown[],
  at: number,
  change: (old: unknown) => unknown,
): unknown {
  const key = path[at] ?? null;
  if (at >= path.length - 1) return updateAt(operation, collection, key, change);
  if (collection instanceof ArrayMap) {
    const index = indexOfKey(collection.flat, key);
    if (index !== -1)
      return collection.withValueAt(index, changeIn(operation, collection.flat[index + 1], path, at + 1, change));
  }
  return updateAt(operation, collection, key, (old) => changeIn(operation, old, path, at + 1, change));
}

/** The keys of a path; those of a short vector are its one leaf. */
function pathOf(path: unknown): readonly unknown[] {
  if (!(path instanceof Vector) || path.count === 0) return toArray(path);
  const leaf = path.leafFor(0);
  return leaf.length === path.count ? leaf : path.toArray();
}

function updateIn(args: readonly unknown[]): unknown {
  const [collection, path, f, ...more] = args;
  return changeIn('update-in', collection, pathOf(path), 0, (old) => invoke(f, [old, ...more]));
}

function updateInBy(collection: unknown, path: unknown, f: unknown): unknown {
  return changeIn('update-in', collection, pathOf(path), 0, (old) => invoke1(f, old));
}

function assocIn(collection: unknown, path: unknown, value: unknown): unknown {
  return changeIn('assoc-in', collection, pathOf(path), 0, () => value);
}

/** `get-in` with a default distinguishes a missing step from a nil one. */
function getIn(collection: unknown, path: unknown, fallback: unknown): unknown {
  let at = collection;
  const missing = visit(path, (key) => {
    at = getOr(at, key, ABSENT);
    return at === ABSENT;
  });
  return missing ? fallback : at;
}

function find(collection: unknown, key: unknown, operation = 'find'): unknown {
  if (collection === null) return null;
  if (collection instanceof LispMap) {
    const stored = flexibleKey(collection, key);
    if (stored === ABSENT) return null;
    return new MapEntry(stored === collection.storedKey(key) ? stored : key, collection.lookup(stored));
  }
  if (collection instanceof Vector)
    return containsKey(collection, key) ? new MapEntry(key, get(collection, key)) : null;
  throw wrongArgument(operation, 1, 'a map or vector', collection);
}

/** `keys` and `vals`: of a map, or of a seq of entries. */
function entryPart(name: 'keys' | 'vals', collection: unknown): unknown {
  if (!(collection instanceof LispMap)) {
    const parts = toArray(collection).map((element) =>
      name === 'keys' ? entry(name, element).key : entry(name, element).value,
    );
    return parts.length === 0 ? null : realised(parts);
  }
  if (collection.count === 0) return null;
  const parts: unknown[] = [];
  collection.visit((key, value) => {
    parts.push(name === 'keys' ? key : value);
  });
  return realised(parts);
}

function entry(operation: string, value: unknown): MapEntry {
  if (value instanceof MapEntry) return value;
  if (value === null) throw nullError(`${operation}: nil is no map entry`);
  throw castError(`${operation}: ${typeName(value)} is no map entry`, { operation, given: typeName(value) });
}

function keyOf(value: unknown): unknown {
  return entry('key', value).key;
}

function valueOf(value: unknown): unknown {
  return entry('val', value).value;
}

function selectKeys(collection: unknown, keys: unknown): unknown {
  const selected = new MapBuilder();
  visit(keys, (key) => {
    const found = find(collection, key, 'select-keys');
    if (found instanceof MapEntry) selected.put(isInteger(key) ? found.key : key, found.value);
  });
  return keepMeta(selected.build(), collection);
}

function merge(maps: readonly unknown[]): unknown {
  if (!maps.some(isTruthy)) return null;
  let merged = maps[0];
  for (let i = 1; i < maps.length; i++) {
    const next = maps[i];
    merged = mergeTwo(merged === null || merged === false ? EMPTY_MAP : merged, next);
  }
  return merged;
}

function mergeTwo(target: unknown, added: unknown): unknown {
  return target instanceof LispMap && added instanceof LispMap ? addAll(target, added) : conj(target, added, 'merge');
}

function mergeWith(f: unknown, maps: readonly unknown[]): unknown {
  if (!maps.some(isTruthy)) return null;
  let merged: unknown = maps[0] ?? EMPTY_MAP;
  for (const map of maps.slice(1)) {
    visit(map, (pair) => {
      const { key, value } = entry('merge-with', pair);
      const known = merged instanceof LispMap ? merged.lookup(key) : getOr(merged, key, ABSENT);
      merged = assoc(merged, key, known === ABSENT ? value : invoke2(f, known, value), 'merge-with');
    });
  }
  return merged;
}

function updateKeys(map: unknown, f: unknown): unknown {
  const changed = new MapBuilder();
  visitPairs('update-keys', map, (key, value) => changed.put(invoke1(f, key), value));
  return keepMeta(changed.build(), map);
}

function updateVals(map: unknown, f: unknown): unknown {
  if (map instanceof Vector) return keepMeta(vector(map.toArray().map((value) => invoke1(f, value))), map);
  const start = map instanceof HashMap ? EMPTY_HASH_MAP : EMPTY_MAP;
  const flat: unknown[] = [];
  visitPairs('update-vals', map, (key, value) => flat.push(key, invoke1(f, value)));
  const changed = start === EMPTY_MAP && !(map instanceof SortedMap) ? arrayMap(flat) : fill(start, flat);
  return keepMeta(changed, map);
}

function fill(start: typeof EMPTY_MAP | HashMap, flat: readonly unknown[]): LispMap {
  const builder = new MapBuilder(start);
  for (let i = 0; i < flat.length; i += 2) builder.put(flat[i], flat[i + 1]);
  return builder.build();
}

function visitPairs(operation: string, map: unknown, step: (key: unknown, value: unknown) => unknown): void {
  const visitor = (key: unknown, value: unknown): void => {
    step(key, value);
  };
  if (map instanceof LispMap) map.visit(visitor);
  else if (map instanceof Vector) map.toArray().forEach((value, index) => visitor(index, value));
  else visitEntries(operation, map, visitor);
}

/** A test and the bound it is asked about. */
type Bound = readonly [test: unknown, bound: unknown];

/**
 * `subseq` and `rsubseq`, as the reference does them: from the element at the first bound on, as long as the elements
 * pass the test of the other. One bound alone is where to start if its test is one of `leading`.
 */
function subSeq(rising: boolean, collection: unknown, first: Bound, second: Bound | null): unknown {
  const name = rising ? 'subseq' : 'rsubseq';
  if (!(collection instanceof SortedMap || collection instanceof SortedSet)) {
    throw mismatch(collection, `${name}: argument 1 must be a sorted map or set, not ${typeName(collection)}`);
  }
  const { compare } = collection.ordering;
  const distance = (element: unknown, bound: unknown): number =>
    Math.sign(compare(collection instanceof SortedMap ? keyOf(element) : element, bound));
  const passes = (element: unknown, [test, bound]: Bound): boolean =>
    isTruthy(invoke2(test, distance(element, bound), 0));
  const elements = rising ? collection.toArray() : collection.toArray().toReversed();
  const leading = rising ? ['clojure.core/>', 'clojure.core/>='] : ['clojure.core/<', 'clojure.core/<='];
  const start =
    second !== null ? (rising ? first : second) : leading.includes(functionFacts(first[0])?.name ?? '') ? first : null;
  const last = second !== null ? (rising ? second : first) : start === null ? first : null;
  let from = start === null ? 0 : elements.findIndex((element) => distance(element, start[1]) * (rising ? 1 : -1) >= 0);
  if (from === -1) return null;
  if (start !== null && !passes(elements[from], start)) from += 1;
  if (last === null) return seq(realised(elements.slice(from)));
  const end = elements.findIndex((element, index) => index >= from && !passes(element, last));
  return realised(elements.slice(from, end === -1 ? elements.length : end));
}

function subSeqRow(rising: boolean, doc: string): Row {
  return fixed(
    rising ? 'subseq' : 'rsubseq',
    'sc test key|sc start-test start-key end-test end-key',
    doc,
    (collection: unknown, test: unknown, bound: unknown) => subSeq(rising, collection, [test, bound], null),
    (collection: unknown, test: unknown, bound: unknown, test2: unknown, bound2: unknown) =>
      subSeq(rising, collection, [test, bound], [test2, bound2]),
  );
}

export function maps(): readonly Row[] {
  return [
    variadic('hash-map', '|& keyvals', 'A map of keys and values in hash order.', 0, (args) => {
      requirePairs(args);
      return args.length === 0 ? EMPTY_MAP : HashMap.fromFlat(args, null);
    }),
    variadic('array-map', '|& keyvals', 'A map of keys and values in the order given.', 0, (args) => {
      requirePairs(args);
      return arrayMap(args);
    }),
    variadic('hash-set', '|& keys', 'A set of the arguments.', 0, (args) =>
      args.length === 0 ? EMPTY_SET : setFrom(args),
    ),
    variadic('sorted-map', '& keyvals', 'A map of keys and values in the order of the keys.', 0, (args) =>
      sortedMap(NATURAL, args),
    ),
    variadic(
      'sorted-map-by',
      'comparator & keyvals',
      'A map of keys and values in the order of a comparator.',
      1,
      (args) => sortedMap(orderingBy(args[0]), args.slice(1)),
    ),
    variadic('sorted-set', '& keys', 'A set of the arguments in their order.', 0, (args) => sortedSet(NATURAL, args)),
    variadic('sorted-set-by', 'comparator & keys', 'A set of the arguments in the order of a comparator.', 1, (args) =>
      sortedSet(orderingBy(args[0]), args.slice(1)),
    ),
    fixed('get', 'map key|map key not-found', 'The value under a key, or a default.', get, getOr),
    fixed(
      'get-in',
      'm ks|m ks not-found',
      'The value at the end of a path of keys, or a default.',
      (collection: unknown, path: unknown) => getIn(collection, path, null),
      getIn,
    ),
    fixed('find', 'map key', 'The entry under a key, or nil.', find),
    fixed(
      'contains?',
      'coll key',
      'Whether a map has a key, a set a member, a vector or string an index.',
      containsKey,
    ),
    fixed('keys', 'map', 'The keys of a map, nil when there are none.', (map: unknown) => entryPart('keys', map)),
    fixed('vals', 'map', 'The values of a map, nil when there are none.', (map: unknown) => entryPart('vals', map)),
    fixed('key', 'e', 'The key of a map entry.', keyOf),
    fixed('val', 'e', 'The value of a map entry.', valueOf),
    variadic(
      'assoc',
      'map key val|map key val & kvs',
      'The map or vector with values put under keys.',
      3,
      assocAll,
      assoc,
    ),
    fixed('assoc-in', '([m [k & ks] v])', 'The collection with a value put at the end of a path of keys.', assocIn),
    variadic(
      'update',
      'm k f|m k f x|m k f x y|m k f x y z|m k f x y z & more',
      'The collection with the value under a key replaced by what a function gives for it.',
      3,
      (args) => updateAt('update', args[0], args[1], (old) => invoke(args[2], [old, ...args.slice(3)])),
      (collection: unknown, key: unknown, f: unknown) => updateAt('update', collection, key, (old) => invoke1(f, old)),
      (collection: unknown, key: unknown, f: unknown, x: unknown) =>
        updateAt('update', collection, key, (old) => invoke2(f, old, x)),
    ),
    variadic('update-in', 'm ks f & args', 'As update, at the end of a path of keys.', 3, updateIn, updateInBy),
    variadic(
      'dissoc',
      'map|map key|map key & ks',
      'The map without keys.',
      1,
      (args) => args.slice(1).reduce(dissoc, args[0]),
      (map: unknown) => map,
      dissoc,
    ),
    fixed('select-keys', 'map keyseq', 'The map of the keys asked for.', selectKeys),
    variadic('merge', '& maps', 'The entries of all maps, later ones first.', 0, merge),
    variadic('merge-with', 'f & maps', 'The entries of all maps, a function joining values under one key.', 1, (args) =>
      mergeWith(args[0], args.slice(1)),
    ),
    fixed('update-keys', 'm f', 'The map with each key replaced by what a function gives for it.', updateKeys),
    fixed('update-vals', 'm f', 'The map with each value replaced by what a function gives for it.', updateVals),
    variadic(
      'disj',
      'set|set key|set key & ks',
      'The set without members.',
      1,
      (args) => args.slice(1).reduce(disj, args[0]),
      (set: unknown) => set,
      disj,
    ),
    subSeqRow(true, 'The entries of a sorted collection whose keys pass one or two tests.'),
    subSeqRow(false, 'As subseq, in reverse.'),
  ];
}
