/** A long computation that can stop between two units of its work. What a unit is, each says of itself. */
export interface Sliced<T> {
  /** Does about so many units of the work, one at least; null while there is more. */
  advance(units: number): Done<T> | null;
}

/** What such work came to. */
export interface Done<T> {
  readonly result: T;
}

/** Units of one slice of work that is done at once: the most that the engine counts in without a box. */
const MOST = 2 ** 30 - 1;

/** Does all of it at once. */
export function doAll<T>(work: Sliced<T>): T {
  let done = work.advance(MOST);
  while (done === null) {
    done = work.advance(MOST);
  }
  return done.result;
}
