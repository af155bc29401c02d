import { badValue } from '../errors.ts';
import { invoke1, type LispFunction } from '../invoke.ts';
import { toIndex } from '../numbers/index-number.ts';
import { isNumber, toFloat } from '../values/double.ts';
import { isLazySource, next, seq, toArray, visit } from '../sequence.ts';
import { isTruthy } from '../truth.ts';
import { Reduced } from '../values/atom.ts';
import { type LazyBodies, lazySeq, STRIDE } from '../values/lazy-seq.ts';
import { Range } from '../values/range.ts';
import { ArraySeq, Cons, countedSeq, EMPTY_SEQ, List, realised } from '../values/seq.ts';
import { Vector, vector } from '../values/vector.ts';
import { elementsLike } from './seq-access.ts';
import { reducing, stepOf, transducer } from './transducers.ts';
import { fixed, type Row, maker } from './row.ts';

/** A count of elements: fractions count up, as counting down to zero does; nil and non-numbers are TE. */
export function howMany(operation: string, n: unknown): number {
  if (isNumber(n)) {
    const count = Math.ceil(toFloat(n));
    return count !== count ? 0 : count;
  }
  return toIndex(operation, 1, n);
}

function take(n: unknown, source: unknown): unknown {
  return takeCount(howMany('take', n), source);
}

function takeCount(count: number, source: unknown): unknown {
  if (isLazySource(source))
    return source instanceof Range ? takeArray(source, count) : lazySeq(takeBody, count, source);
  return takeArray(source, count);
}

function takeArray(source: unknown, count: number): unknown {
  const prefix: unknown[] = [];
  if (count <= 0) return EMPTY_SEQ;
  visit(source, (element) => prefix.push(element) >= count);
  return realised(prefix);
}

export function takeBody(n: unknown, source: unknown): unknown {
  const count = Number(n);
  if (count <= 0) return null;
  const cells = seq(source);
  if (cells === null) return null;
  return new Cons(cells.first(), count === 1 ? EMPTY_SEQ : lazySeq(takeBody, count - 1, cells.rest()), null);
}

function taking(n: unknown): LispFunction {
  const count = howMany('take', n);
  return transducer('take', [n], (rf) => {
    const step = stepOf(rf);
    let left = count;
    return reducing(rf, (result, input) => {
      const next = left > 0 ? step(result, input) : result;
      left--;
      return left > 0 || next instanceof Reduced ? next : new Reduced(next);
    });
  });
}

function drop(n: unknown, source: unknown): unknown {
  return dropCount(howMany('drop', n), source);
}

function dropCount(count: number, source: unknown): unknown {
  if (isLazySource(source)) return lazySeq(dropBody, count, source);
  const elements = toArray(source);
  if (count <= 0 && source instanceof ArraySeq) return source;
  return elementsLike(source, count <= 0 ? elements : elements.slice(count));
}

export function dropBody(n: unknown, source: unknown): unknown {
  let at = seq(source);
  const wanted = Number(n);
  const stride = Math.min(wanted, STRIDE);
  for (let left = stride; at !== null && left > 0; left--) at = next(at);
  return at !== null && wanted > stride ? lazySeq(dropBody, wanted - stride, at) : at;
}

function dropping(n: unknown): LispFunction {
  const count = howMany('drop', n);
  return transducer('drop', [n], (rf) => {
    const step = stepOf(rf);
    let left = count;
    return reducing(rf, (result, input) => (left-- > 0 ? result : step(result, input)));
  });
}

function takeWhile(test: unknown, source: unknown): unknown {
  if (isLazySource(source)) return lazySeq(takeWhileBody, test, source);
  const prefix: unknown[] = [];
  visit(source, (element) => {
    if (!isTruthy(invoke1(test, element))) return true;
    prefix.push(element);
    return false;
  });
  return realised(prefix);
}

export function takeWhileBody(test: unknown, source: unknown): unknown {
  const cells = seq(source);
  if (cells === null) return null;
  const element = cells.first();
  return isTruthy(invoke1(test, element)) ? new Cons(element, lazySeq(takeWhileBody, test, cells.rest()), null) : null;
}

function takingWhile(test: unknown): LispFunction {
  return transducer('take-while', [test], (rf) => {
    const step = stepOf(rf);
    return reducing(rf, (result, input) =>
      isTruthy(invoke1(test, input)) ? step(result, input) : new Reduced(result),
    );
  });
}

function dropWhile(test: unknown, source: unknown): unknown {
  if (isLazySource(source)) return lazySeq(dropWhileBody, test, source);
  const elements = toArray(source);
  let from = 0;
  while (from < elements.length && isTruthy(invoke1(test, elements[from]))) from++;
  return realised(elements.slice(from));
}

export function dropWhileBody(test: unknown, source: unknown): unknown {
  let at = seq(source);
  for (let left = STRIDE; at !== null && isTruthy(invoke1(test, at.first())); left--) {
    at = next(at);
    if (left === 0) return lazySeq(dropWhileBody, test, at);
  }
  return at;
}

function droppingWhile(test: unknown): LispFunction {
  return transducer('drop-while', [test], (rf) => {
    const step = stepOf(rf);
    let dropping = true;
    return reducing(rf, (result, input) => {
      if (dropping && isTruthy(invoke1(test, input))) return result;
      dropping = false;
      return step(result, input);
    });
  });
}

function stride(n: unknown): number {
  const count = howMany('take-nth', n);
  if (count < 1) throw badValue('take-nth: n must be one or more');
  return count;
}

function takeNth(n: unknown, source: unknown): unknown {
  const count = stride(n);
  if (isLazySource(source)) return lazySeq(takeNthBody, count, source);
  return realised(toArray(source).filter((_element, i) => i % count === 0));
}

export function takeNthBody(n: unknown, source: unknown): unknown {
  const cells = seq(source);
  if (cells === null) return null;
  return new Cons(cells.first(), lazySeq(takeNthBody, n, lazySeq(dropBody, n, cells)), null);
}

function takingNth(n: unknown): LispFunction {
  const count = stride(n);
  return transducer('take-nth', [n], (rf) => {
    const step = stepOf(rf);
    let index = -1;
    return reducing(rf, (result, input) => {
      index++;
      return index % count === 0 ? step(result, input) : result;
    });
  });
}

/** The list at the end of a list. */
function endOf(whole: List, count: number): List {
  let end = whole;
  while (end.count > count) end = end.tail;
  return end;
}

function takeLast(n: unknown, source: unknown): unknown {
  const count = howMany('take-last', n);
  if (source instanceof List) return count <= 0 ? null : seq(endOf(source, count));
  const elements = toArray(source);
  if (count <= 0 || elements.length === 0) return null;
  return source instanceof Vector ? countedSeq(elements.slice(-count)) : realised(elements.slice(-count));
}

function dropLast(n: unknown, source: unknown): unknown {
  const count = howMany('drop-last', n);
  if (isLazySource(source)) return lazySeq(dropLastBody, source, lazySeq(dropBody, count, source));
  const elements = toArray(source);
  return realised(elements.slice(0, Math.max(0, elements.length - Math.max(0, count))));
}

export function dropLastBody(source: unknown, ahead: unknown): unknown {
  const cells = seq(source);
  const forward = seq(ahead);
  if (cells === null || forward === null) return null;
  return new Cons(cells.first(), lazySeq(dropLastBody, cells.rest(), forward.rest()), null);
}

export function seqTake(): readonly Row[] {
  return [
    maker(fixed('take', 'n|n coll', 'The first n elements.', taking, take)),
    maker(fixed('drop', 'n|n coll', 'The elements after the first n.', dropping, drop)),
    maker(
      fixed('take-while', 'pred|pred coll', 'The elements before the first that fails a test.', takingWhile, takeWhile),
    ),
    maker(
      fixed('drop-while', 'pred|pred coll', 'The elements from the first that fails a test.', droppingWhile, dropWhile),
    ),
    maker(fixed('take-nth', 'n|n coll', 'Every nth element.', takingNth, takeNth)),
    fixed('take-last', 'n coll', 'The last n elements, or nil.', takeLast),
    fixed(
      'drop-last',
      'coll|n coll',
      'The elements before the last n, one unless given.',
      (c: unknown) => dropLast(1, c),
      dropLast,
    ),
    fixed('split-at', 'n coll', 'The first n elements and the others.', (n: unknown, c: unknown) => {
      const count = howMany('split-at', n);
      return vector([takeCount(count, c), dropCount(count, c)]);
    }),
    fixed(
      'split-with',
      'pred coll',
      'The elements before the first that fails a test, and the others.',
      (test: unknown, c: unknown) => vector([takeWhile(test, c), dropWhile(test, c)]),
    ),
    fixed('splitv-at', 'n coll', 'The first n elements as a vector, and the others.', (n: unknown, c: unknown) => {
      const count = howMany('splitv-at', n);
      return vector([vector(toArray(takeCount(count, c))), dropCount(count, c)]);
    }),
  ];
}

/** Bodies of the lazy seqs that this module makes, by the names under which encodings know them. */
export function takeBodies(): LazyBodies {
  return { takeBody, dropBody, takeWhileBody, dropWhileBody, takeNthBody, dropLastBody };
}
