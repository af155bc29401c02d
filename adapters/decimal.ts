/** Decimal text as JSON has it, in exact integers: nothing here passes through a binary float, 0.1 is one tenth. */

const DECIMAL = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Powers of ten beyond any price are distinguished without being written out. */
const POWER_MAX = 400;

/**
 * A decimal text (`12`, `0.000001`, `1.5E-3`) times ten to `places`, rounded up. Null for a text that is no decimal
 * number of at least zero, or one beyond 10^400. The work is bounded by the length of the text, which the caller
 * bounds.
 */
export function scaledDecimal(text: string, places: number): bigint | null {
  const [, whole, fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = BigInt(whole + fraction);
  const power = Number(exponent) + places - fraction.length;
  if (digits === 0n) return 0n;
  if (power > POWER_MAX) return null;
  if (power >= 0) return digits * 10n ** BigInt(power);
  // Each digit is worth less than one by then.
  return power < -text.length - 1 ? 1n : ceilingOf(digits, 10n ** BigInt(-power));
}

function ceilingOf(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
