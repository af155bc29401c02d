import { double } from '../../runtime/values/double.ts';

export type NumberReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** Digits an integer literal may have (language.md §20). */
const INTEGER_DIGITS = 1000;

const INTEGER = /^([+-]?)(?:(0)|([1-9][0-9]*)|0[xX]([0-9A-Fa-f]+)|0([0-7]+)|([1-9][0-9]?)[rR]([0-9A-Za-z]+))N?$/;
const DOUBLE = /^[+-]?[0-9]+(?:\.[0-9]*(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)$/;

/** Digits of which no number can be beyond the exact integers. */
const SAFE_DIGITS = 15;

/** Reads a number token (language.md §2); the message of a refusal names what to write instead. */
export function readNumber(token: string): NumberReading {
  // The first use of a pattern in an isolate compiles it: a tenth of a small program's time (bench/README.md).
  if (isShortDecimal(token)) return { ok: true, value: Number(token) };
  const integer = INTEGER.exec(token);
  if (integer !== null) return readInteger(token, integer);
  if (DOUBLE.test(token)) return { ok: true, value: double(Number(token)) };
  return { ok: false, message: refusal(token) };
}

/** Digits only, few, the first of several not 0. */
function isShortDecimal(token: string): boolean {
  if (token === '' || token.length > SAFE_DIGITS || (token.startsWith('0') && token !== '0')) return false;
  for (let index = 0; index < token.length; index += 1) {
    const code = token.charCodeAt(index);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

function readInteger(token: string, match: RegExpExecArray): NumberReading {
  const [, sign, zero, decimal, hex, octal, radixText, radixDigits] = match;
  if (token.length > INTEGER_DIGITS + 5) {
    return { ok: false, message: `Integer literal has more than ${INTEGER_DIGITS} digits` };
  }
  if (zero !== undefined) return { ok: true, value: 0 };
  const radix = decimal !== undefined ? 10 : hex !== undefined ? 16 : octal !== undefined ? 8 : Number(radixText);
  const digits = decimal ?? hex ?? octal ?? radixDigits ?? '';
  if (digits.length > INTEGER_DIGITS) {
    return { ok: false, message: `Integer literal has more than ${INTEGER_DIGITS} digits` };
  }
  if (radix < 2 || radix > 36) return { ok: false, message: `Radix out of range: ${radix}; use 2 to 36` };
  const magnitude = parseDigits(digits, radix);
  if (magnitude === null) return { ok: false, message: `Invalid number: ${token}; a digit is beyond radix ${radix}` };
  const value = sign === '-' ? -magnitude : magnitude;
  const small = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return { ok: true, value: small ? Number(value) : value };
}

function parseDigits(digits: string, radix: number): bigint | null {
  if (radix === 10) return BigInt(digits);
  let value = 0n;
  const base = BigInt(radix);
  for (const text of digits) {
    const digit = Number.parseInt(text, 36);
    if (Number.isNaN(digit) || digit >= radix) return null;
    value = value * base + BigInt(digit);
  }
  return value;
}

function refusal(token: string): string {
  const ratio = /^([+-]?[0-9]+)\/([0-9]+)$/.exec(token);
  if (ratio !== null) return `Ratios are not supported: ${token}; write (/ ${ratio[1]} ${ratio[2]})`;
  const decimal = /^([+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)M$/.exec(token);
  if (decimal !== null) return `BigDecimal literals are not supported: ${token}; write ${decimal[1]}`;
  if (/^[+-]?[0-9][0-9_]*$/.test(token) && token.includes('_')) {
    return `Invalid number: ${token}; write ${token.replaceAll('_', '')}`;
  }
  const octal = /^([+-]?)0+([1-9][0-9]*|0)$/.exec(token);
  if (octal !== null) return `Invalid number: ${token}; a leading zero means octal, write ${octal[1]}${octal[2]}`;
  return `Invalid number: ${token.length > 64 ? `${token.slice(0, 64)}...` : token}; names cannot start with a digit`;
}
