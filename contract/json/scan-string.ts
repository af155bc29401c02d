import { refuse, type Cursor, type OpenString } from './cursor.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const LOWER_U = 0x75;
/** What may follow a backslash other than `u`. */
const SHORT_ESCAPES = '"\\/bfnrt';

/**
 * Reads the string token whose opening quote is at the cursor and leaves the cursor behind it. A token without
 * escapes is cut out of the text; any other is checked here and decoded by the engine, which is linear where adding
 * characters one by one would cost memory per character. (Of single strings the engine is sure; not of escaped keys
 * in their objects, see arbitrary-json.ts.)
 *
 * Null where the slice ends within it: `cursor.token` is what `resumeString` goes on with.
 */
export function scanString(cursor: Cursor): string | undefined | null {
  const start = cursor.index + cursor.shift;
  cursor.index += 1;
  return scanRest(cursor, start, cursor.index, '');
}

/** Goes on with the string in which the last slice ended, as `scanString` does. */
export function resumeString(cursor: Cursor, { start, index, decoded }: OpenString): string | undefined | null {
  cursor.token = null;
  return scanRest(cursor, start, index, decoded);
}

/** From `from` on, the text is not in `decoded` yet. */
function scanRest(cursor: Cursor, start: number, from: number, decoded: string): string | undefined | null {
  const { text } = cursor;
  const end = cursor.stopAt;
  let index = cursor.index;
  let escaped = false;
  while (index < end) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) {
      cursor.index = index + 1;
      return decoded === ''
        ? firstPiece(text, from, index, escaped)
        : decoded + laterPiece(text.slice(from, index), escaped);
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
  if (index >= text.length) {
    return refuse(cursor, 'syntax');
  }
  cursor.token = { start, index, decoded: decoded + laterPiece(text.slice(from, index), escaped) };
  return null;
}

/** What a string holds whose quotes are before `from` and at `to`. */
function firstPiece(text: string, from: number, to: number, escaped: boolean): string {
  return escaped ? String(JSON.parse(text.slice(from - 1, to + 1))) : text.slice(from, to);
}

/** What a piece of a string holds that cuts no escape; the engine takes half a surrogate pair for what it is. */
function laterPiece(piece: string, escaped: boolean): string {
  return escaped ? String(JSON.parse(`"${piece}"`)) : piece;
}

/** UTF-8 bytes beyond the first of a non-ASCII unit; each half of a surrogate pair counts two of four. */
function extraBytes(unit: number): number {
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
}

/** Units of the escape at the cursor; a surrogate counts only together with its other half. */
function escapeLength(cursor: Cursor): number | undefined {
  const { text, index } = cursor;
  if (index + 1 < text.length && SHORT_ESCAPES.includes(text.charAt(index + 1))) {
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

/** The unit that a `\u` escape at the index means; undefined when there is no such escape. */
function unicodeEscape(text: string, index: number): number | undefined {
  if (text.charCodeAt(index) !== BACKSLASH || text.charCodeAt(index + 1) !== LOWER_U) {
    return undefined;
  }
  let unit = 0;
  for (let at = index + 2; at < index + 6; at += 1) {
    const digit = hexDigit(text.charCodeAt(at));
    if (digit === -1) {
      return undefined;
    }
    unit = unit * 16 + digit;
  }
  return unit;
}

/** Value of a hexadecimal digit given as code unit, -1 for any other unit and for NaN, the unit past the end. */
function hexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) {
    return unit - 0x30;
  }
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
