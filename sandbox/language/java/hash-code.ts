import { hash } from '../../runtime/equality.ts';
import { LispError } from '../../runtime/errors.ts';
import { typeName } from '../../runtime/classes.ts';
import { BoxedDouble, Float32, isInteger } from '../../runtime/values/double.ts';
import { Char } from '../../runtime/values/char.ts';
import { foldInt64, hashBigInteger, polynomialHash } from '../../runtime/values/hashing.ts';
import { Temporal } from '../../runtime/values/temporal.ts';

/**
 * Java's hashCode of a scalar (functions.md §18). Collections and names hash by other rules there, which are not here.
 */
export function hashCodeOf(value: unknown): number {
  if (typeof value === 'string') return polynomialHash(value);
  if (isInteger(value)) {
    const wide = BigInt(value);
    return BigInt.asIntN(64, wide) === wide ? foldInt64(wide) : hashBigInteger(wide);
  }
  const scalar =
    typeof value === 'boolean' || typeof value === 'number' || value instanceof BoxedDouble || value instanceof Float32;
  if (scalar || value instanceof Char || value instanceof Temporal) return hash(value);
  throw new LispError(
    'unsupported_java_member',
    'java.lang.IllegalArgumentException',
    `.hashCode of a ${typeName(value)} is not supported; use hash`,
  );
}
