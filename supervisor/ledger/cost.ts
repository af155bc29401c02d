/**
 * A provider's price in millionths of a dollar, rounded up (runtime.md §11). Prices are decimal text or number tokens of
 * JSON, so nothing here passes through a binary float: 0.1 is one tenth.
 */

/** `cost` as a decimal number, `12`, `0.000001`, `1.5E-3`; at most this long (providers.md §5.5). */
const COST_LENGTH_MAX = 64;
const DECIMAL = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
const MICRO_DIGITS = 6;
/** Beyond any price: such a power is told apart without being written out. */
const POWER_MAX = 400;

/** Null for a text that is no decimal number of at least zero; the largest safe integer for a cost beyond it. */
export function microusdOf(text: string): number | null {
  const parts = text.length > COST_LENGTH_MAX ? null : DECIMAL.exec(text);
  if (parts === null) return null;
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return 0;
  const power = Number(exponent) - fraction.length + MICRO_DIGITS;
  if (power > POWER_MAX) return Number.MAX_SAFE_INTEGER;
  if (power < -POWER_MAX) return 1;
  const microusd = power >= 0 ? digits * 10n ** BigInt(power) : roundedUp(digits, 10n ** BigInt(-power));
  return microusd > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(microusd);
}

function roundedUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}
