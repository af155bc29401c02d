import { arithmeticError } from '../../runtime/errors.ts';
import { isLess, negate } from '../../runtime/numbers/arithmetic.ts';
import { displayString } from '../../runtime/print.ts';
import { BoxedDouble, double, integer, isInteger, toFloat } from '../../runtime/values/double.ts';
import { domainFault, floatOf, integerOf, member, numberOf, ofDoubles, textOf, type Member } from './member.ts';

type Entries = readonly (readonly [string, Member])[];

const NUMBER_FORMAT = 'java.lang.NumberFormatException';
const LONG = { lowest: -(2n ** 63n), highest: 2n ** 63n - 1n };
const INT = { lowest: -(2n ** 31n), highest: 2n ** 31n - 1n };

/** `Math` functions of doubles that JavaScript has under the same name. */
const SAME_NAME = ['sqrt', 'cbrt', 'floor', 'ceil', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'exp', 'expm1', 'log', 'log10', 'log1p'] as const;

const mathOfDoubles: Entries = SAME_NAME.map((name) => [name, ofDoubles(`Math/${name}`, 1, (x) => Math[name](x ?? 0))]);

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const difference = x - floor;
  if (difference < 0.5) return floor;
  if (difference > 0.5) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

function exact(name: string, f: (a: bigint, b: bigint) => bigint): readonly [string, Member] {
  const what = `Math/${name}`;
  return [
    name,
    member([2], ([a, b]) => {
      const result = f(integerOf(what, a), integerOf(what, b));
      if (result < LONG.lowest || result > LONG.highest) throw domainFault('java.lang.ArithmeticException', 'long overflow');
      return integer(result);
    }),
  ];
}

function floorDivide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw arithmeticError('Divide by zero');
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function javaRound(value: unknown): unknown {
  const number = numberOf('Math/round', value);
  if (isInteger(number)) return number;
  const float = toFloat(number);
  if (Number.isNaN(float)) return 0;
  const rounded = Math.floor(float + 0.5);
  if (rounded >= 2 ** 63) return LONG.highest;
  return rounded <= -(2 ** 63) ? LONG.lowest : integer(BigInt(rounded));
}

/** Static members of Math. */
export const MATH: Entries = [
  ...mathOfDoubles,
  ['rint', ofDoubles('Math/rint', 1, (x) => roundHalfEven(x ?? 0))],
  ['pow', ofDoubles('Math/pow', 2, (x, y) => ((x === 1 || x === -1) && !Number.isFinite(y ?? 0) ? Number.NaN : (x ?? 0) ** (y ?? 0)))],
  ['atan2', ofDoubles('Math/atan2', 2, (y, x) => Math.atan2(y ?? 0, x ?? 0))],
  ['hypot', ofDoubles('Math/hypot', 2, (x, y) => Math.hypot(x ?? 0, y ?? 0))],
  ['signum', ofDoubles('Math/signum', 1, (x) => Math.sign(x ?? 0))],
  ['toRadians', ofDoubles('Math/toRadians', 1, (x) => (x ?? 0) * (Math.PI / 180))],
  ['toDegrees', ofDoubles('Math/toDegrees', 1, (x) => (x ?? 0) * (180 / Math.PI))],
  ['abs', member([1], ([x]) => absolute(x))],
  ['max', member([2], ([a, b]) => (isLess(numberOf('Math/max', a), numberOf('Math/max', b)) ? b : a))],
  ['min', member([2], ([a, b]) => (isLess(numberOf('Math/min', b), numberOf('Math/min', a)) ? b : a))],
  ['round', member([1], ([x]) => javaRound(x))],
  exact('addExact', (a, b) => a + b),
  exact('subtractExact', (a, b) => a - b),
  exact('multiplyExact', (a, b) => a * b),
  exact('floorDiv', floorDivide),
  exact('floorMod', (a, b) => a - floorDivide(a, b) * b),
];

function absolute(x: unknown): unknown {
  const number = numberOf('Math/abs', x);
  if (number instanceof BoxedDouble) return double(Math.abs(number.value));
  return isLess(number, 0) ? negate(number) : number;
}

function parseInteger(what: string, bounds: { lowest: bigint; highest: bigint }, args: readonly unknown[]): unknown {
  const text = textOf(what, args[0]);
  const radix = args.length > 1 ? Number(integerOf(what, args[1])) : 10;
  const refuse = (): Error | object => domainFault(NUMBER_FORMAT, `For input string: "${text}"`);
  const match = /^([+-]?)([0-9A-Za-z]{1,80})$/.exec(text);
  const digits = match?.[2] ?? '';
  if (match === null || radix < 2 || radix > 36) throw refuse();
  let value = 0n;
  for (const digit of digits) {
    const worth = Number.parseInt(digit, 36);
    if (worth >= radix) throw refuse();
    value = value * BigInt(radix) + BigInt(worth);
  }
  const signed = match[1] === '-' ? -value : value;
  if (signed < bounds.lowest || signed > bounds.highest) throw refuse();
  return integer(signed);
}

function unsignedText(what: string, bits: number, radix: number): Member {
  return member([1], ([x]) => BigInt.asUintN(bits, integerOf(what, x)).toString(radix));
}

/** Static members of Integer and Long. */
export function integerClass(name: 'Integer' | 'Long'): Entries {
  const bounds = name === 'Long' ? LONG : INT;
  const bits = name === 'Long' ? 64 : 32;
  const parse = name === 'Long' ? 'parseLong' : 'parseInt';
  const compare = (a: bigint, b: bigint): number => (a === b ? 0 : a < b ? -1 : 1);
  const binary = (word: string, f: (a: bigint, b: bigint) => bigint): readonly [string, Member] => [
    word,
    member([2], ([a, b]) => integer(f(integerOf(`${name}/${word}`, a), integerOf(`${name}/${word}`, b)))),
  ];
  return [
    [parse, member([1, 2], (args) => parseInteger(`${name}/${parse}`, bounds, args))],
    ['valueOf', member([1, 2], (args) => (isInteger(args[0]) ? args[0] : parseInteger(`${name}/valueOf`, bounds, args)))],
    ['toString', member([1, 2], (args) => integerOf(`${name}/toString`, args[0]).toString(args.length > 1 ? radixOf(args[1]) : 10))],
    ['toBinaryString', unsignedText(`${name}/toBinaryString`, bits, 2)],
    ['toHexString', unsignedText(`${name}/toHexString`, bits, 16)],
    ['toOctalString', unsignedText(`${name}/toOctalString`, bits, 8)],
    ['compare', member([2], ([a, b]) => compare(integerOf(`${name}/compare`, a), integerOf(`${name}/compare`, b)))],
    ['signum', member([1], ([x]) => compare(integerOf(`${name}/signum`, x), 0n))],
    binary('max', (a, b) => (a > b ? a : b)),
    binary('min', (a, b) => (a < b ? a : b)),
    binary('sum', (a, b) => BigInt.asIntN(bits, a + b)),
  ];
}

/** Java falls back to 10 for radixes it does not know. */
function radixOf(value: unknown): number {
  const radix = Number(integerOf('toString', value));
  return radix >= 2 && radix <= 36 ? radix : 10;
}

export const INTEGER_FIELDS: readonly (readonly [string, unknown])[] = [
  ['java.lang.Integer/MAX_VALUE', Number(INT.highest)],
  ['java.lang.Integer/MIN_VALUE', Number(INT.lowest)],
  ['java.lang.Long/MAX_VALUE', LONG.highest],
  ['java.lang.Long/MIN_VALUE', LONG.lowest],
  ['java.lang.Math/PI', Math.PI],
  ['java.lang.Math/E', Math.E],
  ['java.lang.Double/MAX_VALUE', double(Number.MAX_VALUE)],
  ['java.lang.Double/MIN_VALUE', Number.MIN_VALUE],
  ['java.lang.Double/POSITIVE_INFINITY', Infinity],
  ['java.lang.Double/NEGATIVE_INFINITY', -Infinity],
  ['java.lang.Double/NaN', Number.NaN],
];

const JAVA_FLOAT = /^[+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFdD]?)$/;

function parseFloating(what: string, value: unknown): number {
  const text = textOf(what, value).trim();
  if (!JAVA_FLOAT.test(text)) throw domainFault(NUMBER_FORMAT, text === '' ? 'empty String' : `For input string: "${text}"`);
  return Number(text.replace(/[fFdD]$/, ''));
}

/** Static members of Double. */
export const DOUBLE: Entries = [
  ['parseDouble', member([1], ([text]) => double(parseFloating('Double/parseDouble', text)))],
  ['valueOf', member([1], ([x]) => double(typeof x === 'string' ? parseFloating('Double/valueOf', x) : floatOf('Double/valueOf', x)))],
  ['toString', member([1], ([x]) => displayString(double(floatOf('Double/toString', x))))],
  ['isNaN', member([1], ([x]) => Number.isNaN(floatOf('Double/isNaN', x)))],
  ['isInfinite', member([1], ([x]) => Math.abs(floatOf('Double/isInfinite', x)) === Infinity)],
  ['isFinite', member([1], ([x]) => Number.isFinite(floatOf('Double/isFinite', x)))],
  ['compare', member([2], ([a, b]) => compareDoubles(floatOf('Double/compare', a), floatOf('Double/compare', b)))],
];

/** Java's total order: -0.0 before 0.0, NaN after everything. */
function compareDoubles(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (Object.is(a, b)) return 0;
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  if (Number.isNaN(b)) return -1;
  return Object.is(a, -0) ? -1 : Object.is(b, -0) ? 1 : 0;
}
