/** Decimal digits of a finite double, for formats: shortest digits and the place of the point. */
export interface Decimal {
  readonly negative: boolean;
  /** Significant digits without leading zeros; '0' for zero. */
  readonly digits: string;
  /** Value is 0.DIGITS times ten to this. */
  readonly point: number;
}

export function decimalOf(value: number): Decimal {
  const negative = value < 0 || Object.is(value, -0);
  if (value === 0) return { negative, digits: '0', point: 1 };
  const text = Math.abs(value).toExponential();
  const at = text.indexOf('e');
  return { negative, digits: text.slice(0, at).replace('.', ''), point: Number(text.slice(at + 1)) + 1 };
}

/** Keeps this many digits (none or fewer round to nothing or one), half up on the decimal digits. */
export function roundDigits({ negative, digits, point }: Decimal, keep: number): Decimal {
  if (keep >= digits.length) return { negative, digits, point };
  const up = keep >= 0 && digits.charCodeAt(keep) >= 53;
  const significant = digits.slice(0, Math.max(0, keep));
  if (!up) return significant === '' ? { negative, digits: '0', point: 1 } : { negative, digits: significant, point };
  const raised = (BigInt(significant === '' ? '0' : significant) + 1n).toString().padStart(significant.length, '0');
  return { negative, digits: raised, point: point + (raised.length - significant.length) };
}

/** Digits with exactly `places` after the point, no sign. */
export function fixedText(decimal: Decimal, places: number): string {
  const { digits, point } = roundDigits(decimal, decimal.point + places);
  const whole = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0');
  const fraction = point <= 0 ? '0'.repeat(Math.min(places, -point)) + digits : digits.slice(point);
  return places === 0 ? whole : `${whole}.${fraction.slice(0, places).padEnd(places, '0')}`;
}

/** `d.ddde±xx` with exactly `places` after the point, no sign. */
export function exponentText(decimal: Decimal, places: number): string {
  const rounded = roundDigits(decimal, places + 1);
  const isZero = /^0*$/.test(rounded.digits);
  const exponent = isZero ? 0 : rounded.point - 1;
  const fraction = rounded.digits.slice(1, places + 1).padEnd(places, '0');
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${rounded.digits[0] ?? '0'}${places > 0 ? `.${fraction}` : ''}e${exponent < 0 ? '-' : '+'}${size}`;
}
