import type { Float32 } from '../values/double.ts';

/** Lays out shortest digits as Java's Double.toString does (language.md §18). */
function layout(negative: boolean, digits: string, exponent: number): string {
  const sign = negative ? '-' : '';
  if (exponent >= -3 && exponent < 7) {
    if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
    const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
    return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
  }
  return `${sign}${digits[0]}.${digits.slice(1) || '0'}E${exponent}`;
}

function fromExponential(text: string): string {
  const negative = text.startsWith('-');
  const at = text.indexOf('e');
  const digits = text
    .slice(negative ? 1 : 0, at)
    .replace('.', '')
    .replace(/0+$/, '');
  return layout(negative, digits === '' ? '0' : digits, Number(text.slice(at + 1)));
}

/** A finite double as text: shortest digits that read back; a single digit becomes the nearest two. */
export function finiteText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const shortest = value.toExponential();
  const oneDigit = shortest.indexOf('e') === (value < 0 ? 2 : 1);
  return fromExponential(oneDigit ? value.toExponential(1) : shortest);
}

/** A double as `str` shows it alone: infinities and NaN by Java's words. */
export function doubleText(value: number): string {
  return Number.isFinite(value) ? finiteText(value) : String(value);
}

/** A double as it is printed inside collections and by `pr`. */
export function readableDoubleText(value: number): string {
  if (Number.isFinite(value)) return finiteText(value);
  if (value !== value) return '##NaN';
  return value > 0 ? '##Inf' : '##-Inf';
}

/** Finite 32-bit floats: the shortest digits that read back as the same 32-bit value, at least two. */
export function float32Text(float: Float32): string {
  const { value } = float;
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (!Number.isFinite(value)) return String(value);
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return fromExponential(text);
  }
  return fromExponential(value.toExponential(9));
}
