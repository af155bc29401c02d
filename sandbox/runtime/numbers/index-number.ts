import { wrongType } from '../errors.ts';
import { isNumber, toFloat } from '../values/double.ts';

/** An index or a count argument: a number truncated to an integer; NaN is 0, nil and other types TE. */
export function toIndex(operation: string, position: number, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  if (!isNumber(value)) throw wrongType(operation, position, 'a number', value);
  const index = Math.trunc(toFloat(value));
  return index !== index ? 0 : index + 0;
}
