import { arithmeticError, badNumber, badValue, nullError, wrongArgument, wrongType } from '../errors.ts';
import { displayString } from '../print.ts';
import { char, Char } from '../values/char.ts';
import {
  type BoxedDouble,
  double,
  Float32,
  integer,
  isInteger,
  isNumber,
  type LispNumber,
  toFloat,
} from '../values/double.ts';
import { boundedInteger } from './arithmetic.ts';
import { decimalOf } from './decimal.ts';

const LONG_MAX = 9223372036854775807n;
const LONG_MIN = -9223372036854775808n;

/** A number or char as an exact integer, doubles truncated; NaN is 0. Infinities stay outside every range. */
function truncated(operation: string, value: unknown): number | bigint {
  if (isInteger(value)) return value;
  if (value instanceof Char) return value.code;
  if (!isNumber(value)) throw wrongType(operation, 1, 'a number or char', value);
  const float = toFloat(value);
  if (float !== float) return 0;
  if (float === 2 ** 63) return LONG_MAX;
  if (!Number.isFinite(float)) return float > 0 ? LONG_MAX + 1n : LONG_MIN - 1n;
  return integer(BigInt(Math.trunc(float)));
}

function failOutOfRange(type: string, value: unknown): never {
  throw badValue(`Value out of range for ${type}: ${displayString(value)}`);
}

export function toInt(value: unknown): number {
  const exact = truncated('int', value);
  const isBeyond = isNumber(value) && Math.abs(toFloat(value) + 0.5) > 2147483647.5;
  if (typeof exact === 'number' && (exact | 0) === exact && !isBeyond) return exact;
  if (isInteger(value)) throw arithmeticError('integer overflow');
  return failOutOfRange('int', value);
}

export function toLong(value: unknown): number | bigint {
  const exact = truncated('long', value);
  if (typeof exact === 'number' || (exact >= LONG_MIN && exact <= LONG_MAX)) return exact;
  return failOutOfRange('long', value);
}

/** A double is tested before it is truncated, so that 127.5 is no byte; NaN is beyond every range. */
function isWithin(value: unknown, exact: number | bigint, least: number, most: number): exact is number {
  const tested = isNumber(value) && !isInteger(value) ? toFloat(value) : exact;
  return tested >= least && tested <= most;
}

function ranged(type: string, least: number, most: number): (value: unknown) => number {
  return (value) => {
    const exact = truncated(type, value);
    return isWithin(value, exact, least, most) ? exact : failOutOfRange(type, value);
  };
}

export const toShort = ranged('short', -32768, 32767);
export const toByte = ranged('byte', -128, 127);

export function toChar(value: unknown): Char {
  if (value instanceof Char) return value;
  const exact = truncated('char', value);
  return isWithin(value, exact, 0, 65535) ? char(exact) : failOutOfRange('char', value);
}

function numeric(operation: string, value: unknown): LispNumber {
  if (isNumber(value)) return value;
  throw wrongType(operation, 1, 'a number', value);
}

export function toDouble(value: unknown): number | BoxedDouble {
  return double(toFloat(numeric('double', value)));
}

export function toFloat32(value: unknown): Float32 {
  const float = toFloat(numeric('float', value));
  if (Math.abs(float) > 3.4028234663852886e38) return failOutOfRange('float', value);
  return new Float32(float);
}

export function toNumber(value: unknown): LispNumber | null {
  return value === null ? null : numeric('num', value);
}

/** The integer part of what a double prints as: its shortest digits, and zeros behind them (functions.md §2). */
function printedInteger(float: number): number | bigint {
  if (!Number.isFinite(float)) throw badNumber('Infinite or NaN');
  if (Number.isSafeInteger(float)) return float + 0;
  const { negative, digits, point } = decimalOf(float);
  if (point <= 0) return 0;
  const whole = BigInt(digits.slice(0, point).padEnd(point, '0'));
  return integer(negative ? -whole : whole);
}

/** `bigint` and `biginteger`: doubles by their text, truncated; strings parsed. */
export function toBigInteger(operation: string): (value: unknown) => number | bigint {
  return (value) => {
    if (isInteger(value)) return value;
    if (isNumber(value)) return printedInteger(toFloat(value));
    if (typeof value === 'string') {
      if (!/^[+-]?[0-9]+$/.test(value)) throw badNumber(`For input string: "${value}"`);
      return boundedInteger(BigInt(value.replace(/^\+/, '')));
    }
    if (value === null) throw nullError(`${operation}: argument 1 must be a number, not nil`);
    throw wrongArgument(operation, 1, 'a number or a string', value);
  };
}

export function absolute(value: unknown): LispNumber {
  const number = numeric('abs', value);
  if (typeof number === 'number') return Math.abs(number);
  if (typeof number === 'bigint') return number < 0n ? -number : number;
  return number instanceof Float32 ? new Float32(Math.abs(number.value)) : double(Math.abs(number.value));
}
