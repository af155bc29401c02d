import { compareValues } from '../comparison.ts';
import { typeName } from '../classes.ts';
import { castError, memoryExceeded, wrongType } from '../errors.ts';
import { invoke1 } from '../invoke.ts';
import { getOr } from '../lookup.ts';
import { add, divide, operand } from '../numbers/arithmetic.ts';
import { howMany } from './seq-take.ts';
import { mapMany } from './seq-transform.ts';
import { toArray, visit } from '../sequence.ts';
import { LispMap } from '../values/map.ts';
import { double, integer, isInteger, isNumber, toFloat } from '../values/double.ts';
import { EMPTY_LIST, realised } from '../values/seq.ts';
import { SetBuilder } from '../values/set.ts';
import { EMPTY_VECTOR, Vector, vector } from '../values/vector.ts';
import { doubleArgument, power } from './clojure-math.ts';
import { lowerCase, upperCase } from './clojure-string.ts';
import { longOf, parser } from './numbers.ts';
import { fixed, type Row, variadic } from './row.ts';

/** Rows of results that `combinations` may have (language.md §20). */
const COMBINATION_LIMIT = 100_000;

/** Integers stay, floats round to an integer; infinities and NaN pass. */
function rounding(name: string, parameters: string, doc: string, round: (x: number) => number): Row {
  return fixed(name, parameters, doc, (x: unknown) => {
    const number = operand(name, 1, x);
    if (isInteger(number)) return number;
    const float = toFloat(number);
    return Number.isFinite(float) ? integer(BigInt(round(float))) : number;
  });
}

function awayFromZero(x: number): number {
  const magnitude = Math.abs(x);
  const floor = Math.floor(magnitude);
  return Math.sign(x) * (magnitude - floor >= 0.5 ? floor + 1 : floor);
}

/** What a key function gives: a callable, a string key or a vector path, by the flexible rule. */
function keyReader(keyOf: unknown): (element: unknown) => unknown {
  if (typeof keyOf === 'string') return (element) => getOr(element, keyOf, null);
  if (keyOf instanceof Vector) {
    const path = keyOf.toArray();
    return (element) => path.reduce((at, key) => getOr(at, key, null), element);
  }
  return (element) => invoke1(keyOf, element);
}

/** Values that are not nil. */
function valuesBy(keyOf: unknown, collection: unknown): unknown[] {
  const read = keyReader(keyOf);
  const values: unknown[] = [];
  visit(collection, (element) => {
    const value = read(element);
    if (value !== null) values.push(value);
  });
  return values;
}

function notNil(collection: unknown): unknown[] {
  return toArray(collection).filter((element) => element !== null);
}

function sum(operation: string, values: readonly unknown[]): unknown {
  let total: unknown = 0;
  for (const value of values) {
    if (!isNumber(value))
      throw castError(`${operation}: only numbers have a sum, not ${typeName(value)}`, {
        operation,
        expected: 'numbers',
        given: typeName(value),
      });
    total = add(total, value);
  }
  return total;
}

function average(operation: string, values: readonly unknown[]): unknown {
  if (values.length === 0) return null;
  const mean = divide(sum(operation, values), values.length);
  return isNumber(mean) ? double(toFloat(mean)) : mean;
}

/**
 * The element whose value comes first (-1) or last (1) by `compare`; the first of equals; elements whose value is nil
 * are passed over.
 */
function extremeBy(name: string, parameters: string, doc: string, side: 1 | -1): Row {
  return variadic(name, parameters, doc, 2, (args) => {
    const [keyOf, ...collections] = args;
    const read = keyReader(keyOf);
    let best: { element: unknown; value: unknown } | null = null;
    for (const collection of collections) {
      visit(collection, (element) => {
        const value = read(element);
        if (value !== null && (best === null || compareValues(value, best.value) * side > 0)) best = { element, value };
      });
    }
    return bestElement(best);
  });
}

function bestElement(best: { element: unknown } | null): unknown {
  return best === null ? null : best.element;
}

function distinctBy(keyOf: unknown, collection: unknown): unknown {
  const read = keyReader(keyOf);
  const seen = new SetBuilder();
  return realised(toArray(collection).filter((element) => seen.add(read(element))));
}

function entries(map: unknown): unknown {
  if (map === null) return EMPTY_VECTOR;
  if (map instanceof LispMap) return vector(map.toArray());
  throw wrongType('entries', 1, 'a map', map);
}

/** Choices of n elements in input order. */
function combinations(collection: unknown, n: unknown): unknown {
  const elements = toArray(collection);
  const size = howMany('combinations', n);
  if (size < 0 || size > elements.length) return EMPTY_LIST;
  let total = 1;
  for (let i = 0; i < size; i++) {
    total = (total * (elements.length - i)) / (i + 1);
    if (total > COMBINATION_LIMIT * elements.length) throw memoryExceeded('combinations');
  }
  if (Math.round(total) > COMBINATION_LIMIT) throw memoryExceeded('combinations');
  const results: unknown[] = [];
  const chosen = Array.from({ length: size }, (_x, i) => i);
  for (;;) {
    results.push(vector(chosen.map((index) => elements[index])));
    let at = size - 1;
    while (at >= 0 && chosen[at] === elements.length - size + at) at--;
    if (at < 0) return realised(results);
    chosen[at] = (chosen[at] ?? 0) + 1;
    for (let i = at + 1; i < size; i++) chosen[i] = (chosen[i - 1] ?? 0) + 1;
  }
}

function zip(collections: readonly unknown[]): unknown {
  return vector(toArray(mapMany((...elements: readonly unknown[]) => vector([...elements]), collections)));
}

export function extensions(): readonly Row[] {
  return [
    rounding('floor', 'x', 'The greatest integer not above a number.', Math.floor),
    rounding('ceil', 'x', 'The least integer not below a number.', Math.ceil),
    rounding('round', 'x', 'The nearest integer, halves away from zero.', awayFromZero),
    rounding('trunc', 'x', 'The integer part of a number.', Math.trunc),
    fixed('sqrt', 'x', 'The square root, as a double.', (x: unknown) =>
      double(Math.sqrt(doubleArgument('sqrt', 1, x))),
    ),
    fixed('pow', 'x y', 'A number raised to another, as a double.', (x: unknown, y: unknown) =>
      double(power(doubleArgument('pow', 1, x), doubleArgument('pow', 2, y))),
    ),
    parser('parse-int', 's', 'The 64-bit integer that a text spells, or nil.', longOf),
    fixed('upcase', 's', 'The text in upper case.', upperCase('upcase')),
    fixed('downcase', 's', 'The text in lower case.', lowerCase('downcase')),
    fixed('sum', 'coll', 'The sum of the numbers, without nil.', (collection: unknown) =>
      sum('sum', notNil(collection)),
    ),
    fixed('avg', 'coll', 'The mean of the numbers, without nil; nil when there are none.', (collection: unknown) =>
      average('avg', notNil(collection)),
    ),
    fixed(
      'sum-by',
      'key coll',
      'The sum of what a key gives for each element.',
      (keyOf: unknown, collection: unknown) => sum('sum-by', valuesBy(keyOf, collection)),
    ),
    fixed(
      'avg-by',
      'key coll',
      'The mean of what a key gives for each element.',
      (keyOf: unknown, collection: unknown) => average('avg-by', valuesBy(keyOf, collection)),
    ),
    extremeBy('max-by', 'key coll & colls', 'The element for which a key gives most.', 1),
    extremeBy('min-by', 'key coll & colls', 'The element for which a key gives least.', -1),
    fixed('distinct-by', 'key coll', 'The elements without later ones of an equal key.', distinctBy),
    fixed('entries', 'map', 'The entries of a map in a vector.', entries),
    fixed('combinations', 'coll n', 'All choices of n elements, in input order.', combinations),
    variadic('zip', 'coll1 coll2 & colls', 'Vectors of the elements of several collections in step.', 2, zip),
  ];
}
