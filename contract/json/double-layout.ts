/**
 * The one layout of doubles (language.md §18): that of Java's Double.toString since JDK 19. From 1e-3 up to but not
 * including 1e7 plain decimal, else scientific, always with a digit after the point: `100.0`, `1.0E-4`, `-0.0`.
 * Takes finite doubles; NaN and the infinities print differently from place to place.
 */
export function doubleLayout(value: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const magnitude = Math.abs(value);
  if (magnitude === 0) {
    return `${sign}0.0`;
  }
  if (magnitude >= 1e-3 && magnitude < 1e7) {
    // Here JavaScript writes decimals too.
    return Number.isInteger(value) ? `${value}.0` : String(value);
  }
  const shortest = magnitude.toExponential();
  // Java never settles for one digit where a second brings the decimal nearer: 4.9E-324, not 5E-324.
  const [digits = '', exponent = ''] = (shortest[1] === 'e' ? magnitude.toExponential(1) : shortest).split('e');
  return sign + decimalLayout(digits.replace('.', ''), Number(exponent));
}

/**
 * Lays out the positive decimal d.ddd x 10^exponent, given by its digits; `digits` is not empty and does not begin
 * with 0. Shared by every width of float.
 */
export function decimalLayout(digits: string, exponent: number): string {
  const significant = digits.replace(/0+$/, '');
  if (exponent < -3 || exponent >= 7) {
    return `${significant.slice(0, 1)}.${significant.slice(1) || '0'}E${exponent}`;
  }
  if (exponent < 0) {
    return `0.${'0'.repeat(-exponent - 1)}${significant}`;
  }
  const whole = significant.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${whole}.${significant.slice(exponent + 1) || '0'}`;
}
