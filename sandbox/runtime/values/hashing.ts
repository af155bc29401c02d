import { programState } from '../fresh.ts';
import { MOST_ENTRIES } from './chained-table.ts';

/** The 32-bit hash arithmetic of language.md §5; all results are signed 32-bit integers. */

function rotateLeft(x: number, count: number): number {
  return (x << count) | (x >>> (32 - count));
}

function mixKey(k: number): number {
  return Math.imul(rotateLeft(Math.imul(k, 0xcc9e2d51), 15), 0x1b873593);
}

function mixHash(h: number, k: number): number {
  return (Math.imul(rotateLeft(h ^ k, 13), 5) + 0xe6546b64) | 0;
}

function finish(hash: number, count: number): number {
  let h = hash ^ count;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

export function hashInt32(i: number): number {
  return i === 0 ? 0 : finish(mixHash(0, mixKey(i)), 4);
}

/** Hash of a 64-bit integer given as two 32-bit halves. */
export function hashInt64(low: number, high: number): number {
  if (low === 0 && high === 0) return 0;
  return finish(mixHash(mixHash(0, mixKey(low)), mixKey(high)), 8);
}

/** `coll(h, n)`: the last step for collections. */
export function hashCollection(h: number, count: number): number {
  return finish(mixHash(0, mixKey(h)), count);
}

/** Java's String.hashCode. */
export function polynomialHash(text: string): number {
  let h = 0;
  for (let i = 0; i < text.length; i++) h = (Math.imul(31, h) + text.charCodeAt(i)) | 0;
  return h;
}

/** Murmur3 over UTF-16 units. */
export function hashUnits(text: string): number {
  let h = 0;
  const even = text.length & ~1;
  for (let i = 0; i < even; i += 2) {
    h = mixHash(h, mixKey(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)));
  }
  if (even < text.length) h ^= mixKey(text.charCodeAt(even));
  return finish(h, 2 * text.length);
}

function combine(seed: number, hash: number): number {
  return seed ^ (hash + 0x9e3779b9 + (seed << 6) + (seed >> 2));
}

export function hashSymbol(namespace: string | null, name: string): number {
  return combine(hashUnits(name), namespace === null ? 0 : polynomialHash(namespace));
}

/** `fold` of the IEEE bits; zeros give 0. */
export function hashDouble(value: number): number {
  if (value === 0) return 0;
  if (value !== value) return 0x7ff80000;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getInt32(0) ^ view.getInt32(4);
}

export function hashFloat32(value: number): number {
  if (value === 0) return 0;
  if (value !== value) return 0x7fc00000;
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return view.getInt32(0);
}

/** `fold` of a 64-bit integer. */
export function foldInt64(value: bigint): number {
  return Number(BigInt.asIntN(32, value)) ^ Number(BigInt.asIntN(32, value >> 32n));
}

/** Integers beyond 64 bits: magnitude as big-endian words, base 31, negated for negatives. */
export function hashBigInteger(value: bigint): number {
  if (BigInt.asIntN(64, value) === value) {
    return hashInt64(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
  }
  const digits = (value < 0n ? -value : value).toString(16);
  const start = digits.length % 8;
  let h = 0;
  if (start > 0) h = Number.parseInt(digits.slice(0, start), 16) | 0;
  for (let i = start; i < digits.length; i += 8) {
    h = (Math.imul(31, h) + Number.parseInt(digits.slice(i, i + 8), 16)) | 0;
  }
  return value < 0n ? -h | 0 : h;
}

/** Strings this short are hashed again: cheaper than a table. */
const UNCACHED_LENGTH = 8;
const CACHED_LENGTH_LIMIT = 512;
const CACHED_STRINGS = 16384;

const hashes = programState(() => ({ strings: new Map<string, number>() }));

/** Hash of a string that is hashed once: nothing is kept of it. */
export function hashStringOnce(text: string): number {
  return hashInt32(polynomialHash(text));
}

/** Hash of a string; a bounded table keeps those of longer keys. */
export function hashString(text: string): number {
  if (text.length <= UNCACHED_LENGTH || text.length > CACHED_LENGTH_LIMIT) return hashStringOnce(text);
  const known = hashes.strings.get(text);
  if (known !== undefined) return known;
  const hash = hashStringOnce(text);
  if (hashes.strings.size >= CACHED_STRINGS) hashes.strings.clear();
  hashes.strings.set(text, hash);
  return hash;
}

/** The newest table last; none gets too large for the heap to find room for it (chained-table.ts). */
const identities = programState<{ tables: WeakMap<WeakKey, number>[]; last: number; assigned: number }>(() => ({
  tables: [new WeakMap()],
  last: 0,
  assigned: 0,
}));

function assignedNumber(object: WeakKey): number | undefined {
  for (let i = identities.tables.length - 1; i >= 0; i--) {
    const number = identities.tables[i]?.get(object);
    if (number !== undefined) return number;
  }
  return undefined;
}

function giveNumber(object: WeakKey, number: number): void {
  identities.assigned += 1;
  if (identities.assigned % MOST_ENTRIES === 0) identities.tables.push(new WeakMap());
  identities.tables.at(-1)?.set(object, number);
}

/** A number per object, fixed as long as it lives (accepted difference A7). */
export function identityHash(object: WeakKey): number {
  let number = assignedNumber(object);
  if (number === undefined) {
    identities.last = (identities.last + 1) | 0;
    number = identities.last;
    giveNumber(object, number);
  }
  return hashInt32(number);
}

/** The number of an object that was hashed by identity; null for one that was not. */
export function identityNumber(object: WeakKey): number | null {
  return identities.assigned === 0 ? null : (assignedNumber(object) ?? null);
}

/** Gives an object made again the number it had. One that has a number keeps it. */
export function keepIdentity(object: WeakKey, number: number): void {
  if (assignedNumber(object) === undefined) giveNumber(object, number);
  identities.last = Math.max(identities.last, number);
}

/** How many objects have got a number: while it is the same, none has one that had none. */
export function identitiesAssigned(): number {
  return identities.assigned;
}
