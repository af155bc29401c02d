/** Value of a decimal digit of any script, or -1. */
function digitValue(codePoint: number): number {
  if (codePoint >= 48 && codePoint <= 57) return codePoint - 48;
  if (codePoint < 128 || !/\p{Nd}/u.test(String.fromCodePoint(codePoint))) return -1;
  // Digits of a script are in runs of ten; the run starts where the character before is no digit of it.
  let start = codePoint;
  while (codePoint - start < 9 && /\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  return (codePoint - start) % 10;
}

/** `Long.parseLong` in a radix: sign and digits, 64-bit range; null when it is none. */
export function parseLong(text: string, radix = 10): bigint | null {
  if (text.length === 0 || text.length > 200) return null;
  const signed = text.startsWith('-') || text.startsWith('+');
  let value = 0n;
  let digits = 0;
  for (const character of signed ? text.slice(1) : text) {
    const codePoint = character.codePointAt(0) ?? 0;
    const digit = letterValue(codePoint) ?? digitValue(codePoint);
    if (digit < 0 || digit >= radix) return null;
    value = value * BigInt(radix) + BigInt(digit);
    digits++;
  }
  if (digits === 0) return null;
  if (text.startsWith('-')) value = -value;
  return BigInt.asIntN(64, value) === value ? value : null;
}

function letterValue(codePoint: number): number | null {
  const lower = codePoint | 32;
  return codePoint < 128 && lower >= 97 && lower <= 122 ? lower - 87 : null;
}

const DECIMAL = /^[+-]?(?:NaN|Infinity|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFdD]?)$/;
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]+)[fFdD]?$/;

/** `Double.parseDouble`: Java's grammar with outer white space (units up to U+0020); null when it is none. */
export function parseDouble(text: string): number | null {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) <= 32) from++;
  while (to > from && text.charCodeAt(to - 1) <= 32) to--;
  const body = text.slice(from, to);
  if (DECIMAL.test(body)) return Number(body.endsWith('y') ? body : body.replace(/[fFdD]$/, ''));
  const hex = HEXADECIMAL.exec(body);
  if (hex === null) return null;
  const [, sign = '', whole = '', fraction = '', power = '0'] = hex;
  if (whole === '' && fraction === '') return null;
  const magnitude = hexadecimalValue(whole + fraction, Number(power) - 4 * fraction.length);
  return sign === '-' ? -magnitude : magnitude;
}

/** The double nearest to an integer in hex times a power of two. */
function hexadecimalValue(digits: string, exponent: number): number {
  const mantissa = BigInt(`0x${digits}`);
  if (mantissa === 0n) return 0;
  const bits = mantissa.toString(2).length;
  const top = bits + exponent;
  if (top > 1025) return Number.POSITIVE_INFINITY;
  if (top < -1080) return 0;
  // Keep 53 bits, fewer for subnormal results, rounding half to even once.
  const keep = Math.max(0, Math.min(53, top + 1074));
  const drop = bits - keep;
  if (drop <= 0) return Number(mantissa) * 2 ** Math.max(exponent, -1000) * 2 ** Math.min(0, exponent + 1000);
  const dropped = BigInt(drop);
  const significant = mantissa >> dropped;
  const remainder = mantissa - (significant << dropped);
  const half = 1n << (dropped - 1n);
  const up = remainder > half || (remainder === half && (significant & 1n) === 1n);
  const power = exponent + drop;
  const scale = Math.trunc(power / 2);
  return Number(up ? significant + 1n : significant) * 2 ** scale * 2 ** (power - scale);
}
