import { castError, mismatch, nullError } from './errors.ts';
import { typeName } from './classes.ts';
import { functionFacts } from './functions.ts';
import { isFunction } from './invoke.ts';
import { ownCompareTo } from './own-methods.ts';
import { isGreater, isLess } from './numbers/arithmetic.ts';
import { Char } from './values/char.ts';
import { isInteger, isNumber, toFloat } from './values/double.ts';
import { Keyword } from './values/keyword.ts';
import { LispSymbol } from './values/symbol.ts';
import { Temporal } from './values/temporal.ts';
import { Vector } from './values/vector.ts';

/** Difference of the first differing UTF-16 units, else of the lengths. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareNamed(a: Keyword | LispSymbol, b: Keyword | LispSymbol): number {
  if (a.namespace !== b.namespace) {
    if (a.namespace === null) return -1;
    if (b.namespace === null) return 1;
    return compareText(a.namespace, b.namespace);
  }
  return compareText(a.name, b.name);
}

function compareVectors(a: Vector, b: Vector): number {
  if (a.count !== b.count) return a.count < b.count ? -1 : 1;
  for (let i = 0; i < a.count; i++) {
    const order = compareValues(a.at(i), b.at(i));
    if (order !== 0) return order;
  }
  return 0;
}

/** `(compare a b)` of functions.md §3; lists, maps, sets and mixed types are TE. */
export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (isNumber(a) && isNumber(b)) return isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0;
  if (a instanceof Keyword && b instanceof Keyword) return compareNamed(a, b);
  if (a instanceof Vector && b instanceof Vector) return compareVectors(a, b);
  if (a instanceof LispSymbol && b instanceof LispSymbol) return compareNamed(a, b);
  if (a instanceof Char && b instanceof Char) return a.code - b.code;
  if (typeof a === 'boolean' && typeof b === 'boolean') return a ? 1 : -1;
  const order = a instanceof Temporal ? a.compare(b) : null;
  if (order !== null) return order;
  const own = ownCompareTo(a);
  if (own !== null) return ownOrder(own(a, b));
  const input = `${typeName(a)} and ${typeName(b)}`;
  throw castError(`compare: cannot compare ${input}`, { operation: 'compare', given: input });
}

/** What a `compareTo` of the program gives, as an int. */
function ownOrder(order: unknown): number {
  if (isInteger(order)) return Number(BigInt.asIntN(32, BigInt(order)));
  throw mismatch(order, `compareTo: the result must be an integer, not ${typeName(order)}`);
}

/** A comparator's answer as Java reads it: a boolean asks a second time, a number is cut to 32 bits. */
function comparisonBy(comparator: (a: unknown, b: unknown) => unknown): (a: unknown, b: unknown) => number {
  return (a, b) => {
    const answer = comparator(a, b);
    if (typeof answer === 'boolean') {
      if (answer) return -1;
      const swapped = comparator(b, a);
      return swapped === null || swapped === false ? 0 : 1;
    }
    if (isInteger(answer)) return Number(BigInt.asIntN(32, BigInt(answer)));
    if (isNumber(answer)) return Math.trunc(toFloat(answer)) || 0;
    if (answer === null) throw nullError('sort: a comparator returned nil');
    throw mismatch(answer, `sort: a comparator must return a boolean or a number, not ${typeName(answer)}`);
  };
}

const BY_BUILTIN: Readonly<Record<string, (a: unknown, b: unknown) => number>> = {
  'clojure.core/compare': compareValues,
  'clojure.core/<': (a, b) => (isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0),
  'clojure.core/>': (a, b) => (isGreater(a, b) ? -1 : isGreater(b, a) ? 1 : 0),
};

/** The comparison that a comparator argument means; nil is the natural order, what is no function is TE. */
export function comparisonFor(comparator: unknown): (a: unknown, b: unknown) => number {
  if (comparator === null) return compareValues;
  if (!isFunction(comparator)) {
    throw mismatch(comparator, `sort: a comparator must be a function, not ${typeName(comparator)}`);
  }
  return BY_BUILTIN[functionFacts(comparator)?.name ?? ''] ?? comparisonBy(comparator);
}
