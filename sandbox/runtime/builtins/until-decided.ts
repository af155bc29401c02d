import { refuseEndless } from '../endless.ts';
import { arityError } from '../errors.ts';
import { seq } from '../sequence.ts';
import type { Cell } from '../values/seq.ts';
import { type FunctionRow, takingFrom } from './row.ts';

/** How many arguments are looked at first; then twice as many, and so on. */
const FIRST_LOOK = 4;

/** A test of neighbours, or of all pairs, that further arguments do not change once it answers `decided`. */
export function untilDecided(decided: boolean, row: FunctionRow): FunctionRow {
  const { rest } = row;
  if (rest === null) return row;
  return takingFrom(row, (args) => {
    const consumed: unknown[] = [];
    let at: unknown = args;
    for (let size = FIRST_LOOK; ; size *= 2) {
      while (consumed.length < size) {
        const cells: Cell | null = seq(at);
        if (cells === null && consumed.length < rest.from) throw arityError(consumed.length, row.name);
        if (cells === null) return rest.body(consumed);
        consumed.push(cells.first());
        at = cells.rest();
      }
      if (rest.body(consumed) === decided) return decided;
      refuseEndless(at);
    }
  });
}
