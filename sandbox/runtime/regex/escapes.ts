import { negated, property, shorthand } from './char-sets.ts';
import type { PatternCursor } from './pattern-cursor.ts';
import type { CharTest } from './syntax.ts';

const CONTROL: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13, f: 12, a: 7, e: 27 };

/** `\d`, `\p{…}` and similar; null when the escape means one character. */
export function classEscape(cursor: PatternCursor): CharTest | null {
  const unit = cursor.peek();
  const short = shorthand(unit, cursor.flags);
  if (short !== null) {
    cursor.at++;
    return short;
  }
  if (unit !== 'p' && unit !== 'P') return null;
  cursor.at++;
  const written = cursor.take(/^(?:\{([^}]*)\}|([A-Za-z]))/, 100);
  if (written === null) return cursor.fail('Unclosed character family');
  const name = written[1] ?? written[2] ?? '';
  const test = property(name, cursor.flags);
  if (test === null) return cursor.fail(`Unknown character property name {${name}}, or not supported here`);
  return unit === 'p' ? test : negated(test);
}

/** The character that an escape means, whose backslash was read. */
export function escapedCodePoint(cursor: PatternCursor): number {
  const unit = cursor.peek();
  const control = CONTROL[unit];
  if (control !== undefined) {
    cursor.at++;
    return control;
  }
  if (unit === '0') return digits(cursor, /^0([0-3]?[0-7]{1,2})/, 8, 'Illegal octal escape sequence');
  if (unit === 'x')
    return digits(cursor, /^x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/, 16, 'Illegal hexadecimal escape sequence');
  if (unit === 'u') return unicodeEscape(cursor);
  if (unit === 'c') {
    cursor.at++;
    return cursor.codePoint() ^ 64;
  }
  if (/[A-Za-z]/.test(unit)) return cursor.fail(`Illegal/unsupported escape sequence: \\${unit}`);
  return cursor.codePoint();
}

function digits(cursor: PatternCursor, shape: RegExp, radix: number, message: string): number {
  const written = cursor.take(shape, 12);
  const value = Number.parseInt(written?.[1] ?? written?.[2] ?? 'x', radix);
  return value <= 0x10ffff ? value : cursor.fail(message);
}

/** `\uhhhh`; two that make a surrogate pair are one character. */
function unicodeEscape(cursor: PatternCursor): number {
  const high = digits(cursor, /^u([0-9a-fA-F]{4})/, 16, 'Illegal Unicode escape sequence');
  const pair = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(cursor.text.slice(cursor.at, cursor.at + 6));
  if (high < 0xd800 || high > 0xdbff || pair === null) return high;
  cursor.at += 6;
  return 0x10000 + ((high - 0xd800) << 10) + (Number.parseInt(pair[1] ?? '', 16) - 0xdc00);
}
