import { integer } from '../values/double.ts';

/** Functions of Java's Math that JavaScript lacks. */

function bitsOf(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  return view.getBigInt64(0);
}

function fromBits(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, bits);
  return view.getFloat64(0);
}

/** The double next to `x` in the direction of `toward`. */
export function nextAfter(x: number, toward: number): number {
  if (x !== x || toward !== toward) return Number.NaN;
  if (x === toward) return toward;
  if (x === 0) return toward > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const away = toward > x === x > 0;
  return fromBits(bitsOf(x) + (away ? 1n : -1n));
}

export function unitInLastPlace(x: number): number {
  if (!Number.isFinite(x)) return Math.abs(x);
  const magnitude = Math.abs(x);
  if (magnitude === Number.MAX_VALUE) return 2 ** 971;
  return nextAfter(magnitude, Infinity) - magnitude;
}

/** Unbiased exponent: 1024 for NaN and infinities, -1023 for zero and subnormals. */
export function exponentOf(x: number): number {
  return Number((bitsOf(x) >> 52n) & 0x7ffn) - 1023;
}

/** To the nearest integral double, ties to even. */
export function rint(x: number): number {
  if (!Number.isFinite(x) || Math.abs(x) >= 2 ** 52) return x;
  const floor = Math.floor(x);
  const difference = x - floor;
  const up = difference > 0.5 || (difference === 0.5 && floor % 2 !== 0);
  const rounded = up ? floor + 1 : floor;
  return rounded === 0 && (x < 0 || Object.is(x, -0)) ? -0 : rounded;
}

/** `Math.round`: halves up, NaN is 0, saturated at 64 bits. */
export function roundHalfUp(x: number): number | bigint {
  if (x !== x) return 0;
  if (x >= 2 ** 63) return 9223372036854775807n;
  if (x <= -(2 ** 63)) return -9223372036854775808n;
  if (Math.abs(x) >= 2 ** 52) return integer(BigInt(x));
  const floor = Math.floor(x);
  return (x - floor >= 0.5 ? floor + 1 : floor) + 0;
}

/** The remainder to the nearest multiple, ties to the even one; exact through integers of a common scale. */
export function ieeeRemainder(x: number, y: number): number {
  if (!Number.isFinite(x) || y !== y || y === 0) return Number.NaN;
  if (!Number.isFinite(y)) return x;
  const divisor = Math.abs(y);
  let remainder = Math.abs(x) % divisor;
  const quotientIsOdd = ((Math.abs(x) - remainder) / divisor) % 2 !== 0;
  const twice = remainder * 2;
  if (twice > divisor || (twice === divisor && quotientIsOdd)) remainder -= divisor;
  return x < 0 || Object.is(x, -0) ? -remainder : remainder;
}

/** `x * 2^n` rounded once. */
export function scalb(x: number, n: number): number {
  const power = Math.max(-2200, Math.min(2200, n));
  if (power > 1023) return x * 2 ** 1023 * 2 ** Math.min(1023, power - 1023) * (power > 2046 ? 2 ** (power - 2046) : 1);
  if (power >= -1022) return x * 2 ** power;
  const scaled = x * 2 ** Math.max(-1022, power + 1022);
  return power < -2044 ? x * 0 : scaled * 2 ** -1022 * (power + 1022 < -1022 ? 0 : 1);
}
