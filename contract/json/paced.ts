import type { Done, Sliced } from './sliced.ts';

/** How long work is spread over turns of an event loop. */
export interface Pace {
  /** Units of work in one turn: with the most expensive unit, some 10 ms. */
  readonly units: number;
  /** Settles in a later turn, in which no other piece of long work goes on. */
  next(): Promise<void>;
}

/** A text of so many units is read, and one is written, in one go. */
export const SLICE_UNITS = 16_384;

/** Pieces of work that wait for a turn of theirs, in the order in which they asked. */
const waiting: (() => void)[] = [];

/** One piece of long work goes on in each turn: everything else of the process comes between. */
export const EVENT_LOOP_PACE: Pace = {
  units: SLICE_UNITS,
  next: () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) {
        setImmediate(admitOne);
      }
    }),
};

function admitOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) {
    setImmediate(admitOne);
  }
}

/** Does the work: at once where it is little, else a slice in each turn that it gets. */
export function doPaced<T>(work: Sliced<T>, pace: Pace = EVENT_LOOP_PACE): T | Promise<T> {
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
