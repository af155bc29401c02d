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

function one(name: string, parameters: string, doc: string, f: (x: number) => number): Row {
  return fixed(name, parameters, doc, (x: unknown) => double(f(doubleArgument(name, 1, x))));
}

function two(name: string, parameters: string, doc: string, f: (x: number, y: number) => number): Row {
  return fixed(name, parameters, doc, (x: unknown, y: unknown) =>
    double(f(doubleArgument(name, 1, x), doubleArgument(name, 2, y))),
  );
}

/** 64-bit arithmetic that refuses overflow. */
export function exact(value: bigint): number | bigint {
  if (BigInt.asIntN(64, value) !== value) throw arithmeticError('integer overflow');
  return integer(value);
}

function exactRow(name: string, parameters: string, doc: string, f: (x: bigint, y: bigint) => bigint): Row {
  return fixed(name, parameters, doc, (x: unknown, y: unknown) =>
    exact(f(toFiniteLong(name, 1, x), toFiniteLong(name, 2, y))),
  );
}

function exactRow1(name: string, parameters: string, doc: string, f: (x: bigint) => bigint): Row {
  return fixed(name, parameters, doc, (x: unknown) => exact(f(toFiniteLong(name, 1, x))));
}

export function floorDivide(x: bigint, y: bigint): bigint {
  if (y === 0n) throw arithmeticError('/ by zero');
  const quotient = x / y;
  return x % y !== 0n && x < 0n !== y < 0n ? quotient - 1n : quotient;
}

export function floorRemainder(x: bigint, y: bigint): bigint {
  return x - floorDivide(x, y) * y;
}

/** Functions of one double. */
const DOUBLE_FUNCTIONS: readonly (readonly [name: string, parameters: string, f: (x: number) => number])[] = [
  ['sin', 'a', Math.sin],
  ['cos', 'a', Math.cos],
  ['tan', 'a', Math.tan],
  ['asin', 'a', Math.asin],
  ['acos', 'a', Math.acos],
  ['atan', 'a', Math.atan],
  ['sinh', 'x', Math.sinh],
  ['cosh', 'x', Math.cosh],
  ['tanh', 'x', Math.tanh],
  ['exp', 'a', Math.exp],
  ['expm1', 'x', Math.expm1],
  ['log', 'a', Math.log],
  ['log10', 'a', Math.log10],
  ['log1p', 'x', Math.log1p],
  ['sqrt', 'a', Math.sqrt],
  ['cbrt', 'a', Math.cbrt],
  ['ceil', 'a', Math.ceil],
  ['floor', 'a', Math.floor],
  ['rint', 'a', rint],
  ['signum', 'd', Math.sign],
  ['to-degrees', 'r', (x) => x * (180 / Math.PI)],
  ['to-radians', 'deg', (x) => x * (Math.PI / 180)],
  ['ulp', 'd', unitInLastPlace],
];

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
    ...DOUBLE_FUNCTIONS.map(([name, parameters, f]) =>
      one(name, parameters, `The ${name} of a number, as a double.`, f),
    ),
    fixed('round', 'a', 'The nearest integer, halves up.', (x: unknown) =>
      isInteger(x) ? x : roundHalfUp(doubleArgument('round', 1, x)),
    ),
    one('next-up', 'd', 'The next double above.', (x) => nextAfter(x, Infinity)),
    one('next-down', 'd', 'The next double below.', (x) => nextAfter(x, -Infinity)),
    fixed('get-exponent', 'd', 'The unbiased binary exponent of a double.', (x: unknown) =>
      exponentOf(doubleArgument('get-exponent', 1, x)),
    ),
    two('pow', 'a b', 'A number raised to another.', power),
    two('atan2', 'y x', 'The angle of a point, from y and x.', Math.atan2),
    two('hypot', 'x y', 'The length of the diagonal of two sides.', Math.hypot),
    two('IEEE-remainder', 'dividend divisor', 'The remainder to the nearest multiple.', ieeeRemainder),
    two('copy-sign', 'magnitude sign', 'The magnitude of the first with the sign of the second.', copySign),
    two('next-after', 'start direction', 'The next double from the first toward the second.', nextAfter),
    fixed('scalb', 'd scaleFactor', 'A double times a power of two.', (x: unknown, n: unknown) =>
      double(scalb(doubleArgument('scalb', 1, x), Number(toFiniteLong('scalb', 2, n)))),
    ),
    exactRow('floor-div', 'x y', 'The quotient of integers, rounded down.', floorDivide),
    exactRow('floor-mod', 'x y', 'The remainder of integers, with the sign of the divisor.', floorRemainder),
    exactRow('add-exact', 'x y', 'The sum of integers within 64 bits.', (x, y) => x + y),
    exactRow('subtract-exact', 'x y', 'The difference of integers within 64 bits.', (x, y) => x - y),
    exactRow('multiply-exact', 'x y', 'The product of integers within 64 bits.', (x, y) => x * y),
    exactRow1('negate-exact', 'a', 'The opposite of an integer within 64 bits.', (x) => -x),
    exactRow1('increment-exact', 'a', 'One more than an integer, within 64 bits.', (x) => x + 1n),
    exactRow1('decrement-exact', 'a', 'One less than an integer, within 64 bits.', (x) => x - 1n),
  ];
}
