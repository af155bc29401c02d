import {
  add,
  decrement,
  divide,
  increment,
  isGreater,
  isGreaterOrEqual,
  isLess,
  isLessOrEqual,
  isNumericallyEqual,
  mod,
  multiply,
  negate,
  operand,
  PROMOTING,
  quot,
  rem,
  subtract,
} from '../numbers/arithmetic.ts';
import { wrongArgument, wrongType } from '../errors.ts';
import {
  bitAnd,
  bitAndNot,
  bitClear,
  bitFlip,
  bitNot,
  bitOr,
  bitSet,
  bitShiftLeft,
  bitShiftRight,
  bitTest,
  bitXor,
  unsignedShiftRight,
} from '../numbers/bits.ts';
import {
  absolute,
  toBigInteger,
  toByte,
  toChar,
  toDouble,
  toFloat32,
  toInt,
  toLong,
  toNumber,
  toShort,
} from '../numbers/convert.ts';
import { parseDouble, parseLong } from '../numbers/parse.ts';
import { isTruthy } from '../truth.ts';
import { double, integer, isInteger, isNumber, toFloat } from '../values/double.ts';
import { parseUuid } from '../values/uuid.ts';
import { fixed, type Row, variadic } from './row.ts';
import { untilDecided } from './until-decided.ts';

function fold(step: (a: unknown, b: unknown) => unknown, args: readonly unknown[]): unknown {
  let result = args[0];
  for (let i = 1; i < args.length; i++) result = step(result, args[i]);
  return result;
}

/** A built-in over a binary operation, from left to right. */
function folding(
  name: string,
  doc: string,
  step: (a: unknown, b: unknown) => unknown,
  one: (a: unknown) => unknown,
  none: (() => unknown) | null,
): Row {
  const bodies = [one, step, (a: unknown, b: unknown, c: unknown) => step(step(a, b), c)];
  return variadic(
    name,
    doc,
    none === null ? 1 : 0,
    (args) => fold(step, args),
    ...(none === null ? bodies : [none, ...bodies]),
  );
}

/** A built-in over a binary operation that needs two operands. */
function folding2(name: string, doc: string, step: (a: unknown, b: unknown) => unknown): Row {
  return variadic(name, doc, 2, (args) => fold(step, args), step);
}

/** A comparison of neighbours: one argument is true unchecked, the first false pair ends it. */
function chain(name: string, doc: string, holds: (a: unknown, b: unknown) => boolean): Row {
  const all = (args: readonly unknown[]): boolean => {
    for (let i = 1; i < args.length; i++) if (!holds(args[i - 1], args[i])) return false;
    return true;
  };
  const three = (a: unknown, b: unknown, c: unknown): boolean => holds(a, b) && holds(b, c);
  return untilDecided(
    false,
    variadic(name, doc, 1, all, (_a: unknown) => true, holds, three),
  );
}

/** The greater or lesser of two: equal values give the last, NaN wins over everything. */
function choose(operation: string, beats: (a: unknown, b: unknown) => boolean): (a: unknown, b: unknown) => unknown {
  return (x, y) => {
    const a = operand(operation, 1, x);
    const b = operand(operation, 2, y);
    if (typeof a === 'number' && a !== a) return a;
    if (typeof b === 'number' && b !== b) return b;
    return beats(a, b) ? a : b;
  };
}

function choosing(name: string, doc: string, beats: (a: unknown, b: unknown) => boolean): Row {
  return folding(name, doc, choose(name, beats), (a) => a, null);
}

function numericTest(name: string, doc: string, holds: (value: number) => boolean): Row {
  return fixed(name, doc, (x: unknown) => {
    if (!isNumber(x)) throw wrongType(name, 1, 'a number', x);
    return holds(toFloat(x));
  });
}

function isEvenInteger(name: string, x: unknown): boolean {
  if (!isInteger(x)) throw wrongArgument(name, 1, 'an integer', x);
  return typeof x === 'number' ? x % 2 === 0 : (x & 1n) === 0n;
}

/** A parser of strings: other values are TE/I, text that is none gives nil. */
export function parser(name: string, doc: string, parse: (text: string) => unknown): Row {
  return fixed(name, doc, (text: unknown) => {
    if (typeof text !== 'string') throw wrongArgument(name, 1, 'a string', text);
    return parse(text);
  });
}

export function longOf(text: string): unknown {
  const value = parseLong(text);
  return value === null ? null : integer(value);
}

function doubleOf(text: string): unknown {
  const value = parseDouble(text);
  return value === null ? null : double(value);
}

function booleanOf(text: string): unknown {
  if (text === 'true') return true;
  return text === 'false' ? false : null;
}

const sumDoc = 'The sum of numbers; 0 without any.';
const productDoc = 'The product of numbers; 1 without any.';
const differenceDoc = 'The first number less the others; one alone is negated.';

export function numbers(): readonly Row[] {
  return [
    folding(
      '+',
      sumDoc,
      add,
      (a) => operand('+', 1, a),
      () => 0,
    ),
    folding(
      '*',
      productDoc,
      multiply,
      (a) => operand('*', 1, a),
      () => 1,
    ),
    folding('-', differenceDoc, subtract, negate, null),
    folding('/', 'The first number divided by the others; one alone is inverted.', divide, (a) => divide(1, a), null),
    fixed('inc', 'One more than a number.', increment),
    fixed('dec', 'One less than a number.', decrement),
    fixed('quot', 'The quotient of two numbers, cut off toward zero.', quot),
    fixed('rem', 'The remainder of a division, with the sign of the dividend.', rem),
    fixed('mod', 'The remainder of a division, with the sign of the divisor.', mod),
    chain('<', 'Whether numbers rise strictly.', isLess),
    chain('<=', 'Whether numbers never fall.', isLessOrEqual),
    chain('>', 'Whether numbers fall strictly.', isGreater),
    chain('>=', 'Whether numbers never rise.', isGreaterOrEqual),
    chain('==', 'Whether numbers are equal by value across their types.', isNumericallyEqual),
    folding(
      "+'",
      sumDoc,
      PROMOTING.add,
      (a) => operand("+'", 1, a),
      () => 0,
    ),
    folding(
      "*'",
      productDoc,
      PROMOTING.multiply,
      (a) => operand("*'", 1, a),
      () => 1,
    ),
    folding("-'", differenceDoc, PROMOTING.subtract, PROMOTING.negate, null),
    fixed("inc'", 'One more than a number.', PROMOTING.increment),
    fixed("dec'", 'One less than a number.', PROMOTING.decrement),
    fixed('abs', 'The magnitude of a number.', absolute),
    fixed('num', 'The number itself.', toNumber),
    choosing('max', 'The greatest number.', isGreater),
    choosing('min', 'The least number.', isLess),
    fixed('int', 'A number or char as an integer of 32 bits.', toInt),
    fixed('long', 'A number or char as an integer of 64 bits.', toLong),
    fixed('short', 'A number or char as an integer of 16 bits.', toShort),
    fixed('byte', 'A number or char as an integer of 8 bits.', toByte),
    fixed('char', 'The char of a UTF-16 unit.', toChar),
    fixed('double', 'A number as a double.', toDouble),
    fixed('float', 'A number as a float of 32 bits.', toFloat32),
    fixed('bigint', 'A number or a string of digits as an integer.', toBigInteger('bigint')),
    fixed('biginteger', 'A number or a string of digits as an integer.', toBigInteger('biginteger')),
    fixed('boolean', 'False for nil and false, else true.', isTruthy),
    folding2('bit-and', 'The bits that all integers have.', bitAnd),
    folding2('bit-or', 'The bits that some integer has.', bitOr),
    folding2('bit-xor', 'The bits that an odd number of integers has.', bitXor),
    folding2('bit-and-not', 'The bits of the first integer that no other has.', bitAndNot),
    fixed('bit-not', 'All bits of a 64-bit integer inverted.', bitNot),
    fixed('bit-shift-left', 'Bits moved up by a count modulo 64.', bitShiftLeft),
    fixed('bit-shift-right', 'Bits moved down by a count modulo 64, keeping the sign.', bitShiftRight),
    fixed('unsigned-bit-shift-right', 'Bits moved down by a count modulo 64, filling with zeros.', unsignedShiftRight),
    fixed('bit-set', 'The integer with one bit set.', bitSet),
    fixed('bit-clear', 'The integer with one bit cleared.', bitClear),
    fixed('bit-flip', 'The integer with one bit inverted.', bitFlip),
    fixed('bit-test', 'Whether one bit is set.', bitTest),
    numericTest('zero?', 'Whether a number is zero.', (x) => x === 0),
    numericTest('pos?', 'Whether a number is above zero.', (x) => x > 0),
    numericTest('neg?', 'Whether a number is below zero.', (x) => x < 0),
    numericTest('NaN?', 'Whether a number is NaN.', (x) => x !== x),
    numericTest('infinite?', 'Whether a number is infinite.', (x) => x === Infinity || x === -Infinity),
    fixed('even?', 'Whether an integer is even.', (x: unknown) => isEvenInteger('even?', x)),
    fixed('odd?', 'Whether an integer is odd.', (x: unknown) => !isEvenInteger('odd?', x)),
    parser('parse-long', 'The 64-bit integer that a text spells, or nil.', longOf),
    parser('parse-double', 'The double that a text spells, or nil.', doubleOf),
    parser('parse-boolean', 'The boolean that a text spells exactly, or nil.', booleanOf),
    parser('parse-uuid', 'The UUID that a text spells, or nil.', parseUuid),
  ];
}
