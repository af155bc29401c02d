import { castError, nullError } from '../../runtime/errors.ts';
import { typeName } from '../../runtime/classes.ts';
import { Range } from '../../runtime/values/range.ts';
import { isNumber, toFloat } from '../../runtime/values/double.ts';
import { EMPTY_LIST, type Seq } from '../../runtime/values/seq.ts';

/** The numbers 0 to n-1 that `dotimes` counts. */
export function countUp(count: unknown): Seq {
  if (count === null) throw nullError('dotimes: nil is no number');
  if (!isNumber(count)) throw castError(`dotimes: the count must be a number, not ${typeName(count)}`);
  const turns = Math.trunc(toFloat(count));
  return turns > 0 ? new Range(0, 1, turns, false, null) : EMPTY_LIST;
}
