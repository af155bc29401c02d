import type { Cursor } from './cursor.ts';
import { refuse } from './cursor.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Units after a backslash that stand for one character: `"\/bfnrt`. */
const SHORT_ESCAPES = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]);
const FOUR_HEX_DIGITS = /[0-9a-fA-F]{4}/y;

/**
 * Reads the string token whose opening quote is at the cursor and leaves the cursor behind it. A token without
 * escapes is cut out of the text; any other is checked here and decoded by the engine, which is linear where adding
 * characters one by one would cost memory per character.
 */
export function scanString(cursor: Cursor): string | undefined {
  const { text } = cursor;
  const start = cursor.index;
  let index = start + 1;
  let escaped = false;
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) {
      cursor.index = index + 1;
      return escaped ? String(JSON.parse(text.slice(start, index + 1))) : text.slice(start + 1, index);
    }
    if (unit === BACKSLASH) {
      cursor.index = index;
      const length = escapeLength(cursor);
      if (length === undefined) {
        return undefined;
      }
      escaped = true;
      index += length;
    } else if (unit < 0x20) {
      cursor.index = index;
      return refuse(cursor, 'syntax');
    } else {
      if (unit > 0x7f) {
        cursor.shift += extraBytes(unit);
      }
      index += 1;
    }
  }
  cursor.index = index;
  return refuse(cursor, 'syntax');
}

/** UTF-8 bytes beyond the first that a non-ASCII unit stands for; each half of a surrogate pair counts two of four. */
function extraBytes(unit: number): number {
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
}

/** Units of the escape at the cursor; a surrogate counts only together with its other half. */
function escapeLength(cursor: Cursor): number | undefined {
  const { text, index } = cursor;
  if (SHORT_ESCAPES.has(text.charCodeAt(index + 1))) {
    return 2;
  }
  const unit = unicodeEscape(text, index);
  if (unit === undefined) {
    return refuse(cursor, 'syntax');
  }
  if (unit < 0xd800 || unit > 0xdfff) {
    return 6;
  }
  const low = unit <= 0xdbff ? unicodeEscape(text, index + 6) : undefined;
  return low !== undefined && low >= 0xdc00 && low <= 0xdfff ? 12 : refuse(cursor, 'encoding');
}

function unicodeEscape(text: string, index: number): number | undefined {
  FOUR_HEX_DIGITS.lastIndex = index + 2;
  return text.startsWith('\\u', index) && FOUR_HEX_DIGITS.test(text)
    ? Number.parseInt(text.slice(index + 2, index + 6), 16)
    : undefined;
}
