import type { Done, Sliced } from './sliced.ts';

/** How long work is spread over the turns of something, as of an event loop. */
export interface Pace {
  /** Units of work in one turn: with the most expensive unit, some 10 ms. */
  readonly units: number;
  /** Settles in a later turn, in which no other piece of long work goes on. */
  next(): Promise<void>;
}

/** Does the work: at once where it is little, else a slice in each turn that it gets. */
export function doPaced<T>(work: Sliced<T>, pace: Pace): T | Promise<T> {
  const done = work.advance(pace.units);
  return done === null ? doRest(work, pace) : done.result;
}

async function doRest<T>(work: Sliced<T>, pace: Pace): Promise<T> {
  let done: Done<T> | null = null;
  while (done === null) {
    await pace.next();
    done = work.advance(pace.units);
  }
  return done.result;
}
