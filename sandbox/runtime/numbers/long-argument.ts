import { badValue, wrongType } from '../errors.ts';
import { isInteger, isNumber, toFloat } from '../values/double.ts';

/** A 64-bit integer argument: integers in range, doubles truncated. */
export function toFiniteLong(operation: string, position: number, value: unknown): bigint {
  if (isInteger(value)) {
    const wide = BigInt(value);
    if (BigInt.asIntN(64, wide) === wide) return wide;
    throw badValue(`Value out of range for long: ${value}`);
  }
  if (!isNumber(value)) throw wrongType(operation, position, 'an integer', value);
  const float = toFloat(value);
  if (float !== float) return 0n;
  if (Math.abs(float) >= 2 ** 63) throw badValue(`Value out of range for long: ${float}`);
  return BigInt(Math.trunc(float));
}
