import { arithmeticError, badNumber, memoryExceeded, wrongType } from '../errors.ts';
import { double, integer, isNumber, type LispNumber, toFloat } from '../values/double.ts';

/**
 * Arithmetic of functions.md §2. Each operation is a tiny function with a small-integer path, which V8 inlines,
 * and a separate slow one. Integers are exact at any size up to the limit; one floating operand makes a double.
 */

/** Bits an integer may have (language.md §20). */
const INTEGER_BITS = 1_000_000;

type Numeric = unknown;

export function add(a: Numeric, b: Numeric): LispNumber {
  if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) return a + b;
  return addSlow('+', a, b);
}

export function subtract(a: Numeric, b: Numeric): LispNumber {
  if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) return a - b;
  return subtractSlow('-', a, b);
}

export function multiply(a: Numeric, b: Numeric): LispNumber {
  if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) {
    const product = a * b;
    if (product <= 9007199254740991 && product >= -9007199254740991) return product + 0;
  }
  return multiplySlow('*', a, b);
}

export function increment(a: Numeric): LispNumber {
  return typeof a === 'number' && (a | 0) === a ? a + 1 : addSlow('inc', a, 1);
}

export function decrement(a: Numeric): LispNumber {
  return typeof a === 'number' && (a | 0) === a ? a - 1 : subtractSlow('dec', a, 1);
}

export function negate(a: Numeric): LispNumber {
  return negated('-', a);
}

function negated(operation: string, a: Numeric): LispNumber {
  if (typeof a === 'number') return Number.isInteger(a) ? 0 - a : -a;
  if (typeof a === 'bigint') return integer(-a);
  return double(-toFloat(operand(operation, 1, a)));
}

/** `+'` and its like do what the others do; what they are called is reported by their errors. */
export const PROMOTING = {
  add: (a: Numeric, b: Numeric): LispNumber =>
    typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b ? a + b : addSlow("+'", a, b),
  subtract: (a: Numeric, b: Numeric): LispNumber =>
    typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b ? a - b : subtractSlow("-'", a, b),
  multiply: (a: Numeric, b: Numeric): LispNumber => {
    if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) {
      const product = a * b;
      if (product <= 9007199254740991 && product >= -9007199254740991) return product + 0;
    }
    return multiplySlow("*'", a, b);
  },
  increment: (a: Numeric): LispNumber => (typeof a === 'number' && (a | 0) === a ? a + 1 : addSlow("inc'", a, 1)),
  decrement: (a: Numeric): LispNumber => (typeof a === 'number' && (a | 0) === a ? a - 1 : subtractSlow("dec'", a, 1)),
  negate: (a: Numeric): LispNumber => negated("-'", a),
};

/** The operand as a number, or TE. */
export function operand(operation: string, position: number, value: unknown): LispNumber {
  if (isNumber(value)) return value;
  throw wrongType(operation, position, 'a number', value);
}

function isExact(value: LispNumber): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

/** Number of bits of the magnitude, within 32 of the truth; exact enough to refuse early. */
function bitLength(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  if (magnitude < 1n << 64n) return 64;
  return magnitude.toString(16).length * 4;
}

/** Refuses an integer beyond the size limit. */
export function boundedInteger(value: bigint): number | bigint {
  if (value >= -9007199254740991n && value <= 9007199254740991n) return Number(value);
  if (BigInt.asIntN(INTEGER_BITS, value) !== value) throw memoryExceeded('an integer');
  return value;
}

function addSlow(operation: string, x: unknown, y: unknown): LispNumber {
  const a = operand(operation, 1, x);
  const b = operand(operation, 2, y);
  if (isExact(a) && isExact(b)) {
    if (typeof a === 'number' && typeof b === 'number') {
      const sum = a + b;
      if (Number.isSafeInteger(sum)) return sum;
    }
    return boundedInteger(BigInt(a) + BigInt(b));
  }
  return double(toFloat(a) + toFloat(b));
}

function subtractSlow(operation: string, x: unknown, y: unknown): LispNumber {
  const a = operand(operation, 1, x);
  const b = operand(operation, 2, y);
  if (isExact(a) && isExact(b)) {
    if (typeof a === 'number' && typeof b === 'number') {
      const difference = a - b;
      if (Number.isSafeInteger(difference)) return difference;
    }
    return boundedInteger(BigInt(a) - BigInt(b));
  }
  return double(toFloat(a) - toFloat(b));
}

function multiplySlow(operation: string, x: unknown, y: unknown): LispNumber {
  const a = operand(operation, 1, x);
  const b = operand(operation, 2, y);
  if (isExact(a) && isExact(b)) {
    if (typeof a === 'number' && typeof b === 'number') {
      const product = a * b;
      if (Number.isSafeInteger(product)) return product + 0;
    }
    const left = BigInt(a);
    const right = BigInt(b);
    if (bitLength(left) + bitLength(right) > INTEGER_BITS + 64) throw memoryExceeded('an integer');
    return boundedInteger(left * right);
  }
  return double(toFloat(a) * toFloat(b));
}

function refuseZero(b: LispNumber): void {
  if (toFloat(b) === 0) throw arithmeticError('Divide by zero');
}

/** `/`: exact division gives an integer, inexact the nearest double; any zero divisor is AE, NaN operands give NaN. */
export function divide(x: Numeric, y: Numeric): LispNumber {
  if (typeof x === 'number' && typeof y === 'number' && (x | 0) === x && (y | 0) === y && y !== 0) {
    const quotient = x / y;
    return quotient + 0;
  }
  const a = operand('/', 1, x);
  const b = operand('/', 2, y);
  if (isExact(a) && isExact(b)) return divideExact(a, b);
  const dividend = toFloat(a);
  const divisor = toFloat(b);
  if (dividend !== dividend || divisor !== divisor) return Number.NaN;
  refuseZero(b);
  return double(dividend / divisor);
}

function divideExact(a: number | bigint, b: number | bigint): LispNumber {
  refuseZero(b);
  const dividend = BigInt(a);
  const divisor = BigInt(b);
  if (dividend % divisor === 0n) return integer(dividend / divisor);
  return double(nearestQuotient(dividend, divisor));
}

/** The double nearest to a ratio of integers, ties to even. */
function nearestQuotient(dividend: bigint, divisor: bigint): number {
  const negative = dividend < 0n !== divisor < 0n;
  const n = dividend < 0n ? -dividend : dividend;
  const d = divisor < 0n ? -divisor : divisor;
  // 66 significant bits of quotient plus a sticky one round to 53 bits exactly; below 2^-1022 fewer are kept.
  const shift = d.toString(2).length - n.toString(2).length + 66;
  if (shift > 1200) return negative ? -0 : 0;
  const scaled = shift >= 0 ? n << BigInt(shift) : n;
  const scale = shift >= 0 ? d : d << BigInt(-shift);
  const quotient = scaled / scale;
  const sticky = scaled % scale === 0n ? quotient : quotient | 1n;
  const half = Math.trunc(shift / 2);
  const magnitude = shift > 1000 ? roundTiny(sticky, shift) : Number(sticky) * 2 ** -half * 2 ** -(shift - half);
  return negative ? -magnitude : magnitude;
}

/** Subnormal results: drop the bits below 2^-1074 by integer arithmetic, so that rounding happens once. */
function roundTiny(mantissa: bigint, shift: number): number {
  const dropped = BigInt(shift - 1074);
  if (dropped <= 0n) return Number(mantissa) * 2 ** -537 * 2 ** -(shift - 537);
  const significant = mantissa >> dropped;
  const remainder = mantissa - (significant << dropped);
  const halfway = 1n << (dropped - 1n);
  const up = remainder > halfway || (remainder === halfway && (significant & 1n) === 1n);
  return Number(up ? significant + 1n : significant) * 2 ** -1074;
}

/** `quot`: truncated; integers give an integer, any floating operand a double. */
export function quot(x: Numeric, y: Numeric): LispNumber {
  if (typeof x === 'number' && typeof y === 'number' && (x | 0) === x && (y | 0) === y && y !== 0) {
    return Math.trunc(x / y) + 0;
  }
  const a = operand('quot', 1, x);
  const b = operand('quot', 2, y);
  refuseZero(b);
  if (isExact(a) && isExact(b)) return integer(BigInt(a) / BigInt(b));
  return double(truncatedQuotient(toFloat(a), toFloat(b)));
}

function truncatedQuotient(a: number, b: number): number {
  const quotient = a / b;
  if (!Number.isFinite(quotient)) throw badNumber('Infinite or NaN');
  // Beyond 64 bits the reference goes through an exact integer, which has no -0.0.
  return Math.trunc(quotient) + 0;
}

/** `rem`: the dividend's sign; doubles by n - trunc(n/d)*d, not fmod. */
export function rem(x: Numeric, y: Numeric): LispNumber {
  if (typeof x === 'number' && typeof y === 'number' && (x | 0) === x && (y | 0) === y && y !== 0) {
    return (x % y) + 0;
  }
  return remainderSlow('rem', x, y);
}

function remainderSlow(operation: string, x: unknown, y: unknown): LispNumber {
  const a = operand(operation, 1, x);
  const b = operand(operation, 2, y);
  refuseZero(b);
  if (isExact(a) && isExact(b)) return integer(BigInt(a) % BigInt(b));
  const dividend = toFloat(a);
  const divisor = toFloat(b);
  return double(dividend - truncatedQuotient(dividend, divisor) * divisor);
}

/** `mod`: the divisor's sign. */
export function mod(x: Numeric, y: Numeric): LispNumber {
  if (typeof x === 'number' && typeof y === 'number' && (x | 0) === x && (y | 0) === y && y !== 0) {
    const remainder = x % y;
    return remainder !== 0 && remainder < 0 !== y < 0 ? remainder + y : remainder + 0;
  }
  const remainder = remainderSlow('mod', x, y);
  const value = toFloat(remainder);
  const divisor = operand('mod', 2, y);
  return value !== 0 && value < 0 !== toFloat(divisor) < 0 ? add(remainder, divisor) : remainder;
}

/** Order of two numbers: negative, zero or positive; NaN when one operand is NaN. */
function order(operation: string, x: unknown, y: unknown): number {
  const a = operand(operation, 1, x);
  const b = operand(operation, 2, y);
  if (typeof a === 'bigint' || typeof b === 'bigint') {
    if (isExact(a) && isExact(b)) return a < b ? -1 : a > b ? 1 : 0;
  }
  return (
    toFloat(a) - toFloat(b) ||
    (toFloat(a) === toFloat(b) ? 0 : toFloat(a) < toFloat(b) ? -1 : toFloat(a) > toFloat(b) ? 1 : Number.NaN)
  );
}

export function isLess(a: Numeric, b: Numeric): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a < b : order('<', a, b) < 0;
}

export function isLessOrEqual(a: Numeric, b: Numeric): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a <= b : order('<=', a, b) <= 0;
}

export function isGreater(a: Numeric, b: Numeric): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a > b : order('>', a, b) > 0;
}

export function isGreaterOrEqual(a: Numeric, b: Numeric): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a >= b : order('>=', a, b) >= 0;
}

/** `==`: by value across number types. */
export function isNumericallyEqual(a: Numeric, b: Numeric): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a === b : order('==', a, b) === 0;
}
