import { arithmeticError } from '../../runtime/errors.ts';
import { isLess, negate } from '../../runtime/numbers/arithmetic.ts';
import { parseDouble, parseLong } from '../../runtime/numbers/parse.ts';
import { displayString } from '../../runtime/print.ts';
import { BoxedDouble, double, Float32, integer, isInteger, toFloat } from '../../runtime/values/double.ts';
import {
  domainFault,
  floatOf,
  integerOf,
  intOf,
  member,
  ofDoubles,
  overloadedNumber,
  textOf,
  type Member,
} from './member.ts';

type Entries = readonly (readonly [string, Member])[];

const NUMBER_FORMAT = 'java.lang.NumberFormatException';
const LONG = { lowest: -(2n ** 63n), highest: 2n ** 63n - 1n };
const INT = { lowest: -(2n ** 31n), highest: 2n ** 31n - 1n };

/** `Math` functions of doubles that JavaScript has under the same name. */
const SAME_NAME = [
  'sqrt',
  'cbrt',
  'floor',
  'ceil',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'sinh',
  'cosh',
  'tanh',
  'exp',
  'expm1',
  'log',
  'log10',
  'log1p',
] as const;

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
      if (result < LONG.lowest || result > LONG.highest)
        throw domainFault('java.lang.ArithmeticException', 'long overflow');
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
  const number = overloadedNumber('Math/round', value);
  if (isInteger(number)) return number;
  const float = toFloat(number);
  if (Number.isNaN(float)) return 0;
  // Half up; adding a half first would round up what is just below it.
  const floor = Math.floor(float);
  const rounded = float - floor >= 0.5 ? floor + 1 : floor;
  if (rounded >= 2 ** 63) return LONG.highest;
  return rounded <= -(2 ** 63) ? LONG.lowest : integer(BigInt(rounded));
}

/** Static members of Math. */
export const MATH: Entries = [
  ...mathOfDoubles,
  ['rint', ofDoubles('Math/rint', 1, (x) => roundHalfEven(x ?? 0))],
  [
    'pow',
    ofDoubles('Math/pow', 2, (x, y) =>
      (x === 1 || x === -1) && !Number.isFinite(y ?? 0) ? Number.NaN : (x ?? 0) ** (y ?? 0),
    ),
  ],
  ['atan2', ofDoubles('Math/atan2', 2, (y, x) => Math.atan2(y ?? 0, x ?? 0))],
  ['hypot', ofDoubles('Math/hypot', 2, (x, y) => Math.hypot(x ?? 0, y ?? 0))],
  ['signum', member([1], ([x]) => double(Math.sign(toFloat(overloadedNumber('Math/signum', x)))))],
  ['toRadians', ofDoubles('Math/toRadians', 1, (x) => (x ?? 0) * (Math.PI / 180))],
  ['toDegrees', ofDoubles('Math/toDegrees', 1, (x) => (x ?? 0) * (180 / Math.PI))],
  ['abs', member([1], ([x]) => absolute(x))],
  ['max', member([2], ([a, b]) => extreme('Math/max', a, b, Math.max))],
  ['min', member([2], ([a, b]) => extreme('Math/min', a, b, Math.min))],
  ['round', member([1], ([x]) => javaRound(x))],
  exact('addExact', (a, b) => a + b),
  exact('subtractExact', (a, b) => a - b),
  exact('multiplyExact', (a, b) => a * b),
  [
    'floorDiv',
    member([2], ([a, b]) =>
      integer(BigInt.asIntN(64, floorDivide(integerOf('Math/floorDiv', a), integerOf('Math/floorDiv', b)))),
    ),
  ],
  exact('floorMod', (a, b) => a - floorDivide(a, b) * b),
];

/** The greater or smaller of two numbers, a double if one is: NaN wins, and -0.0 is less than 0.0. */
function extreme(what: string, a: unknown, b: unknown, choose: (x: number, y: number) => number): unknown {
  const [first, second] = [overloadedNumber(what, a), overloadedNumber(what, b)];
  if (isInteger(first) && isInteger(second)) return isLess(first, second) === (choose === Math.max) ? second : first;
  return double(choose(toFloat(first), toFloat(second)));
}

function absolute(x: unknown): unknown {
  const number = overloadedNumber('Math/abs', x);
  if (number instanceof BoxedDouble) return double(Math.abs(number.value));
  return isLess(number, 0) ? negate(number) : number;
}

function parseInteger(what: string, bounds: { lowest: bigint; highest: bigint }, args: readonly unknown[]): unknown {
  if (args[0] === null) throw domainFault(NUMBER_FORMAT, 'Cannot parse null string');
  const text = textOf(what, args[0]);
  const radix = args.length > 1 ? Number(intOf(what, args[1])) : 10;
  const value = radix < 2 || radix > 36 ? null : parseLong(text, radix);
  if (value === null || value < bounds.lowest || value > bounds.highest)
    throw domainFault(NUMBER_FORMAT, `For input string: "${text}"`);
  return integer(value);
}

function unsignedText(kind: IntegerKind, word: string, radix: number): readonly [string, Member] {
  return [
    word,
    member([1], ([x]) => BigInt.asUintN(kind.bits, kind.argument(`${kind.name}/${word}`, x)).toString(radix)),
  ];
}

/** What distinguishes the static members of Integer from those of Long. */
interface IntegerKind {
  readonly name: 'Integer' | 'Long';
  readonly bits: 32 | 64;
  readonly bounds: typeof LONG;
  readonly argument: typeof integerOf;
}

const INTEGER_KINDS: Readonly<Record<'Integer' | 'Long', IntegerKind>> = {
  Integer: { name: 'Integer', bits: 32, bounds: INT, argument: intOf },
  Long: { name: 'Long', bits: 64, bounds: LONG, argument: integerOf },
};

/** Static members of Integer and Long. */
export function integerClass(name: 'Integer' | 'Long'): Entries {
  const kind = INTEGER_KINDS[name];
  const { bounds, bits, argument } = kind;
  const parse = name === 'Long' ? 'parseLong' : 'parseInt';
  const compare = (a: bigint, b: bigint): number => (a === b ? 0 : a < b ? -1 : 1);
  const binary = (word: string, f: (a: bigint, b: bigint) => bigint): readonly [string, Member] => [
    word,
    member([2], ([a, b]) => integer(f(argument(`${name}/${word}`, a), argument(`${name}/${word}`, b)))),
  ];
  return [
    [parse, member([1, 2], (args) => parseInteger(`${name}/${parse}`, bounds, args))],
    [
      'valueOf',
      member([1, 2], (args) =>
        isInteger(args[0])
          ? integer(argument(`${name}/valueOf`, args[0]))
          : parseInteger(`${name}/valueOf`, bounds, args),
      ),
    ],
    [
      'toString',
      member([1, 2], (args) => argument(`${name}/toString`, args[0]).toString(args.length > 1 ? radixOf(args[1]) : 10)),
    ],
    unsignedText(kind, 'toBinaryString', 2),
    unsignedText(kind, 'toHexString', 16),
    unsignedText(kind, 'toOctalString', 8),
    ['compare', member([2], ([a, b]) => compare(argument(`${name}/compare`, a), argument(`${name}/compare`, b)))],
    ['signum', member([1], ([x]) => compare(argument(`${name}/signum`, x), 0n))],
    binary('max', (a, b) => (a > b ? a : b)),
    binary('min', (a, b) => (a < b ? a : b)),
    binary('sum', (a, b) => BigInt.asIntN(bits, a + b)),
  ];
}

/** Java falls back to 10 for radixes it does not know. */
function radixOf(value: unknown): number {
  const radix = Number(intOf('toString', value));
  return radix >= 2 && radix <= 36 ? radix : 10;
}

export const NUMBER_FIELDS: readonly (readonly [string, unknown])[] = [
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
  ['java.lang.Float/MAX_VALUE', new Float32(3.4028234663852886e38)],
  ['java.lang.Float/MIN_VALUE', new Float32(2 ** -149)],
  ['java.lang.Float/POSITIVE_INFINITY', new Float32(Infinity)],
  ['java.lang.Float/NEGATIVE_INFINITY', new Float32(-Infinity)],
  ['java.lang.Float/NaN', new Float32(Number.NaN)],
];

function parseFloating(what: string, value: unknown): number {
  const text = textOf(what, value);
  const parsed = parseDouble(text);
  if (parsed === null)
    throw domainFault(NUMBER_FORMAT, text.trim() === '' ? 'empty String' : `For input string: "${text}"`);
  return parsed;
}

/** Static members of Double, or of Float, whose values have 32 bits. */
export function floatingClass(name: 'Double' | 'Float'): Entries {
  const made = (x: number): unknown => (name === 'Double' ? double(x) : new Float32(x));
  const test = (word: string, f: (x: number) => boolean): readonly [string, Member] => [
    word,
    member([1], ([x]) => f(floatOf(`${name}/${word}`, x))),
  ];
  const parse = `parse${name}`;
  return [
    [parse, member([1], ([text]) => made(parseFloating(`${name}/${parse}`, text)))],
    [
      'valueOf',
      member([1], ([x]) =>
        made(typeof x === 'string' ? parseFloating(`${name}/valueOf`, x) : floatOf(`${name}/valueOf`, x)),
      ),
    ],
    ['toString', member([1], ([x]) => displayString(made(floatOf(`${name}/toString`, x))))],
    test('isNaN', Number.isNaN),
    test('isInfinite', (x) => Math.abs(x) === Infinity),
    test('isFinite', Number.isFinite),
    ['compare', member([2], ([a, b]) => compareDoubles(floatOf(`${name}/compare`, a), floatOf(`${name}/compare`, b)))],
  ];
}

/** Java's total order: -0.0 before 0.0, NaN after everything. */
function compareDoubles(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (Object.is(a, b)) return 0;
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  if (Number.isNaN(b)) return -1;
  return Object.is(a, -0) ? -1 : Object.is(b, -0) ? 1 : 0;
}
