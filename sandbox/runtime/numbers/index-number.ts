import { arithmeticError, wrongType } from '../errors.ts';
import { isInteger, isNumber, type LispNumber, toFloat } from '../values/double.ts';

/** An index or a count argument: a number truncated to an integer; NaN is 0, nil and other types TE. */
export function toIndex(operation: string, position: number, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  if (!isNumber(value)) throw wrongType(operation, position, 'a number', value);
  const index = Math.trunc(toFloat(value));
  return index !== index ? 0 : index + 0;
}

/** What Java's `intValue` gives: the low 32 bits of an integer, a double truncated and held to the bounds; NaN is 0. */
export function intValue(value: LispNumber): number {
  if (typeof value === 'bigint') return Number(BigInt.asIntN(32, value));
  if (isInteger(value)) return value | 0;
  const whole = Math.trunc(toFloat(value));
  return whole !== whole ? 0 : Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, whole));
}

/** An index that the reference takes as an int; one that is none is an arithmetic error, and not out of range. */
export function toIntIndex(operation: string, position: number, value: unknown): number {
  const index = toIndex(operation, position, value);
  refuseWide(index);
  return index;
}

export function refuseWide(index: number): void {
  if (index > 2 ** 31 - 1 || index < -(2 ** 31)) throw arithmeticError('integer overflow');
}
