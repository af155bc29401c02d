import { seq, visit } from './sequence.ts';
import { Char } from './values/char.ts';
import { Collection } from './values/collection.ts';
import { BoxedDouble, Float32 } from './values/double.ts';
import { Eduction } from './values/eduction.ts';
import {
  hashBigInteger,
  hashCollection,
  hashDouble,
  hashFloat32,
  hashInt64,
  hashString,
  hashSymbol,
  identityHash,
} from './values/hashing.ts';
import { Keyword } from './values/keyword.ts';
import { LispMap, ABSENT } from './values/map.ts';
import { Queue } from './values/queue.ts';
import { LispRecord } from './values/record.ts';
import { type Cell, Seq } from './values/seq.ts';
import { LispSet } from './values/set.ts';
import { LispSymbol } from './values/symbol.ts';
import { Temporal } from './values/temporal.ts';
import { Vector } from './values/vector.ts';

/** `(= a b)` of language.md §4. */
export function equals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || a === null) return typeof a === 'number' && b instanceof Float32 && b.value === a;
  if (typeof b !== 'object' || b === null) return typeof b === 'number' && a instanceof Float32 && a.value === b;
  if (a instanceof Keyword || a instanceof Char) return false;
  if (a instanceof Collection) return b instanceof Collection && collectionsEqual(a, b);
  if (a instanceof BoxedDouble || a instanceof Float32) {
    return (b instanceof BoxedDouble || b instanceof Float32) && a.value === b.value;
  }
  if (a instanceof LispSymbol) return b instanceof LispSymbol && a.name === b.name && a.namespace === b.namespace;
  return a instanceof Temporal && a.equals(b);
}

function isSequential(value: Collection): boolean {
  return value instanceof Vector || value instanceof Seq || value instanceof Eduction || value instanceof Queue;
}

function collectionsEqual(a: Collection, b: Collection): boolean {
  if (a.hashCache !== 0 && b.hashCache !== 0 && a.hashCache !== b.hashCache) return false;
  if (a instanceof Vector && b instanceof Vector) return vectorsEqual(a, b);
  if (a instanceof LispMap) return b instanceof LispMap && mapsEqual(a, b);
  if (a instanceof LispSet) return b instanceof LispSet && setsEqual(a, b);
  return isSequential(a) && isSequential(b) && sequencesEqual(a, b);
}

function vectorsEqual(a: Vector, b: Vector): boolean {
  if (a.count !== b.count) return false;
  for (let start = 0; start < a.count; start += 32) {
    const left = a.leafFor(start);
    const right = b.leafFor(start);
    if (left === right) continue;
    for (let i = 0; i < left.length; i++) if (!equals(left[i], right[i])) return false;
  }
  return true;
}

function mapsEqual(a: LispMap, b: LispMap): boolean {
  if (a.count !== b.count) return false;
  // A record is equal to records of its type only.
  if (a instanceof LispRecord ? !(b instanceof LispRecord && b.type === a.type) : b instanceof LispRecord) return false;
  return !a.visit((key, value) => {
    const other = b.lookup(key);
    return other === ABSENT || !equals(value, other);
  });
}

function setsEqual(a: LispSet, b: LispSet): boolean {
  return a.count === b.count && !a.visit((member) => b.lookup(member) === ABSENT);
}

function sequencesEqual(a: Collection, b: Collection): boolean {
  let left: Cell | null = seq(a);
  let right: Cell | null = seq(b);
  while (left !== null && right !== null) {
    if (!equals(left.first(), right.first())) return false;
    left = seq(left.rest());
    right = seq(right.rest());
  }
  return left === right;
}

/** `(hash x)` of language.md §5: a signed 32-bit integer. */
export function hash(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return hashString(value);
    case 'number':
      return Number.isInteger(value) ? hashInt64(value | 0, Math.floor(value / 4294967296) | 0) : hashDouble(value);
    case 'boolean':
      return value ? 1231 : 1237;
    case 'bigint':
      return hashBigInteger(value);
    case 'function':
      return identityHash(value);
    case 'object':
      return value === null ? 0 : hashObject(value);
    default:
      throw new TypeError('no value of the language');
  }
}

function hashObject(value: object): number {
  if (value instanceof Keyword || value instanceof LispSymbol) return value.hash;
  if (value instanceof Collection) {
    if (value.hashCache === 0) value.hashCache = hashOfCollection(value);
    return value.hashCache;
  }
  if (value instanceof Char) return value.code;
  if (value instanceof BoxedDouble) return hashDouble(value.value);
  if (value instanceof Float32) return hashFloat32(value.value);
  if (value instanceof Temporal) return value.hash();
  return identityHash(value);
}

function hashOfCollection(collection: Collection): number {
  let h = 0;
  if (collection instanceof LispMap) {
    collection.visit((key, value) => {
      h = (h + hashPair(key, value)) | 0;
    });
    const made = hashCollection(h, collection.count);
    return collection instanceof LispRecord ? made ^ hashOfClassName(collection.type.name) : made;
  }
  if (collection instanceof LispSet) {
    collection.visit((member) => {
      h = (h + hash(member)) | 0;
    });
    return hashCollection(h, collection.count);
  }
  h = 1;
  let count = 0;
  visit(collection, (element) => {
    h = (Math.imul(31, h) + hash(element)) | 0;
    count++;
  });
  return hashCollection(h, count);
}

/** The hash of the symbol that names a class. */
function hashOfClassName(name: string): number {
  return hashSymbol(null, name);
}

function hashPair(key: unknown, value: unknown): number {
  const h = (Math.imul(31, (Math.imul(31, 1) + hash(key)) | 0) + hash(value)) | 0;
  return hashCollection(h, 2);
}
