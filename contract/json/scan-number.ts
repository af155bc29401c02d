import type { Cursor } from './cursor.ts';
import { refuse, unitAt } from './cursor.ts';
import type { JsonInteger } from './value.ts';
import { JsonFloat, jsonInteger } from './value.ts';

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** Every integer of up to this many digits is safe. */
const SAFE_DIGITS = 15;

/**
 * Reads the number token at the cursor and leaves the cursor behind it. A token without point and exponent is an
 * integer of any size, every other a float; one that overflows is no JSON (documents.md §1).
 */
export function scanNumber(cursor: Cursor): JsonInteger | JsonFloat | undefined {
  const { text } = cursor;
  const start = cursor.index;
  if (unitAt(cursor) === MINUS) {
    cursor.index += 1;
  }
  const firstDigit = cursor.index;
  if (!skipDigits(cursor)) {
    return refuse(cursor, 'syntax');
  }
  if (text.charCodeAt(firstDigit) === ZERO && cursor.index > firstDigit + 1) {
    cursor.index = firstDigit + 1;
    return refuse(cursor, 'syntax');
  }
  const unit = unitAt(cursor);
  if (unit === POINT || unit === 0x65 || unit === 0x45) {
    return scanFloat(cursor, start);
  }
  const token = text.slice(start, cursor.index);
  // `+ 0` turns the -0 that Number makes of "-0" into the integer 0.
  return cursor.index - firstDigit <= SAFE_DIGITS ? Number(token) + 0 : jsonInteger(BigInt(token));
}

/** The cursor stands behind the integer part, at a point or an exponent. */
function scanFloat(cursor: Cursor, start: number): JsonFloat | undefined {
  if (unitAt(cursor) === POINT) {
    cursor.index += 1;
    if (!skipDigits(cursor)) {
      return refuse(cursor, 'syntax');
    }
  }
  if (unitAt(cursor) === 0x65 || unitAt(cursor) === 0x45) {
    cursor.index += 1;
    const sign = unitAt(cursor);
    if (sign === PLUS || sign === MINUS) {
      cursor.index += 1;
    }
    if (!skipDigits(cursor)) {
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

/** Passes decimal digits; false when there is none. */
function skipDigits(cursor: Cursor): boolean {
  const { text } = cursor;
  let index = cursor.index;
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    if (unit < ZERO || unit > NINE) {
      break;
    }
    index += 1;
  }
  const some = index > cursor.index;
  cursor.index = index;
  return some;
}
