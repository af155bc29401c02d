import { arithmeticError, wrongType } from '../errors.ts';
import { isNumber, toFloat, double, integer, isInteger } from '../values/double.ts';
import {
  nextAfter,
  roundHalfUp,
  unitInLastPlace,
  exponentOf,
  ieeeRemainder,
  rint,
  scalb,
} from '../numbers/double-math.ts';
import { toFiniteLong } from '../numbers/long-argument.ts';
import { constantRow, fixed, type Row } from './row.ts';

/** A double argument: any number. */
export function doubleArgument(operation: string, position: number, value: unknown): number {
  if (isNumber(value)) return toFloat(value);
  throw wrongType(operation, position, 'a number', value);
}

function one(name: string, doc: string, f: (x: number) => number): Row {
  return fixed(name, doc, (x: unknown) => double(f(doubleArgument(name, 1, x))));
}

function two(name: string, doc: string, f: (x: number, y: number) => number): Row {
  return fixed(name, doc, (x: unknown, y: unknown) =>
    double(f(doubleArgument(name, 1, x), doubleArgument(name, 2, y))),
  );
}

/** 64-bit arithmetic that refuses overflow. */
export function exact(value: bigint): number | bigint {
  if (BigInt.asIntN(64, value) !== value) throw arithmeticError('integer overflow');
  return integer(value);
}

function exactRow(name: string, doc: string, f: (x: bigint, y: bigint) => bigint): Row {
  return fixed(name, doc, (x: unknown, y: unknown) => exact(f(toFiniteLong(name, 1, x), toFiniteLong(name, 2, y))));
}

function exactRow1(name: string, doc: string, f: (x: bigint) => bigint): Row {
  return fixed(name, doc, (x: unknown) => exact(f(toFiniteLong(name, 1, x))));
}

export function floorDivide(x: bigint, y: bigint): bigint {
  if (y === 0n) throw arithmeticError('/ by zero');
  const quotient = x / y;
  return x % y !== 0n && x < 0n !== y < 0n ? quotient - 1n : quotient;
}

export function floorRemainder(x: bigint, y: bigint): bigint {
  return x - floorDivide(x, y) * y;
}

/** Functions of one double, shared with the Java class Math. */
export const DOUBLE_FUNCTIONS: Readonly<Record<string, (x: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  exp: Math.exp,
  expm1: Math.expm1,
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  ceil: Math.ceil,
  floor: Math.floor,
  rint,
  signum: Math.sign,
  'to-degrees': (x) => x * (180 / Math.PI),
  'to-radians': (x) => x * (Math.PI / 180),
  ulp: unitInLastPlace,
};

/** `pow` as Java has it: NaN exponents and infinite ones of 1 give NaN as in JavaScript. */
export function power(x: number, y: number): number {
  return x ** y;
}

export function copySign(x: number, y: number): number {
  const negative = y < 0 || Object.is(y, -0);
  return negative ? -Math.abs(x) : Math.abs(x);
}

export function clojureMath(): readonly Row[] {
  return [
    constantRow('E', 'The base of natural logarithms.', Math.E),
    constantRow('PI', 'The ratio of the circumference of a circle to its diameter.', Math.PI),
    ...Object.entries(DOUBLE_FUNCTIONS).map(([name, f]) => one(name, `The ${name} of a number, as a double.`, f)),
    fixed('round', 'The nearest integer, halves up.', (x: unknown) =>
      isInteger(x) ? x : roundHalfUp(doubleArgument('round', 1, x)),
    ),
    one('next-up', 'The next double above.', (x) => nextAfter(x, Infinity)),
    one('next-down', 'The next double below.', (x) => nextAfter(x, -Infinity)),
    fixed('get-exponent', 'The unbiased binary exponent of a double.', (x: unknown) =>
      exponentOf(doubleArgument('get-exponent', 1, x)),
    ),
    two('pow', 'A number raised to another.', power),
    two('atan2', 'The angle of a point, from y and x.', Math.atan2),
    two('hypot', 'The length of the diagonal of two sides.', Math.hypot),
    two('IEEE-remainder', 'The remainder to the nearest multiple.', ieeeRemainder),
    two('copy-sign', 'The magnitude of the first with the sign of the second.', copySign),
    two('next-after', 'The next double from the first toward the second.', nextAfter),
    fixed('scalb', 'A double times a power of two.', (x: unknown, n: unknown) =>
      double(scalb(doubleArgument('scalb', 1, x), Number(toFiniteLong('scalb', 2, n)))),
    ),
    exactRow('floor-div', 'The quotient of integers, rounded down.', floorDivide),
    exactRow('floor-mod', 'The remainder of integers, with the sign of the divisor.', floorRemainder),
    exactRow('add-exact', 'The sum of integers within 64 bits.', (x, y) => x + y),
    exactRow('subtract-exact', 'The difference of integers within 64 bits.', (x, y) => x - y),
    exactRow('multiply-exact', 'The product of integers within 64 bits.', (x, y) => x * y),
    exactRow1('negate-exact', 'The opposite of an integer within 64 bits.', (x) => -x),
    exactRow1('increment-exact', 'One more than an integer, within 64 bits.', (x) => x + 1n),
    exactRow1('decrement-exact', 'One less than an integer, within 64 bits.', (x) => x - 1n),
  ];
}
