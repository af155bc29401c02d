import { invoke0, invoke1 } from '../invoke.ts';
import { countBody, repeatBody } from '../endless.ts';
import { toIndex } from '../numbers/index-number.ts';
import { add, isGreater, isLess, operand } from '../numbers/arithmetic.ts';
import { refuseLength, seq } from '../sequence.ts';
import { isTruthy } from '../truth.ts';
import { toFloat } from '../values/double.ts';
import { type LazyBodies, lazySeq } from '../values/lazy-seq.ts';
import { Range, REALISED_RANGE } from '../values/range.ts';
import { Cons, countedSeq, EMPTY_LIST, realised } from '../values/seq.ts';
import { concatRestBody } from './seq-join.ts';
import { howMany } from './seq-take.ts';
import { fixed, type Row } from './row.ts';

function range(start: unknown, end: unknown, step: unknown): unknown {
  const first = operand('range', 1, start);
  const bound = operand('range', 2, end);
  const stride = operand('range', 3, step);
  const width = toFloat(stride);
  if (width === 0) return toFloat(first) === toFloat(bound) ? EMPTY_LIST : lazySeq(repeatBody, first);
  const isPast = width > 0 ? (x: unknown): boolean => !isLess(x, bound) : (x: unknown): boolean => !isGreater(x, bound);
  if (isPast(first)) return EMPTY_LIST;
  const elements = Math.ceil((toFloat(bound) - toFloat(first)) / width);
  if (
    typeof first === 'number' &&
    typeof stride === 'number' &&
    Number.isInteger(first) &&
    Number.isInteger(stride) &&
    Number.isSafeInteger(first + elements * stride)
  ) {
    return new Range(first, stride, elements, elements > REALISED_RANGE, null);
  }
  if (!(elements <= REALISED_RANGE)) return lazySeq(rangeBody, first, bound, stride);
  const all: unknown[] = [];
  for (let x: unknown = first; !isPast(x); x = add(x, stride)) all.push(x);
  return countedSeq(all);
}

export function rangeBody(start: unknown, end: unknown, step: unknown): unknown {
  const rising = toFloat(operand('range', 3, step)) > 0;
  if (rising ? !isLess(start, end) : !isGreater(start, end)) return null;
  return new Cons(start, lazySeq(rangeBody, add(start, step), end, step), null);
}

function repeat(operation: string, n: unknown, value: unknown): unknown {
  const count = toIndex(operation, 1, n);
  refuseLength(count);
  return count <= 0 ? EMPTY_LIST : realised(Array.from({ length: count }, () => value));
}

function repeatedly(n: unknown, f: unknown): unknown {
  const count = howMany('repeatedly', n);
  refuseLength(count);
  const results: unknown[] = [];
  for (let i = 0; i < count; i++) results.push(invoke0(f));
  return realised(results);
}

export function repeatedlyBody(f: unknown): unknown {
  return new Cons(invoke0(f), lazySeq(repeatedlyBody, f), null);
}

/** `iterate`: the first element is there, each further one waits. */
export function iterateBody(f: unknown, x: unknown): unknown {
  return new Cons(x, lazySeq(iterateNextBody, f, x), null);
}

export function iterateNextBody(f: unknown, x: unknown): unknown {
  return iterateBody(f, invoke1(f, x));
}

function cycle(collection: unknown): unknown {
  return seq(collection) === null ? EMPTY_LIST : lazySeq(cycleBody, collection);
}

export function cycleBody(collection: unknown): unknown {
  return concatRestBody(collection, lazySeq(cycleAgainBody, collection));
}

export function cycleAgainBody(collection: unknown): unknown {
  return realised([lazySeq(cycleBody, collection)]);
}

/** `tree-seq`: a node, then what is below it, depth first. `pending` are nodes still to visit. */
export function treeBody(isBranch: unknown, children: unknown, pending: unknown): unknown {
  const cells = seq(pending);
  if (cells === null) return null;
  const node = cells.first();
  return new Cons(node, lazySeq(treeRestBody, isBranch, children, node, cells.rest()), null);
}

export function treeRestBody(isBranch: unknown, children: unknown, node: unknown, later: unknown): unknown {
  if (!isTruthy(invoke1(isBranch, node))) return treeBody(isBranch, children, later);
  return treeBody(isBranch, children, concatRestBody(invoke1(children, node), realised([later])));
}

export function producers(): readonly Row[] {
  return [
    fixed(
      'range',
      '|end|start end|start end step',
      'Numbers from a start (0) up to an end by a step (1); endless without an end.',
      () => lazySeq(countBody, 0, 1),
      (end: unknown) => range(0, end, 1),
      (start: unknown, end: unknown) => range(start, end, 1),
      range,
    ),
    fixed(
      'repeat',
      'x|n x',
      'One value, endless or n times.',
      (value: unknown) => lazySeq(repeatBody, value),
      (n: unknown, value: unknown) => repeat('repeat', n, value),
    ),
    fixed('replicate', 'n x', 'One value n times.', (n: unknown, value: unknown) => repeat('replicate', n, value)),
    fixed(
      'repeatedly',
      'f|n f',
      'What a function without arguments gives, endless or n times.',
      (f: unknown) => lazySeq(repeatedlyBody, f),
      repeatedly,
    ),
    fixed('iterate', 'f x', 'A value, what a function gives for it, and so on without end.', (f: unknown, x: unknown) =>
      lazySeq(iterateBody, f, x),
    ),
    fixed('cycle', 'coll', 'The elements again and again without end.', cycle),
    fixed(
      'tree-seq',
      'branch? children root',
      'The nodes of a tree, each before what is below it.',
      (isBranch: unknown, children: unknown, root: unknown) => lazySeq(treeBody, isBranch, children, realised([root])),
    ),
  ];
}

/** Bodies of the lazy seqs that this module makes, by the names under which encodings know them. */
export function producerBodies(): LazyBodies {
  return {
    countBody,
    repeatBody,
    rangeBody,
    repeatedlyBody,
    iterateBody,
    iterateNextBody,
    cycleBody,
    cycleAgainBody,
    treeBody,
    treeRestBody,
  };
}
