import { endlessSeq } from './errors.ts';
import { add } from './numbers/arithmetic.ts';
import { LazySeq, lazySeq, sameSeq } from './values/lazy-seq.ts';
import { Cons } from './values/seq.ts';

/** The elements from `start` by `step`, endless. */
export function countBody(start: unknown, step: unknown): unknown {
  return new Cons(start, lazySeq(countBody, add(start, step), step), null);
}

export function repeatBody(value: unknown): unknown {
  return new Cons(value, lazySeq(repeatBody, value), null);
}

/** Elements that may have been computed before the seq is looked at. */
const LOOKED_AT = 8;

/**
 * Refuses to take all elements of a seq that has no end and computes them by nothing that could raise an error: it
 * could only end by a limit that does not know why. Of any other seq nobody can know.
 */
export function refuseEndless(value: unknown): void {
  let at = value;
  for (let looked = 0; looked < LOOKED_AT; looked += 1) {
    if (at instanceof LazySeq && !at.forced) {
      if (at.body === countBody) throw endlessSeq('(range)');
      if (at.body === repeatBody) throw endlessSeq('(repeat x)');
      if (at.body !== sameSeq) return;
      [at] = at.captures;
    } else if (at instanceof LazySeq) at = at.result;
    else if (at instanceof Cons) at = at.tail;
    else return;
  }
}
