import { invoke1 } from '../../runtime/invoke.ts';
import { isLazySource, seq, visit } from '../../runtime/sequence.ts';
import { type LazyBodies, lazySeq, STRIDE } from '../../runtime/values/lazy-seq.ts';
import { Cons, realised, type Seq } from '../../runtime/values/seq.ts';
import { LimitSignal } from '../../runtime/errors.ts';
import { SEQUENCE_LIMIT } from '../../runtime/values/collection.ts';

/** What a level of `for` answers for an element that a `:when` refuses. */
const SKIP: unique symbol = Symbol('skip');
/** What it answers for an element at which a `:while` ends the level. */
const STOP: unique symbol = Symbol('stop');

export function skipElement(): symbol {
  return SKIP;
}

export function stopElements(): symbol {
  return STOP;
}

/** The innermost level of `for`: one result for each element, at once or, over a lazy source, when asked. */
export function comprehend(step: unknown, source: unknown): Seq {
  if (isLazySource(source)) return lazySeq(comprehendBody, step, source);
  const results: unknown[] = [];
  visit(source, (element) => {
    const result = invoke1(step, element);
    if (result === STOP) return true;
    if (result !== SKIP) collect(results, result);
    return false;
  });
  return realised(results);
}

function comprehendBody(step: unknown, source: unknown): unknown {
  let left = STRIDE;
  for (let at = seq(source); at !== null; at = seq(at.rest()), left--) {
    if (left === 0) return lazySeq(comprehendBody, step, at);
    const result = invoke1(step, at.first());
    if (result === STOP) return null;
    if (result !== SKIP) return new Cons(result, lazySeq(comprehendBody, step, at.rest()), null);
  }
  return null;
}

/**
 * An outer level of `for`: joins the sequences of the level inside. Where one of them is lazy, what has been computed
 * is returned with a lazy rest, and later elements wait (language.md §6, rule 4).
 */
export function comprehendFlat(step: unknown, source: unknown): Seq {
  if (isLazySource(source)) return lazySeq(flatBody, step, source);
  const results: unknown[] = [];
  for (let at = seq(source); at !== null; at = seq(at.rest())) {
    const part = invoke1(step, at.first());
    if (part === STOP) break;
    if (part === SKIP) continue;
    if (isLazySource(part)) return withRest(results, lazySeq(joinBody, part, step, at.rest()));
    visit(part, (element) => collect(results, element));
  }
  return realised(results);
}

function flatBody(step: unknown, source: unknown): unknown {
  for (let at = seq(source); at !== null; at = seq(at.rest())) {
    const part = invoke1(step, at.first());
    if (part === STOP) return null;
    if (part === SKIP) continue;
    const cells = seq(part);
    if (cells !== null) return joinBody(cells, step, at.rest());
  }
  return null;
}

/** The elements of one part, then those of the parts after it. */
function joinBody(part: unknown, step: unknown, source: unknown): unknown {
  const cells = seq(part);
  if (cells === null) return flatBody(step, source);
  return new Cons(cells.first(), lazySeq(joinBody, cells.rest(), step, source), null);
}

function withRest(results: readonly unknown[], rest: Seq): Seq {
  return results.reduceRight<Seq>((tail, element) => new Cons(element, tail, null), rest);
}

function collect(results: unknown[], element: unknown): void {
  if (results.push(element) > SEQUENCE_LIMIT)
    throw new LimitSignal('memory_exceeded', 'a sequence exceeds the size limit');
}

/** Bodies of the lazy seqs that `for` makes, by the names under which encodings know them. */
export function comprehensionBodies(): LazyBodies {
  return { comprehendBody, comprehendFlatBody: flatBody, comprehendJoinBody: joinBody };
}
