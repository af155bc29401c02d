import { ClassValue } from '../values/java.ts';
import { typeName } from '../classes.ts';
import { comparisonFor, compareValues } from '../comparison.ts';
import { equals, hash } from '../equality.ts';
import { arityError, mismatch } from '../errors.ts';
import { derived } from '../functions.ts';
import { classOf, isInstanceOf } from '../java/class-values.ts';
import { invoke1, invoke2, isCallable, isFunction } from '../invoke.ts';
import { get } from '../lookup.ts';
import { keepMeta, metaOf } from '../metadata.ts';
import { isGreater, isGreaterOrEqual, isLess, isLessOrEqual } from '../numbers/arithmetic.ts';
import { isCounted, toArray } from '../sequence.ts';
import { isEmpty } from '../collections.ts';
import { isTruthy } from '../truth.ts';
import { Delay, Reduced, Volatile } from '../values/atom.ts';
import { Char } from '../values/char.ts';
import { Collection } from '../values/collection.ts';
import { BoxedDouble, isFloating, isInteger, isNumber } from '../values/double.ts';
import { Eduction } from '../values/eduction.ts';
import { keyword, Keyword } from '../values/keyword.ts';
import { LazySeq } from '../values/lazy-seq.ts';
import { LispMap } from '../values/map.ts';
import { Queue } from '../values/queue.ts';
import { LispRecord } from '../values/record.ts';
import { countedSeq, EMPTY_LIST, isList, Seq } from '../values/seq.ts';
import { LispSet, SetBuilder } from '../values/set.ts';
import { SortedMap } from '../values/sorted-map.ts';
import { SortedSet } from '../values/sorted-set.ts';
import { LispSymbol } from '../values/symbol.ts';
import { JavaDate } from '../values/date.ts';
import { Instant } from '../values/instant.ts';
import { Uuid } from '../values/uuid.ts';
import { Var } from '../values/var.ts';
import { MapEntry, Vector } from '../values/vector.ts';
import { fixed, type Row, variadic, maker } from './row.ts';
import { untilDecided } from './until-decided.ts';

function allEqual(args: readonly unknown[]): boolean {
  for (let i = 1; i < args.length; i++) if (!equals(args[i - 1], args[i])) return false;
  return true;
}

function isWide(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isInteger(value)
    : typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
}

function signOf(value: unknown): number {
  return isInteger(value) ? (value > 0 ? 1 : value < 0 ? -1 : 0) : 0;
}

function sorted(comparator: unknown, collection: unknown): unknown {
  const source = toArray(collection);
  if (source.length === 0) return EMPTY_LIST;
  const comparison = comparator === undefined ? compareValues : comparisonFor(comparator);
  return keepMeta(countedSeq(source.toSorted(comparison)), collection);
}

function sortedBy(keyOf: unknown, comparator: unknown, collection: unknown): unknown {
  const source = toArray(collection);
  if (source.length === 0) return EMPTY_LIST;
  const comparison = comparator === undefined ? compareValues : comparisonFor(comparator);
  if (source.length === 1) return keepMeta(countedSeq(source), collection);
  const keyed: { key: unknown; element: unknown }[] = [];
  for (const element of source) keyed.push({ key: invoke1(keyOf, element), element });
  keyed.sort((a, b) => comparison(a.key, b.key));
  return keepMeta(countedSeq(keyed.map((pair) => pair.element)), collection);
}

function requireNumber(operation: string, key: unknown): void {
  if (isNumber(key)) return;
  throw mismatch(key, `${operation}: the keys must be numbers, not ${typeName(key)}`, {
    operation,
    expected: 'numbers',
    given: typeName(key),
  });
}

/** `max-key`, `min-key`: a later equal one wins; a single element is not asked for its key. */
function extremeBy(
  name: string,
  parameters: string,
  doc: string,
  beats: (a: unknown, b: unknown) => boolean,
  reaches: (a: unknown, b: unknown) => boolean,
): Row {
  return variadic(name, parameters, doc, 2, (args) => {
    const [keyOf, first, ...others] = args;
    if (others.length === 0) return first;
    let best = first;
    let bestKey: unknown = invoke1(keyOf, first);
    others.forEach((other, i) => {
      const key: unknown = invoke1(keyOf, other);
      requireNumber(name, bestKey);
      requireNumber(name, key);
      // The first pair and later ones are distinguished because NaN keys are.
      if (i === 0 ? beats(bestKey, key) : !reaches(key, bestKey)) return;
      best = other;
      bestKey = key;
    });
    return best;
  });
}

function areDistinct(args: readonly unknown[]): boolean {
  const seen = new SetBuilder();
  return args.every((value) => seen.add(value));
}

const TYPE_KEY = keyword(null, 'type');

function typeOf(value: unknown): unknown {
  return get(metaOf(value), TYPE_KEY) ?? classOf(value);
}

function isInstance(target: unknown, value: unknown): boolean {
  if (target instanceof ClassValue) return isInstanceOf(target, value);
  throw mismatch(target, `instance?: argument 1 must be a class, not ${typeName(target)}`);
}

function isSeqable(value: unknown): boolean {
  return value === null || typeof value === 'string' || value instanceof Collection;
}

/** Seqs that the reference computes later are realised here (A4); lists never were to be computed. */
function isRealised(value: unknown): boolean {
  if (value instanceof LazySeq) return value.body === null;
  if (value instanceof Delay) return value.body === null;
  if (value instanceof Seq && !isList(value)) return true;
  throw mismatch(value, `realized?: argument 1 must be a lazy seq or delay, not ${typeName(value)}`);
}

function isNamed(value: unknown, qualified: boolean): boolean {
  return (value instanceof Keyword || value instanceof LispSymbol) && (value.namespace !== null) === qualified;
}

function isIdentical(a: unknown, b: unknown): boolean {
  return a === b;
}

/** A test of one value. */
function test(name: string, parameters: string, doc: string, holds: (value: unknown) => boolean): Row {
  return fixed(name, parameters, doc, holds);
}

function never(name: string, parameters: string, what: string): Row {
  return test(name, parameters, `Always false: there are no ${what} here.`, (_value) => false);
}

const predicates: readonly Row[] = [
  test('nil?', 'x', 'Whether it is nil.', (x) => x === null),
  test('some?', 'x', 'Whether it is not nil.', (x) => x !== null),
  test('any?', 'x', 'Always true.', (_x) => true),
  test('true?', 'x', 'Whether it is true.', (x) => x === true),
  test('false?', 'x', 'Whether it is false.', (x) => x === false),
  test('boolean?', 'x', 'Whether it is true or false.', (x) => typeof x === 'boolean'),
  test('not', 'x', 'True for nil and false, else false.', (x) => !isTruthy(x)),
  test('string?', 'x', 'Whether it is a string.', (x) => typeof x === 'string'),
  test('char?', 'x', 'Whether it is a char.', (x) => x instanceof Char),
  test('keyword?', 'x', 'Whether it is a keyword.', (x) => x instanceof Keyword),
  test('symbol?', 'x', 'Whether it is a symbol.', (x) => x instanceof LispSymbol),
  test('ident?', 'x', 'Whether it is a keyword or symbol.', (x) => x instanceof Keyword || x instanceof LispSymbol),
  test(
    'simple-keyword?',
    'x',
    'Whether it is a keyword without a namespace.',
    (x) => x instanceof Keyword && isNamed(x, false),
  ),
  test(
    'qualified-keyword?',
    'x',
    'Whether it is a keyword with a namespace.',
    (x) => x instanceof Keyword && isNamed(x, true),
  ),
  test(
    'simple-symbol?',
    'x',
    'Whether it is a symbol without a namespace.',
    (x) => x instanceof LispSymbol && isNamed(x, false),
  ),
  test(
    'qualified-symbol?',
    'x',
    'Whether it is a symbol with a namespace.',
    (x) => x instanceof LispSymbol && isNamed(x, true),
  ),
  test('simple-ident?', 'x', 'Whether it is a keyword or symbol without a namespace.', (x) => isNamed(x, false)),
  test('qualified-ident?', 'x', 'Whether it is a keyword or symbol with a namespace.', (x) => isNamed(x, true)),
  test('map?', 'x', 'Whether it is a map.', (x) => x instanceof LispMap),
  test('record?', 'x', 'Whether it is a record.', (x) => x instanceof LispRecord),
  test('set?', 'x', 'Whether it is a set.', (x) => x instanceof LispSet),
  test('coll?', 'x', 'Whether it is a collection.', (x) => x instanceof Collection && !(x instanceof Eduction)),
  test('fn?', 'x', 'Whether it is a function: a closure, a built-in or a method value.', isFunction),
  test('ifn?', 'x', 'Whether it can be called.', isCallable),
  test('var?', 'v', 'Whether it is a var.', (x) => x instanceof Var),
  test('delay?', 'x', 'Whether it is a delay.', (x) => x instanceof Delay),
  test('volatile?', 'x', 'Whether it is a volatile.', (x) => x instanceof Volatile),
  test('inst?', 'x', 'Whether it is a point in time.', (x) => x instanceof JavaDate || x instanceof Instant),
  test('uuid?', 'x', 'Whether it is a UUID.', (x) => x instanceof Uuid),
  test('reduced?', 'x', 'Whether it is the mark that ends a reduction.', (x) => x instanceof Reduced),
  test('vector?', 'x', 'Whether it is a vector or map entry.', (x) => x instanceof Vector),
  test('list?', 'x', 'Whether it is a list.', (x) => isList(x) || x instanceof Queue),
  test('seq?', 'x', 'Whether it is a list or seq.', (x) => x instanceof Seq),
  test(
    'sequential?',
    'coll',
    'Whether it is a vector, list or seq.',
    (x) => x instanceof Vector || x instanceof Seq || x instanceof Eduction || x instanceof Queue,
  ),
  test('associative?', 'coll', 'Whether it is a map or vector.', (x) => x instanceof LispMap || x instanceof Vector),
  test('counted?', 'coll', 'Whether it knows its count.', isCounted),
  test('indexed?', 'coll', 'Whether its elements are found by index at once.', (x) => x instanceof Vector),
  test(
    'reversible?',
    'coll',
    'Whether rseq takes it.',
    (x) => x instanceof Vector || x instanceof SortedMap || x instanceof SortedSet,
  ),
  test(
    'sorted?',
    'coll',
    'Whether it is a sorted map or set.',
    (x) => x instanceof SortedMap || x instanceof SortedSet,
  ),
  test('seqable?', 'x', 'Whether seq takes it.', isSeqable),
  test('map-entry?', 'x', 'Whether it is an entry of a map.', (x) => x instanceof MapEntry),
  test('number?', 'x', 'Whether it is a number.', isNumber),
  test('rational?', 'n', 'Whether it is an integer.', isInteger),
  test('integer?', 'n', 'Whether it is an integer of any size.', isInteger),
  test('int?', 'x', 'Whether it is an integer of 64 bits.', isWide),
  test('float?', 'n', 'Whether it is a double or float.', isFloating),
  test(
    'double?',
    'x',
    'Whether it is a double.',
    (x) => x instanceof BoxedDouble || (typeof x === 'number' && !Number.isInteger(x)),
  ),
  test('pos-int?', 'x', 'Whether it is a 64-bit integer above zero.', (x) => isWide(x) && signOf(x) > 0),
  test('neg-int?', 'x', 'Whether it is a 64-bit integer below zero.', (x) => isWide(x) && signOf(x) < 0),
  test('nat-int?', 'x', 'Whether it is a 64-bit integer of zero or more.', (x) => isWide(x) && signOf(x) >= 0),
  never('ratio?', 'n', 'ratios'),
  never('decimal?', 'n', 'decimals'),
  never('bytes?', 'x', 'byte arrays'),
  never('uri?', 'x', 'URIs'),
  never('tagged-literal?', 'value', 'tagged literals'),
  never('reader-conditional?', 'value', 'reader conditionals'),
  test('empty?', 'coll', 'Whether a collection has no elements.', isEmpty),
  test('realized?', 'x', 'Whether a lazy seq or delay has been computed.', isRealised),
  test('class?', 'x', 'Whether it is a class.', (x) => x instanceof ClassValue),
];

export function comparison(): readonly Row[] {
  return [
    untilDecided(
      false,
      variadic(
        '=',
        'x|x y|x y & more',
        'Whether values are equal.',
        1,
        allEqual,
        (_a: unknown) => true,
        equals,
        (a: unknown, b: unknown, c: unknown) => equals(a, b) && equals(b, c),
      ),
    ),
    untilDecided(
      true,
      variadic(
        'not=',
        'x|x y|x y & more',
        'Whether values are not all equal.',
        1,
        (args) => !allEqual(args),
        (_a: unknown) => false,
        (a: unknown, b: unknown) => !equals(a, b),
      ),
    ),
    fixed('identical?', 'x y', 'Whether two values are the same object.', isIdentical),
    fixed('hash', 'x', 'The hash of a value; equal values have equal ones.', hash),
    fixed('compare', 'x y', 'Negative, zero or positive by the order of two values; nil comes first.', compareValues),
    fixed(
      'sort',
      'coll|comp coll',
      'The elements in order, equal ones as they came.',
      (collection: unknown) => sorted(undefined, collection),
      sorted,
    ),
    fixed(
      'sort-by',
      'keyfn coll|keyfn comp coll',
      'The elements in the order of what a function gives for them.',
      (keyOf: unknown, collection: unknown) => sortedBy(keyOf, undefined, collection),
      sortedBy,
    ),
    maker(
      fixed(
        'comparator',
        'pred',
        'A comparator from a test that says whether the first comes before the second.',
        (before: unknown) =>
          derived('clojure.core/comparator', [before], (...args) => {
            if (args.length !== 2) throw arityError(args.length, 'clojure.core/comparator');
            const [a, b] = args;
            if (isTruthy(invoke2(before, a, b))) return -1;
            return isTruthy(invoke2(before, b, a)) ? 1 : 0;
          }),
      ),
    ),
    extremeBy('max-key', 'k x|k x y|k x y & more', 'The value with the greatest key.', isGreater, isGreaterOrEqual),
    extremeBy('min-key', 'k x|k x y|k x y & more', 'The value with the least key.', isLess, isLessOrEqual),
    untilDecided(false, variadic('distinct?', 'x|x y|x y & more', 'Whether no two values are equal.', 1, areDistinct)),
    fixed('class', 'x', 'The class of a value, nil for nil.', classOf),
    fixed('type', 'x', 'The :type metadata of a value, or its class.', typeOf),
    fixed('instance?', 'c x', 'Whether a value is of a class.', isInstance),
    ...predicates,
  ];
}
