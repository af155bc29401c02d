import type { Pace } from '../contract/json/paced.ts';

/** Pieces of work that wait for a turn of theirs, in the order in which they asked. */
const waiting: (() => void)[] = [];

/** One piece of long work goes on in each turn: everything else of the process comes between. */
export const EVENT_LOOP_PACE: Pace = {
  // A text of so many units is read, and one is written, in one go.
  units: 16_384,
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
