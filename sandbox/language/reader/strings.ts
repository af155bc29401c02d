import { char, type Char } from '../../runtime/values/char.ts';
import { endOfSource, parseError } from '../compile-failure.ts';

const SIMPLE_ESCAPES = new Map([
  ['t', '\t'],
  ['r', '\r'],
  ['n', '\n'],
  ['\\', '\\'],
  ['"', '"'],
  ['b', '\b'],
  ['f', '\f'],
]);

const NAMED_CHARS = new Map([
  ['newline', 0x0a],
  ['space', 0x20],
  ['tab', 0x09],
  ['return', 0x0d],
  ['backspace', 0x08],
  ['formfeed', 0x0c],
]);

/** A text between double quotes and the offset after the closing one. */
export interface QuotedText {
  readonly value: string;
  readonly next: number;
}

/** Reads a string literal whose opening quote is at `start`. */
export function readStringLiteral(source: string, start: number): QuotedText {
  const parts: string[] = [];
  let copied = start + 1;
  let index = start + 1;
  while (index < source.length) {
    const unit = source[index];
    if (unit === '"') {
      parts.push(source.slice(copied, index));
      return { value: parts.join(''), next: index + 1 };
    }
    if (unit !== '\\') {
      index += 1;
      continue;
    }
    parts.push(source.slice(copied, index));
    const escape = readEscape(source, index);
    parts.push(escape.value);
    index = escape.next;
    copied = index;
  }
  throw endOfSource('Unclosed string: EOF while reading string', start);
}

/** Reads a regex literal whose opening quote is at `start`: backslashes stay as they are. */
export function readRegexLiteral(source: string, start: number): QuotedText {
  let index = start + 1;
  while (index < source.length) {
    const unit = source[index];
    if (unit === '"') return { value: source.slice(start + 1, index), next: index + 1 };
    index += unit === '\\' ? 2 : 1;
  }
  throw endOfSource('Unclosed regex: EOF while reading regex', start - 1);
}

function readEscape(source: string, backslash: number): QuotedText {
  const letter = source[backslash + 1];
  if (letter === undefined) throw endOfSource('Unclosed string: EOF while reading string', backslash);
  const simple = SIMPLE_ESCAPES.get(letter);
  if (simple !== undefined) return { value: simple, next: backslash + 2 };
  if (letter === 'u') {
    const digits = source.slice(backslash + 2, backslash + 6);
    if (!/^[0-9A-Fa-f]{4}$/.test(digits))
      throw parseError('Invalid unicode escape: \\u needs four hex digits', backslash);
    return { value: String.fromCharCode(Number.parseInt(digits, 16)), next: backslash + 6 };
  }
  const octal = /^[0-7]{1,3}/.exec(source.slice(backslash + 1, backslash + 4));
  if (octal !== null) {
    const code = Number.parseInt(octal[0], 8);
    if (code > 0o377) throw parseError('Octal escape sequence must be in range [0, 377]', backslash);
    return { value: String.fromCharCode(code), next: backslash + 1 + octal[0].length };
  }
  throw parseError(
    `Unsupported escape character: \\${letter}; for a regex write #"\\${letter}", for a backslash \\\\${letter}`,
    backslash,
  );
}

/** The char that a token after a backslash names; `offset` is that of the backslash. */
export function readCharLiteral(token: string, offset: number): Char {
  if (token.length === 1) return char(token.charCodeAt(0));
  const named = NAMED_CHARS.get(token);
  if (named !== undefined) return char(named);
  if (/^u[0-9A-Fa-f]{4}$/.test(token)) {
    const code = Number.parseInt(token.slice(1), 16);
    if (code >= 0xd800 && code <= 0xdfff)
      throw parseError(`Invalid character constant: \\${token} is a surrogate`, offset);
    return char(code);
  }
  if (/^o[0-7]{1,3}$/.test(token)) {
    const code = Number.parseInt(token.slice(1), 8);
    if (code <= 0o377) return char(code);
    throw parseError('Octal escape sequence must be in range [0, 377]', offset);
  }
  const shown = token.length > 32 ? `${token.slice(0, 32)}...` : token;
  throw parseError(
    `Unsupported character: \\${shown}; a string is written "${shown.replaceAll(/["\\]/g, '')}"`,
    offset,
  );
}
