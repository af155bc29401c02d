import { flatText, ROPE_PARTS } from '../flat-text.ts';
import { memoryExceeded, mismatch, nullError, wrongType } from '../errors.ts';
import { typeName } from '../classes.ts';
import { invoke1 } from '../invoke.ts';
import { toIndex } from '../numbers/index-number.ts';
import { boundedString, displayString, STRING_LIMIT } from '../print.ts';
import { isJavaWhitespace } from '../regex/char-sets.ts';
import { splitBy } from '../regex/search.ts';
import { visit } from '../sequence.ts';
import { isTruthy } from '../truth.ts';
import { Char, char } from '../values/char.ts';
import { Regex } from '../regex/regex.ts';
import { vector } from '../values/vector.ts';
import { replaceFirst, replaceText } from './string-replace.ts';
import { fixed, type Row } from './row.ts';

/** A string argument; anything else is TE. */
function text(operation: string, position: number, value: unknown): string {
  if (typeof value === 'string') return value;
  throw wrongType(operation, position, 'a string', value);
}

/** The text of any value but nil. */
function anyText(operation: string, value: unknown): string {
  if (value === null) throw nullError(`${operation}: argument 1 must be a string, not nil`);
  return displayString(value);
}

/** `upper-case` under one of its names. */
export function upperCase(operation: string): (value: unknown) => string {
  return (value) => boundedString(anyText(operation, value).toUpperCase());
}

/** `lower-case` under one of its names. */
export function lowerCase(operation: string): (value: unknown) => string {
  return (value) => boundedString(anyText(operation, value).toLowerCase());
}

function join(separator: string, collection: unknown): string {
  let joined = '';
  let recent = '';
  let room = ROPE_PARTS;
  let between = '';
  visit(collection, (element) => {
    recent = recent + between + displayString(element);
    if (recent.length > STRING_LIMIT) throw memoryExceeded('a string');
    between = separator;
    room -= 1;
    if (room > 0) return;
    room = ROPE_PARTS;
    joined = boundedString(joined + flatText(recent));
    recent = '';
  });
  return boundedString(joined + recent);
}

function split(subject: unknown, pattern: unknown, limit: unknown): unknown {
  const source = text('split', 1, subject);
  if (pattern instanceof Regex) return vector(splitBy(pattern, source, toIndex('split', 3, limit)));
  if (pattern === null) throw nullError('split: argument 2 must be a regex, not nil');
  throw mismatch(pattern, `split: argument 2 must be a regex like #",", not ${typeName(pattern)}`, {
    operation: 'split',
    expected: 'a regex',
    given: typeName(pattern),
  });
}

function splitLines(subject: unknown): unknown {
  const lines = text('split-lines', 1, subject).split(/\r?\n/);
  while (lines.length > 1 && lines.at(-1) === '') lines.pop();
  if (lines.length === 1 && lines[0] === '' && subject !== '') return vector([]);
  return vector(lines);
}

function capitalize(value: unknown): string {
  const source = anyText('capitalize', value);
  if (source.length < 2) return source.toUpperCase();
  return source.slice(0, 1).toUpperCase() + source.slice(1).toLowerCase();
}

function trimmed(source: string, left: boolean, right: boolean): string {
  let from = 0;
  let to = source.length;
  if (left) while (from < to && isJavaWhitespace(source.charCodeAt(from))) from++;
  if (right) while (to > from && isJavaWhitespace(source.charCodeAt(to - 1))) to--;
  return source.slice(from, to);
}

function isBlank(value: unknown): boolean {
  return value === null || trimmed(text('blank?', 1, value), true, false) === '';
}

function trimNewline(value: unknown): string {
  const source = text('trim-newline', 1, value);
  let to = source.length;
  while (to > 0 && (source.charCodeAt(to - 1) === 10 || source.charCodeAt(to - 1) === 13)) to--;
  return source.slice(0, to);
}

/** A string or char to look for. */
function needle(operation: string, value: unknown): string {
  if (value instanceof Char) return value.text;
  return text(operation, 2, value);
}

function indexOrNil(index: number): number | null {
  return index === -1 ? null : index;
}

function indexOf(subject: unknown, value: unknown, from: unknown): number | null {
  const start = toIndex('index-of', 3, from);
  const source = anyText('index-of', subject);
  const wanted = needle('index-of', value);
  if (start > source.length) return wanted === '' ? source.length : null;
  return indexOrNil(source.indexOf(wanted, start));
}

function lastIndexOf(subject: unknown, value: unknown, from: unknown): number | null {
  const source = anyText('last-index-of', subject);
  const start = from === undefined ? source.length : toIndex('last-index-of', 3, from);
  return start < 0 ? null : indexOrNil(source.lastIndexOf(needle('last-index-of', value), start));
}

/** Keeps surrogate pairs together. */
export function reverseText(source: string): string {
  return Array.from(source).toReversed().join('');
}

function escape(subject: unknown, table: unknown): string {
  const source = text('escape', 1, subject);
  let escaped = '';
  for (let i = 0; i < source.length; i++) {
    const unit = char(source.charCodeAt(i));
    const replacement = invoke1(table, unit);
    escaped = boundedString(escaped + (isTruthy(replacement) ? displayString(replacement) : unit.text));
  }
  return escaped;
}

export function clojureString(): readonly Row[] {
  return [
    fixed(
      'join',
      'coll|separator coll',
      'The texts of the elements, perhaps with a separator between them.',
      (collection: unknown) => join('', collection),
      (separator: unknown, collection: unknown) => join(displayString(separator), collection),
    ),
    fixed(
      'split',
      's re|s re limit',
      'The parts of a string between the matches of a regex, perhaps at most a number of them.',
      (subject: unknown, pattern: unknown) => split(subject, pattern, 0),
      split,
    ),
    fixed('split-lines', 's', 'The lines of a string.', splitLines),
    fixed(
      'replace',
      's match replacement',
      'The string with all matches of a string, char or regex replaced.',
      replaceText,
    ),
    fixed(
      'replace-first',
      's match replacement',
      'The string with the first match of a string, char or regex replaced.',
      replaceFirst,
    ),
    fixed('upper-case', 's', 'The text in upper case.', upperCase('upper-case')),
    fixed('lower-case', 's', 'The text in lower case.', lowerCase('lower-case')),
    fixed('capitalize', 's', 'The text with its first unit in upper case and all others in lower case.', capitalize),
    fixed('trim', 's', 'The string without white space at its ends.', (value: unknown) =>
      trimmed(text('trim', 1, value), true, true),
    ),
    fixed('triml', 's', 'The string without white space at its start.', (value: unknown) =>
      trimmed(text('triml', 1, value), true, false),
    ),
    fixed('trimr', 's', 'The string without white space at its end.', (value: unknown) =>
      trimmed(text('trimr', 1, value), false, true),
    ),
    fixed('trim-newline', 's', 'The string without line ends at its end.', trimNewline),
    fixed('blank?', 's', 'Whether a string is nil, empty or only white space.', isBlank),
    fixed('starts-with?', 's substr', 'Whether a text starts with a string.', (value: unknown, part: unknown) =>
      anyText('starts-with?', value).startsWith(text('starts-with?', 2, part)),
    ),
    fixed('ends-with?', 's substr', 'Whether a text ends with a string.', (value: unknown, part: unknown) =>
      anyText('ends-with?', value).endsWith(text('ends-with?', 2, part)),
    ),
    fixed('includes?', 's substr', 'Whether a text contains a string.', (value: unknown, part: unknown) =>
      anyText('includes?', value).includes(text('includes?', 2, part)),
    ),
    fixed(
      'index-of',
      's value|s value from-index',
      'The first index of a string or char, or nil.',
      (subject: unknown, value: unknown) => indexOf(subject, value, 0),
      indexOf,
    ),
    fixed(
      'last-index-of',
      's value|s value from-index',
      'The last index of a string or char, or nil.',
      (subject: unknown, value: unknown) => lastIndexOf(subject, value, undefined),
      lastIndexOf,
    ),
    fixed('reverse', 's', 'The string in reverse.', (value: unknown) => reverseText(text('reverse', 1, value))),
    fixed('escape', 's cmap', 'The string with chars replaced by what a table gives for them.', escape),
    fixed(
      're-quote-replacement',
      'replacement',
      'The text as a replacement without group references.',
      (value: unknown) => anyText('re-quote-replacement', value).replaceAll(/[\\$]/g, String.raw`\$&`),
    ),
  ];
}
