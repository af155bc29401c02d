import { conj, emptied, into, isEmpty, peek, pop } from '../collections.ts';
import { outOfBounds, valueError, wrongType } from '../errors.ts';
import { typeName } from '../classes.ts';
import { invoke1 } from '../invoke.ts';
import { toIndex, toIntIndex } from '../numbers/index-number.ts';
import { cons, count, first, isCounted, next, nth, nthOr, rest, seq, toArray, visit } from '../sequence.ts';
import { Reduced } from '../values/atom.ts';
import { Collection } from '../values/collection.ts';
import { release } from '../values/lazy-seq.ts';
import { countedSeq, EMPTY_LIST, list, realised } from '../values/seq.ts';
import { LispSet, setFrom } from '../values/set.ts';
import { SortedMap } from '../values/sorted-map.ts';
import { SortedSet } from '../values/sorted-set.ts';
import { partOfVector } from '../values/sub-vector.ts';
import { EMPTY_VECTOR, Vector, vector } from '../values/vector.ts';
import { intoTransduced } from './transducers.ts';
import { fixed, type Row, variadic } from './row.ts';

function second(collection: unknown): unknown {
  return first(next(collection));
}

function last(collection: unknown): unknown {
  if (collection instanceof Vector) return collection.count === 0 ? null : collection.at(collection.count - 1);
  let found: unknown = null;
  visit(collection, (element) => {
    found = element;
  });
  return found;
}

function butLast(collection: unknown): unknown {
  const source = toArray(collection);
  return source.length < 2 ? null : countedSeq(source.slice(0, -1));
}

/** Parts of vectors are counted seqs, parts of anything else are not (language.md §6). */
export function elementsLike(source: unknown, elements: readonly unknown[]): Collection {
  return source instanceof Vector ? countedSeq(elements) : realised(elements);
}

/** `(nthrest coll n)`: n of zero or less gives the collection itself. */
function nthRest(collection: unknown, n: unknown): unknown {
  const skip = atLeast('nthrest', n);
  if (skip <= 0) return collection;
  return skipCells(collection, skip);
}

function skipCells(collection: unknown, skip: number): unknown {
  if (collection instanceof Vector && collection.count > skip) return seq(countedSeq(collection.toArray().slice(skip)));
  let at: unknown = collection;
  for (let left = skip; left > 0; left--) {
    const cells = seq(at);
    if (cells === null) return EMPTY_LIST;
    at = cells.rest();
  }
  return at ?? EMPTY_LIST;
}

/** Where there is nothing to skip, n is not looked at. */
function nthNext(collection: unknown, n: unknown): unknown {
  const cells = seq(collection);
  if (cells === null) return null;
  const skip = atLeast('nthnext', n);
  return skip <= 0 ? cells : seq(skipCells(collection, skip));
}

/** A count argument that may be a fraction: cut up, since the reference counts down to below one. */
export function atLeast(operation: string, n: unknown): number {
  if (typeof n === 'number') return Math.ceil(n);
  const whole = toIndex(operation, 1, n);
  return whole;
}

function listStar(args: readonly unknown[]): unknown {
  if (args.length === 1) return seq(args[0]);
  let result: unknown = args.at(-1);
  for (let i = args.length - 2; i >= 0; i--) result = cons(args[i], result);
  return result;
}

function vec(collection: unknown): unknown {
  if (collection instanceof Vector) return vector(collection.toArray());
  if (collection === null || typeof collection === 'string' || collection instanceof Collection) {
    return vector(toArray(collection));
  }
  throw valueError('java.lang.RuntimeException', `Unable to convert: ${typeName(collection)} to Object[]`);
}

function toSet(collection: unknown): unknown {
  if (collection instanceof LispSet) return collection.meta === null ? collection : collection.withMeta(null);
  return setFrom(toArray(collection));
}

function conjAll(args: readonly unknown[]): unknown {
  let grown = args[0];
  if (grown === null && args.length > 1) grown = EMPTY_LIST;
  for (let i = 1; i < args.length; i++) grown = conj(grown, args[i]);
  return grown;
}

function reversed(collection: unknown): unknown {
  return list(toArray(collection).toReversed());
}

function subVector(source: unknown, from: unknown, to: unknown): unknown {
  if (!(source instanceof Vector)) throw wrongType('subvec', 1, 'a vector', source);
  const start = toIntIndex('subvec', 2, from);
  const end = to === undefined ? source.count : toIntIndex('subvec', 3, to);
  if (start < 0 || end < start || end > source.count)
    throw outOfBounds(null, { index: start < 0 || start > source.count ? start : end, length: source.count });
  return partOfVector(source, start, end);
}

function reverseSeq(collection: unknown): unknown {
  if (collection instanceof Vector || collection instanceof SortedMap || collection instanceof SortedSet) {
    return collection.count === 0 ? null : countedSeq(collection.toArray().toReversed());
  }
  throw wrongType('rseq', 1, 'a vector or sorted collection', collection);
}

function notEmpty(collection: unknown): unknown {
  return isEmpty(collection) ? null : collection;
}

function doAll(collection: unknown): unknown {
  walk(collection, Number.POSITIVE_INFINITY);
  return collection;
}

/** Realises a seq up to `limit` elements; what is not seqable is TE/I. */
function walk(collection: unknown, limit: number): void {
  let at = seq(collection);
  release(collection);
  for (let left = limit; at !== null && left > 0 && !isCounted(at); left--) at = next(at);
}

function runForEach(f: unknown, collection: unknown): null {
  visit(collection, (element) => invoke1(f, element) instanceof Reduced);
  return null;
}

function boundedCount(limit: unknown, collection: unknown): number {
  const most = toIndex('bounded-count', 1, limit);
  if (isCounted(collection) || collection === null) return count(collection);
  let total = 0;
  for (let at = seq(collection); at !== null && total < most; at = next(at)) total++;
  return total;
}

export function seqAccess(): readonly Row[] {
  return [
    fixed('seq', 'coll', 'The elements of a collection as a seq, nil when there are none.', seq),
    fixed('first', 'coll', 'The first element, or nil.', first),
    fixed('second', 'x', 'The second element, or nil.', second),
    fixed('last', 'coll', 'The last element, or nil.', last),
    fixed('ffirst', 'x', 'The first element of the first element.', (c: unknown) => first(first(c))),
    fixed('fnext', 'x', 'The second element, or nil.', second),
    fixed('nfirst', 'x', 'What follows the first element of the first element, or nil.', (c: unknown) =>
      next(first(c)),
    ),
    fixed('nnext', 'x', 'What follows the second element, or nil.', (c: unknown) => next(next(c))),
    fixed('next', 'coll', 'What follows the first element, or nil.', next),
    fixed('rest', 'coll', 'What follows the first element, perhaps nothing.', rest),
    fixed('butlast', 'coll', 'All elements but the last, or nil.', butLast),
    fixed('count', 'coll', 'The number of elements; of a string, of its UTF-16 units.', count),
    fixed('nth', 'coll index|coll index not-found', 'The element at an index, or a default.', nth, nthOr),
    fixed('nthrest', 'coll n', 'What follows the first n elements.', nthRest),
    fixed('nthnext', 'coll n', 'What follows the first n elements, nil when nothing does.', nthNext),
    fixed('cons', 'x seq', 'A seq with one more element in front.', cons),
    variadic('list', '& items', 'A list of the arguments.', 0, (args) => list(args)),
    variadic(
      'list*',
      'args|a args|a b args|a b c args|a b c d & more',
      'The arguments in front of the elements of the last one.',
      1,
      listStar,
    ),
    variadic(
      'vector',
      '|a|a b|a b c|a b c d|a b c d e|a b c d e f|a b c d e f & args',
      'A vector of the arguments.',
      0,
      (args) => vector(args),
    ),
    fixed('vec', 'coll', 'A vector of the elements of a collection.', vec),
    fixed('set', 'coll', 'A set of the elements of a collection.', toSet),
    variadic(
      'conj',
      '|coll|coll x|coll x & xs',
      'The collection with elements added where its kind grows.',
      0,
      conjAll,
      () => EMPTY_VECTOR,
      (collection: unknown) => collection,
      conj,
    ),
    fixed(
      'into',
      '|to|to from|to xform from',
      'The first collection with all elements of another added, perhaps through a transducer.',
      () => EMPTY_VECTOR,
      (target: unknown) => target,
      into,
      intoTransduced,
    ),
    fixed('reverse', 'coll', 'A list of the elements in reverse.', reversed),
    fixed(
      'subvec',
      'v start|v start end',
      'The part of a vector between two indexes.',
      (source: unknown, from: unknown) => subVector(source, from, undefined),
      subVector,
    ),
    fixed(
      'rseq',
      'rev',
      'The elements of a vector or sorted collection in reverse, nil when there are none.',
      reverseSeq,
    ),
    fixed('empty', 'coll', 'An empty collection of the same kind, or nil.', emptied),
    fixed('not-empty', 'coll', 'The collection, or nil when it has no elements.', notEmpty),
    fixed('peek', 'coll', 'The last element of a vector or the first of a list.', peek),
    fixed('pop', 'coll', 'A vector without its last or a list without its first element.', pop),
    fixed(
      'doall',
      'coll|n coll',
      'The collection with all its elements computed.',
      doAll,
      (n: unknown, collection: unknown) => {
        walk(collection, toIndex('doall', 1, n));
        return collection;
      },
    ),
    fixed(
      'dorun',
      'coll|n coll',
      'Computes all elements of a collection; nil.',
      (collection: unknown) => {
        walk(collection, Number.POSITIVE_INFINITY);
        return null;
      },
      (n: unknown, collection: unknown) => {
        walk(collection, toIndex('dorun', 1, n));
        return null;
      },
    ),
    fixed('run!', 'proc coll', 'Calls a function with each element; nil.', runForEach),
    fixed('bounded-count', 'n coll', 'The count, counted no further than a limit unless known.', boundedCount),
  ];
}
