import {
  add,
  decrement,
  divide,
  increment,
  isGreater,
  isGreaterOrEqual,
  isLess,
  isLessOrEqual,
  mod,
  multiply,
  negate,
  operand,
  quot,
  rem,
  subtract,
} from '../numbers/arithmetic.ts';
import { fixed, type Row, variadic } from './row.ts';

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

/** A comparison of neighbours: one argument is true unchecked, the first false pair ends it. */
function chain(name: string, doc: string, holds: (a: unknown, b: unknown) => boolean): Row {
  return variadic(
    name,
    doc,
    1,
    (args) => {
      for (let i = 1; i < args.length; i++) if (!holds(args[i - 1], args[i])) return false;
      return true;
    },
    (_a: unknown) => true,
    holds,
    (a: unknown, b: unknown, c: unknown) => holds(a, b) && holds(b, c),
  );
}

const sumDoc = 'The sum of numbers; 0 without any.';
const productDoc = 'The product of numbers; 1 without any.';
const differenceDoc = 'The first number less the others; one alone is negated.';

export const numbers: readonly Row[] = [
  folding('+', sumDoc, add, (a) => operand('+', 1, a), () => 0),
  folding('*', productDoc, multiply, (a) => operand('*', 1, a), () => 1),
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
];
