import { refuseEndless } from './endless.ts';
import { badState, badValue, castError, mismatch, nullError, wrongArgument } from './errors.ts';
import { typeName } from './classes.ts';
import { changeableKey, flexibleKey } from './lookup.ts';
import { intValue } from './numbers/index-number.ts';
import { cons, seq, visit } from './sequence.ts';
import { ArrayMap, EMPTY_MAP } from './values/array-map.ts';
import { Collection } from './values/collection.ts';
import { isInteger, isNumber } from './values/double.ts';
import { Eduction } from './values/eduction.ts';
import { HashMap } from './values/hash-map.ts';
import { LazySeq } from './values/lazy-seq.ts';
import { ABSENT, LispMap } from './values/map.ts';
import { MapBuilder } from './values/map-builder.ts';
import { Queue } from './values/queue.ts';
import { LispRecord } from './values/record.ts';
import { Cell, Cons, EMPTY_LIST, isList, List } from './values/seq.ts';
import { HashSet, LispSet, SetBuilder } from './values/set.ts';
import { SortedMap } from './values/sorted-map.ts';
import { Transient } from './values/transient.ts';
import { EMPTY_VECTOR, MapEntry, Vector, VectorBuilder } from './values/vector.ts';

/** `(conj coll x)` of one element, done for an operation that an error is to name. */
export function conj(collection: unknown, value: unknown, operation = 'conj'): unknown {
  if (collection instanceof Vector) return collection.conj(value);
  if (collection instanceof LispMap) return conjMap(collection, value, operation);
  if (collection instanceof LispSet) return collection.conj(value);
  if (collection === null) return EMPTY_LIST.conj(value);
  if (collection instanceof List) return collection.conj(value);
  if (collection instanceof LazySeq) return cons(value, seq(collection));
  if (collection instanceof Cell) return new Cons(value, collection, null);
  if (collection instanceof Queue) return collection.conj(value);
  throw mismatch(collection, `${operation}: argument 1 must be a collection, not ${typeName(collection)}`, {
    operation,
    given: typeName(collection),
  });
}

/** A map takes entries, vectors of two, maps and nil; other vectors are VE, lists as pairs TE. */
export function conjMap(map: LispMap, value: unknown, operation = 'conj'): LispMap {
  if (value instanceof Vector) {
    if (value.count !== 2) throw badValue('Vector arg to map conj must be a pair');
    return map.assoc(value.at(0), value.at(1));
  }
  if (value === null) return map;
  if (value instanceof LispMap) return addAll(map, value);
  let grown = map;
  visit(value, (element) => {
    const entry = asEntry(operation, element);
    grown = grown.assoc(entry.key, entry.value);
  });
  return grown;
}

function asEntry(operation: string, value: unknown): MapEntry {
  if (value instanceof MapEntry) return value;
  if (value === null) throw nullError(`${operation}: nil is no map entry`);
  throw castError(`${operation}: ${typeName(value)} is no map entry`);
}

/** All entries of a map added to another, in the order of the added one. */
export function addAll(map: LispMap, added: LispMap): LispMap {
  if (map instanceof SortedMap || map instanceof LispRecord || added.count < 4) {
    let grown = map;
    added.visit((key, value) => {
      grown = grown.assoc(key, value);
    });
    return grown;
  }
  const builder = mapBuilder(map);
  added.visit((key, value) => builder.put(key, value));
  return builder.build(map.meta);
}

/** A builder that starts from an unsorted map. */
export function mapBuilder(map: LispMap): MapBuilder {
  return new MapBuilder(map instanceof ArrayMap || map instanceof HashMap ? map : EMPTY_MAP);
}

/** `(into target source)`: as conj one by one, built in place where the kind allows. */
export function into(target: unknown, source: unknown): unknown {
  if (target instanceof Vector) {
    const builder = new VectorBuilder(target);
    refuseEndless(source);
    visit(source, (element) => builder.push(element));
    return builder.count === target.count ? target : builder.build(target.meta);
  }
  if (target instanceof HashSet) {
    const builder = new SetBuilder(target);
    refuseEndless(source);
    visit(source, (element) => {
      builder.add(element);
    });
    return builder.count === target.count ? target : builder.build(target.meta);
  }
  if (target instanceof ArrayMap || target instanceof HashMap) {
    const builder = new MapBuilder(target);
    visit(source, (element) => putPair(builder, element));
    return builder.build(target.meta);
  }
  let grown = target;
  visit(source, (element) => {
    grown = conj(grown, element, 'into');
  });
  return grown;
}

function putPair(builder: MapBuilder, element: unknown): void {
  if (element instanceof Vector && element.count === 2) builder.put(element.at(0), element.at(1));
  else if (element instanceof LispMap) element.visit((key, value) => builder.put(key, value));
  else if (element !== null) conjMap(EMPTY_MAP, element, 'into').visit((key, value) => builder.put(key, value));
}

/** `(assoc coll k v)` of one pair, exact keys, done for an operation that an error is to name. */
export function assoc(collection: unknown, key: unknown, value: unknown, operation = 'assoc'): unknown {
  if (collection instanceof LispMap) return collection.assoc(key, value);
  if (collection === null) return EMPTY_MAP.assoc(key, value);
  if (collection instanceof Vector) {
    if (!isInteger(key)) throw badValue('Key must be integer');
    return collection.assocAt(intValue(key), value);
  }
  throw mismatch(collection, `${operation}: argument 1 must be a map or vector, not ${typeName(collection)}`, {
    operation,
    given: typeName(collection),
  });
}

/** `(dissoc m k)` of one key, by the flexible rule. */
export function dissoc(collection: unknown, key: unknown): unknown {
  if (collection === null) return null;
  if (!(collection instanceof LispMap)) {
    throw mismatch(collection, `dissoc: argument 1 must be a map, not ${typeName(collection)}`, {
      operation: 'dissoc',
      given: typeName(collection),
    });
  }
  const stored = changeableKey(collection, key);
  return stored === ABSENT ? collection : collection.dissoc(stored);
}

/** `(disj s x)` of one member. */
export function disj(collection: unknown, value: unknown): unknown {
  if (collection === null) return null;
  if (collection instanceof LispSet) return collection.disj(value);
  throw mismatch(collection, `disj: argument 1 must be a set, not ${typeName(collection)}`);
}

function isIndex(index: number, length: number): boolean {
  return index >= 0 && index < length;
}

/** `contains?`: flexible on maps, index on vectors and strings. */
export function containsKey(collection: unknown, key: unknown): boolean {
  if (collection instanceof LispMap) return flexibleKey(collection, key) !== ABSENT;
  if (collection instanceof LispSet) return collection.lookup(key) !== ABSENT;
  if (collection === null) return false;
  if (collection instanceof Vector) {
    return isInteger(key) && isIndex(intValue(key), collection.count);
  }
  if (typeof collection === 'string' && isNumber(key)) return isIndex(intValue(key), collection.length);
  if (collection instanceof Transient) return collection.lookup(key) !== ABSENT;
  throw wrongArgument(
    'contains?',
    1,
    'a map, set, vector or string (an element is found by (some #{x} xs))',
    collection,
  );
}

/** `(empty coll)`: the same kind with its metadata; nil where there is none. */
export function emptied(collection: unknown): unknown {
  if (collection instanceof MapEntry) return null;
  if (collection instanceof Vector)
    return collection.meta === null ? EMPTY_VECTOR : EMPTY_VECTOR.withMeta(collection.meta);
  if (collection instanceof LispMap || collection instanceof LispSet || collection instanceof Queue)
    return collection.empty();
  if (isList(collection) && collection.meta !== null) return EMPTY_LIST.withMeta(collection.meta);
  return collection instanceof Collection && !(collection instanceof Eduction) ? EMPTY_LIST : null;
}

/** `peek`: end of a vector, front of a list. */
export function peek(collection: unknown): unknown {
  if (collection instanceof Vector) return collection.count === 0 ? null : collection.at(collection.count - 1);
  if (collection === null) return null;
  if (isList(collection)) return collection.first();
  if (collection instanceof Queue) return collection.peek();
  throw mismatch(collection, `peek: argument 1 must be a vector or list, not ${typeName(collection)}`);
}

export function pop(collection: unknown): unknown {
  if (collection instanceof Vector) {
    if (collection.count === 0) throw badState("Can't pop empty vector");
    return collection.pop();
  }
  if (collection === null) return null;
  if (isList(collection)) {
    if (collection.count === 0) throw badState("Can't pop empty list");
    const rest = collection.rest();
    return rest.count === 0 && collection.meta !== null ? rest.withMeta(collection.meta) : rest;
  }
  if (collection instanceof Queue) return collection.pop();
  throw mismatch(collection, `pop: argument 1 must be a vector or list, not ${typeName(collection)}`);
}

/** Whether `empty?` holds; what is not seqable is TE/I. */
export function isEmpty(collection: unknown): boolean {
  return seq(collection) === null;
}
