import { isLazySource, refuseLength, seq, toArray, visit } from '../sequence.ts';
import { type LispFunction, invoke } from '../invoke.ts';
import { Reduced } from '../values/atom.ts';
import { type LazyBodies, lazySeq, release } from '../values/lazy-seq.ts';
import { type Cell, Cons, EMPTY_LIST, EMPTY_SEQ, realised, Seq } from '../values/seq.ts';
import { Eduction } from '../values/eduction.ts';
import { Queue } from '../values/queue.ts';
import { Vector } from '../values/vector.ts';
import { reducing, stepOf, transducer } from './transducers.ts';
import { fixed, type Row, takingFrom, variadic, maker } from './row.ts';

/** Elements already there before a rest that may be lazy. */
export function prependElements(elements: readonly unknown[], rest: Seq): Seq {
  let result = rest;
  for (let i = elements.length - 1; i >= 0; i--) result = new Cons(elements[i], result, null);
  return result;
}

/** All elements of the parts; at the first lazy part what is there plus a lazy rest (language.md §6). */
export function concatenated(parts: unknown): Seq {
  if (isLazySource(parts)) return lazySeq(concatBody, parts);
  const results: unknown[] = [];
  const list = toArray(parts);
  for (let i = 0; i < list.length; i++) {
    const part = list[i];
    if (isLazySource(part))
      return prependElements(results, lazySeq(concatBody, prependElements(list.slice(i), EMPTY_SEQ)));
    visit(part, (element) => {
      results.push(element);
    });
    refuseLength(results.length);
  }
  return realised(results);
}

/** Body of a lazy concatenation: the first element of the parts that are left. */
export function concatBody(parts: unknown): unknown {
  let at: unknown = parts;
  for (;;) {
    const cells: Cell | null = seq(at);
    if (cells === null) return null;
    const part = seq(cells.first());
    release(cells.first());
    at = cells.rest();
    if (part !== null) return new Cons(part.first(), lazySeq(concatRestBody, part.rest(), at), null);
  }
}

export function concatRestBody(part: unknown, parts: unknown): unknown {
  const cells = seq(part);
  if (cells === null) return concatBody(parts);
  return new Cons(cells.first(), lazySeq(concatRestBody, cells.rest(), parts), null);
}

function interleaved(sources: readonly unknown[]): unknown {
  if (sources.length === 0) return EMPTY_LIST;
  if (sources.some(isLazySource)) return lazySeq(interleaveBody, ...sources);
  const arrays = sources.map(toArray);
  const shortest = Math.min(...arrays.map((array) => array.length));
  refuseLength(shortest * arrays.length);
  const results: unknown[] = [];
  for (let i = 0; i < shortest; i++) for (const array of arrays) results.push(array[i]);
  return realised(results);
}

export function interleaveBody(...sources: readonly unknown[]): unknown {
  const cells: Cell[] = [];
  for (const source of sources) {
    const cell = seq(source);
    if (cell === null) return null;
    cells.push(cell);
  }
  return prependElements(
    cells.map((cell) => cell.first()),
    lazySeq(interleaveBody, ...cells.map((cell) => cell.rest())),
  );
}

function interposed(separator: unknown, source: unknown): unknown {
  if (isLazySource(source)) return lazySeq(interposeBody, separator, source, false);
  const results: unknown[] = [];
  visit(source, (element) => {
    if (results.length > 0) results.push(separator);
    results.push(element);
  });
  refuseLength(results.length);
  return realised(results);
}

export function interposeBody(separator: unknown, source: unknown, started: unknown): unknown {
  const cells = seq(source);
  if (cells === null) return null;
  const rest = new Cons(cells.first(), lazySeq(interposeBody, separator, cells.rest(), true), null);
  return started === true ? new Cons(separator, rest, null) : rest;
}

function interposing(separator: unknown): LispFunction {
  return transducer('interpose', [separator], (rf) => {
    const step = stepOf(rf);
    let started = false;
    return reducing(rf, (result, input) => {
      if (!started) {
        started = true;
        return step(result, input);
      }
      const separated = step(result, separator);
      return separated instanceof Reduced ? separated : step(separated, input);
    });
  });
}

function isSequential(value: unknown): boolean {
  return value instanceof Vector || value instanceof Seq || value instanceof Eduction || value instanceof Queue;
}

/** `flatten`: sequential things only, at any depth without a stack; lazy from the first lazy part on. */
function flattened(source: unknown): unknown {
  return isSequential(source) ? flattenFrom([source], []) : EMPTY_SEQ;
}

function flattenFrom(pending: unknown[], results: unknown[]): Seq {
  while (pending.length > 0) {
    const at = pending.pop();
    if (isLazySource(at)) return prependElements(results, lazySeq(flattenBody, realised([...pending, at])));
    if (at instanceof Seq || at instanceof Vector || at instanceof Eduction || at instanceof Queue) {
      const elements = toArray(at);
      if (elements.some(isSequential)) pushReversed(pending, elements);
      else for (const element of elements) results.push(element);
    } else results.push(at);
    refuseLength(results.length);
  }
  return realised(results);
}

/** Elements wait in reverse, so that the first is taken next. */
function pushReversed(pending: unknown[], elements: readonly unknown[]): void {
  for (let i = elements.length - 1; i >= 0; i--) pending.push(elements[i]);
}

/** Body of a lazy flatten: `pending` holds what is left, the next one last. */
export function flattenBody(pending: unknown): unknown {
  const stack = [...toArray(pending)];
  while (stack.length > 0) {
    const at = stack.pop();
    if (!isSequential(at)) return new Cons(at, lazySeq(flattenBody, realised(stack)), null);
    const cells = seq(at);
    if (cells !== null) stack.push(cells.rest(), cells.first());
  }
  return null;
}

/** `lazy-cat`: parts as functions without arguments. */
export function lazyCat(bodies: readonly unknown[]): unknown {
  return lazySeq(lazyCatBody, ...bodies);
}

/** Body of `lazy-cat`: its parts are functions without arguments, called when reached. */
export function lazyCatBody(...bodies: readonly unknown[]): unknown {
  const [body, ...others] = bodies;
  if (body === undefined) return null;
  return concatRestBody(invoke(body, []), others.length === 0 ? null : realised([lazySeq(lazyCatBody, ...others)]));
}

export function seqJoin(): readonly Row[] {
  return [
    takingFrom(
      variadic('concat', '|x|x y|x y & zs', 'The elements of all collections one after the other.', 0, (args) =>
        concatenated(realised(args)),
      ),
      concatenated,
    ),
    variadic(
      'interleave',
      '|c1|c1 c2|c1 c2 & colls',
      'The first elements of all collections, then the second ones, to the end of the shortest.',
      0,
      interleaved,
    ),
    maker(fixed('interpose', 'sep|sep coll', 'The elements with a separator between them.', interposing, interposed)),
    fixed('flatten', 'x', 'All elements that are not sequential, from sequential things at any depth.', flattened),
  ];
}

/** Bodies of the lazy seqs that this module makes, by the names under which encodings know them. */
export function joinBodies(): LazyBodies {
  return { concatBody, concatRestBody, interleaveBody, interposeBody, flattenBody, lazyCatBody };
}
