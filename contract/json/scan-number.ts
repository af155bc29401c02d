import { FIXED_LIMITS } from '../limits/catalogue.ts';
import { refuse, unitAt, type Cursor } from './cursor.ts';
import { JsonFloat, jsonInteger, type JsonInteger } from './value.ts';

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
const ZERO = 0x30;
const NINE = 0x39;

/** Every integer of up to this many digits is safe. */
const SAFE_DIGITS = 15;

/**
 * Reads the number token at the cursor and leaves the cursor behind it. A token without point and exponent is an
 * integer, of as many digits as the limit table says (documents.md §5), every other a float; one that overflows is no
 * JSON (documents.md §1).
 */
export function scanNumber(cursor: Cursor): JsonInteger | JsonFloat | undefined {
  const { text } = cursor;
  const start = cursor.index;
  const negative = unitAt(cursor) === MINUS;
  if (negative) {
    cursor.index += 1;
  }
  const firstDigit = cursor.index;
  const digits = skipDigits(cursor);
  if (digits === 0) {
    return refuse(cursor, 'syntax');
  }
  if (digits > 1 && text.charCodeAt(firstDigit) === ZERO) {
    cursor.index = firstDigit + 1;
    return refuse(cursor, 'syntax');
  }
  const unit = unitAt(cursor);
  if (unit === POINT || unit === LOWER_E || unit === UPPER_E) {
    return scanFloat(cursor, start);
  }
  if (digits > FIXED_LIMITS.integer_digits) {
    cursor.index = start;
    return refuse(cursor, 'too_many_digits');
  }
  if (digits > SAFE_DIGITS) {
    return jsonInteger(BigInt(text.slice(start, cursor.index)));
  }
  const magnitude = smallInteger(text, firstDigit, cursor.index);
  // Subtracting keeps "-0" the integer 0.
  return negative ? 0 - magnitude : magnitude;
}

function smallInteger(text: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index += 1) {
    value = value * 10 + (text.charCodeAt(index) - ZERO);
  }
  return value;
}

/** The cursor is behind the integer part, at a point or an exponent. */
function scanFloat(cursor: Cursor, start: number): JsonFloat | undefined {
  if (unitAt(cursor) === POINT) {
    cursor.index += 1;
    if (skipDigits(cursor) === 0) {
      return refuse(cursor, 'syntax');
    }
  }
  if (unitAt(cursor) === LOWER_E || unitAt(cursor) === UPPER_E) {
    cursor.index += 1;
    const sign = unitAt(cursor);
    if (sign === PLUS || sign === MINUS) {
      cursor.index += 1;
    }
    if (skipDigits(cursor) === 0) {
      return refuse(cursor, 'syntax');
    }
  }
  const value = Number(cursor.text.slice(start, cursor.index));
  if (!Number.isFinite(value)) {
    cursor.index = start;
    return refuse(cursor, 'syntax');
  }
  return new JsonFloat(value);
}

/** Passes decimal digits and counts them. */
function skipDigits(cursor: Cursor): number {
  const { text } = cursor;
  let index = cursor.index;
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    if (unit < ZERO || unit > NINE) {
      break;
    }
    index += 1;
  }
  const count = index - cursor.index;
  cursor.index = index;
  return count;
}
