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
  parameters: string,
  doc: string,
  step: (a: unknown, b: unknown) => unknown,
  one: (a: unknown) => unknown,
  none: (() => unknown) | null,
): Row {
  const bodies = [one, step, (a: unknown, b: unknown, c: unknown) => step(step(a, b), c)];
  return variadic(
    name,
    parameters,
    doc,
    none === null ? 1 : 0,
    (args) => fold(step, args),
    ...(none === null ? bodies : [none, ...bodies]),
  );
}

/** A built-in over a binary operation that needs two operands. */
function folding2(name: string, parameters: string, doc: string, step: (a: unknown, b: unknown) => unknown): Row {
  return variadic(name, parameters, doc, 2, (args) => fold(step, args), step);
}

/** A comparison of neighbours: one argument is true unchecked, the first false pair ends it. */
function chain(name: string, parameters: string, doc: string, holds: (a: unknown, b: unknown) => boolean): Row {
  const all = (args: readonly unknown[]): boolean => {
    for (let i = 1; i < args.length; i++) if (!holds(args[i - 1], args[i])) return false;
    return true;
  };
  const three = (a: unknown, b: unknown, c: unknown): boolean => holds(a, b) && holds(b, c);
  return untilDecided(
    false,
    variadic(name, parameters, doc, 1, all, (_a: unknown) => true, holds, three),
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

function choosing(name: string, parameters: string, doc: string, beats: (a: unknown, b: unknown) => boolean): Row {
  return folding(name, parameters, doc, choose(name, beats), (a) => a, null);
}

function numericTest(name: string, parameters: string, doc: string, holds: (value: number) => boolean): Row {
  return fixed(name, parameters, doc, (x: unknown) => {
    if (!isNumber(x)) throw wrongType(name, 1, 'a number', x);
    return holds(toFloat(x));
  });
}

function isEvenInteger(name: string, x: unknown): boolean {
  if (!isInteger(x)) throw wrongArgument(name, 1, 'an integer', x);
  return typeof x === 'number' ? x % 2 === 0 : (x & 1n) === 0n;
}

/** A parser of strings: other values are TE/I, text that is none gives nil. */
export function parser(name: string, parameters: string, doc: string, parse: (text: string) => unknown): Row {
  return fixed(name, parameters, doc, (text: unknown) => {
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
      '|x|x y|x y & more',
      sumDoc,
      add,
      (a) => operand('+', 1, a),
      () => 0,
    ),
    folding(
      '*',
      '|x|x y|x y & more',
      productDoc,
      multiply,
      (a) => operand('*', 1, a),
      () => 1,
    ),
    folding('-', 'x|x y|x y & more', differenceDoc, subtract, negate, null),
    folding(
      '/',
      'x|x y|x y & more',
      'The first number divided by the others; one alone is inverted.',
      divide,
      (a) => divide(1, a),
      null,
    ),
    fixed('inc', 'x', 'One more than a number.', increment),
    fixed('dec', 'x', 'One less than a number.', decrement),
    fixed('quot', 'num div', 'The quotient of two numbers, cut off toward zero.', quot),
    fixed('rem', 'num div', 'The remainder of a division, with the sign of the dividend.', rem),
    fixed('mod', 'num div', 'The remainder of a division, with the sign of the divisor.', mod),
    chain('<', 'x|x y|x y & more', 'Whether numbers rise strictly.', isLess),
    chain('<=', 'x|x y|x y & more', 'Whether numbers never fall.', isLessOrEqual),
    chain('>', 'x|x y|x y & more', 'Whether numbers fall strictly.', isGreater),
    chain('>=', 'x|x y|x y & more', 'Whether numbers never rise.', isGreaterOrEqual),
    chain('==', 'x|x y|x y & more', 'Whether numbers are equal by value across their types.', isNumericallyEqual),
    folding(
      "+'",
      '|x|x y|x y & more',
      sumDoc,
      PROMOTING.add,
      (a) => operand("+'", 1, a),
      () => 0,
    ),
    folding(
      "*'",
      '|x|x y|x y & more',
      productDoc,
      PROMOTING.multiply,
      (a) => operand("*'", 1, a),
      () => 1,
    ),
    folding("-'", 'x|x y|x y & more', differenceDoc, PROMOTING.subtract, PROMOTING.negate, null),
    fixed("inc'", 'x', 'One more than a number.', PROMOTING.increment),
    fixed("dec'", 'x', 'One less than a number.', PROMOTING.decrement),
    fixed('abs', 'a', 'The magnitude of a number.', absolute),
    fixed('num', 'x', 'The number itself.', toNumber),
    choosing('max', 'x|x y|x y & more', 'The greatest number.', isGreater),
    choosing('min', 'x|x y|x y & more', 'The least number.', isLess),
    fixed('int', 'x', 'A number or char as an integer of 32 bits.', toInt),
    fixed('long', 'x', 'A number or char as an integer of 64 bits.', toLong),
    fixed('short', 'x', 'A number or char as an integer of 16 bits.', toShort),
    fixed('byte', 'x', 'A number or char as an integer of 8 bits.', toByte),
    fixed('char', 'x', 'The char of a UTF-16 unit.', toChar),
    fixed('double', 'x', 'A number as a double.', toDouble),
    fixed('float', 'x', 'A number as a float of 32 bits.', toFloat32),
    fixed('bigint', 'x', 'A number or a string of digits as an integer.', toBigInteger('bigint')),
    fixed('biginteger', 'x', 'A number or a string of digits as an integer.', toBigInteger('biginteger')),
    fixed('boolean', 'x', 'False for nil and false, else true.', isTruthy),
    folding2('bit-and', 'x y|x y & more', 'The bits that all integers have.', bitAnd),
    folding2('bit-or', 'x y|x y & more', 'The bits that some integer has.', bitOr),
    folding2('bit-xor', 'x y|x y & more', 'The bits that an odd number of integers has.', bitXor),
    folding2('bit-and-not', 'x y|x y & more', 'The bits of the first integer that no other has.', bitAndNot),
    fixed('bit-not', 'x', 'All bits of a 64-bit integer inverted.', bitNot),
    fixed('bit-shift-left', 'x n', 'Bits moved up by a count modulo 64.', bitShiftLeft),
    fixed('bit-shift-right', 'x n', 'Bits moved down by a count modulo 64, keeping the sign.', bitShiftRight),
    fixed(
      'unsigned-bit-shift-right',
      'x n',
      'Bits moved down by a count modulo 64, filling with zeros.',
      unsignedShiftRight,
    ),
    fixed('bit-set', 'x n', 'The integer with one bit set.', bitSet),
    fixed('bit-clear', 'x n', 'The integer with one bit cleared.', bitClear),
    fixed('bit-flip', 'x n', 'The integer with one bit inverted.', bitFlip),
    fixed('bit-test', 'x n', 'Whether one bit is set.', bitTest),
    numericTest('zero?', 'num', 'Whether a number is zero.', (x) => x === 0),
    numericTest('pos?', 'num', 'Whether a number is above zero.', (x) => x > 0),
    numericTest('neg?', 'num', 'Whether a number is below zero.', (x) => x < 0),
    numericTest('NaN?', 'num', 'Whether a number is NaN.', (x) => x !== x),
    numericTest('infinite?', 'num', 'Whether a number is infinite.', (x) => x === Infinity || x === -Infinity),
    fixed('even?', 'n', 'Whether an integer is even.', (x: unknown) => isEvenInteger('even?', x)),
    fixed('odd?', 'n', 'Whether an integer is odd.', (x: unknown) => !isEvenInteger('odd?', x)),
    parser('parse-long', 's', 'The 64-bit integer that a text spells, or nil.', longOf),
    parser('parse-double', 's', 'The double that a text spells, or nil.', doubleOf),
    parser('parse-boolean', 's', 'The boolean that a text spells exactly, or nil.', booleanOf),
    parser('parse-uuid', 's', 'The UUID that a text spells, or nil.', parseUuid),
  ];
}
