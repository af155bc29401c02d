import { jsonInteger } from '../../contract/json/value.ts';
import type { JsonInteger } from '../../contract/json/value.ts';

/** Largest integer of any usage record (interface-1.md). */
const MAX_MICROUNITS = BigInt(Number.MAX_SAFE_INTEGER);
const MICROUNIT_DIGITS = 6;
/** A longer token is no price. */
const MAX_DIGITS = 64;

const DECIMAL = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * The microunits of a price in whole units, from its exact decimal text, rounded up (providers.md §5.5). Null for a
 * text that is no price: negative, longer than 64 digits, or more than any usage record holds.
 */
export function microunitsOf(decimal: string): JsonInteger | null {
  const [, whole, fraction = '', exponent = '0'] = DECIMAL.exec(decimal) ?? [];
  if (whole === undefined || decimal.length > MAX_DIGITS) return null;
  const digits = BigInt(whole + fraction);
  const shift = Number(exponent) + MICROUNIT_DIGITS - fraction.length;
  const microunits = shift >= 0 ? digits * 10n ** BigInt(shift) : ceilingOf(digits, 10n ** BigInt(-shift));
  return microunits > MAX_MICROUNITS ? null : jsonInteger(microunits);
}

function ceilingOf(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
