import { types } from 'node:util';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import { isJsonFloat, JsonFloat, type JsonValue } from '../../../contract/json/value.ts';
import { FIXED_LIMITS } from '../../../contract/limits/catalogue.ts';

/** What a function returned, read without running any of its code. */
export type PlainResult =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** No JSON value: an accessor, a proxy, a class of its own, a cycle, a symbol, NaN, too many levels. */
  | { readonly kind: 'invalid' }
  /** More bytes than may be read; the rest was not looked at. */
  | { readonly kind: 'too_large' };

/** Levels of a result; with the record around it, what an inspection file holds (evidence.md §6). */
const DEPTH_MAX = 50;

interface Reading {
  /** Bytes that the encoding has at least, and how many are allowed. */
  bytes: number;
  readonly limitBytes: number;
  /** Containers that are being read, for cycles. */
  readonly open: Set<object>;
}

class Refusal {
  readonly kind: 'invalid' | 'too_large';
  constructor(kind: 'invalid' | 'too_large') {
    this.kind = kind;
  }
}

/**
 * Plain data as JSON: null, booleans, text, finite numbers, big integers, arrays, plain objects and Maps with text
 * keys. Members that are undefined are left out. Getters are not called and proxies not asked: whatever has one is no
 * result. Reading stops as soon as the result is surely larger than the limit.
 */
export function plainResult(returned: unknown, limitBytes: number): PlainResult {
  try {
    return { kind: 'value', value: read(returned, { bytes: 0, limitBytes, open: new Set() }) };
  } catch (refusal) {
    if (refusal instanceof Refusal) return { kind: refusal.kind };
    throw refusal;
  }
}

function read(input: unknown, reading: Reading): JsonValue {
  switch (typeof input) {
    case 'string':
      return text(input, reading);
    case 'boolean':
    case 'number':
    case 'bigint':
      return scalar(input, reading);
    case 'object':
      if (input === null) return scalar(input, reading);
      return isFloat(input) ? scalar(input, reading) : container(input, reading);
    case 'undefined':
      // A function that returns nothing returns nil.
      return scalar(null, reading);
    default:
      throw new Refusal('invalid');
  }
}

/** A float that keeps its class (`1.0`); asked of no proxy. */
function isFloat(input: object): input is JsonFloat {
  return !types.isProxy(input) && input instanceof JsonFloat;
}

function spend(reading: Reading, bytes: number): void {
  reading.bytes += bytes;
  if (reading.bytes > reading.limitBytes) throw new Refusal('too_large');
}

function text(input: string, reading: Reading): string {
  spend(reading, input.length > reading.limitBytes ? input.length : utf8Length(input) + 2);
  if (!input.isWellFormed()) throw new Refusal('invalid');
  return input;
}

function scalar(input: null | boolean | number | bigint | JsonFloat, reading: Reading): JsonValue {
  // Digits cost time to write: a huge integer is refused by its size.
  if (typeof input === 'bigint') {
    if (!isShortEnough(input)) throw new Refusal('invalid');
    if (BigInt.asIntN(reading.limitBytes * 4, input) !== input) throw new Refusal('too_large');
  }
  const value = jsonFromPlain(input);
  if (value === undefined) throw new Refusal('invalid');
  spend(reading, isJsonFloat(value) || isJsonFloat(input) ? 3 : String(input).length);
  return value;
}

/** An integer of so many bits surely has no more digits than it may have: a digit is more than three bits. */
const SURE_BITS = 3 * FIXED_LIMITS.integer_digits;

/** Whether it has no more digits than an integer may have (documents.md §5). */
function isShortEnough(input: bigint): boolean {
  if (BigInt.asIntN(SURE_BITS, input) === input) return true;
  const beyond = 10n ** BigInt(FIXED_LIMITS.integer_digits);
  return input < beyond && input > -beyond;
}

function container(input: object, reading: Reading): JsonValue {
  if (types.isProxy(input) || reading.open.has(input) || reading.open.size >= DEPTH_MAX - 1)
    throw new Refusal('invalid');
  reading.open.add(input);
  spend(reading, 2);
  const value = Array.isArray(input) ? items(input, reading) : members(input, reading);
  reading.open.delete(input);
  return value;
}

function items(input: readonly unknown[], reading: Reading): JsonValue {
  const separators = Math.max(0, input.length - 1);
  spend(reading, separators);
  const values: JsonValue[] = [];
  for (let index = 0; index < input.length; index += 1) values.push(read(dataOf(input, String(index)), reading));
  return values;
}

function members(input: object, reading: Reading): JsonValue {
  const values = new Map<string, JsonValue>();
  for (const [key, member] of entriesOf(input)) {
    if (typeof key !== 'string') throw new Refusal('invalid');
    if (member === undefined) continue;
    text(key, reading);
    spend(reading, 1);
    values.set(key, read(member, reading));
  }
  return values;
}

function* entriesOf(input: object): Generator<readonly [unknown, unknown]> {
  const prototype: unknown = Object.getPrototypeOf(input);
  if (types.isMap(input)) {
    // The intrinsic, which no subclass has replaced.
    if (prototype !== Map.prototype) throw new Refusal('invalid');
    yield* Map.prototype.entries.call(input);
    return;
  }
  if ((prototype !== null && prototype !== Object.prototype) || Object.getOwnPropertySymbols(input).length > 0)
    throw new Refusal('invalid');
  for (const key of Object.keys(input)) yield [key, dataOf(input, key)];
}

/** The value of an own member that is data; a hole in an array is none. */
function dataOf(input: object, key: string): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(input, key);
  if (descriptor === undefined || !('value' in descriptor)) throw new Refusal('invalid');
  return descriptor.value;
}
