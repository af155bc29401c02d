import { badValue, castError, memoryExceeded, nullError, outOfBounds, wrongArgument, wrongType } from '../errors.ts';
import { typeName } from '../classes.ts';
import { invoke1, isFunction } from '../invoke.ts';
import { boundedString, displayString, STRING_LIMIT } from '../print.ts';
import type { Matcher } from '../regex/matcher.ts';
import { matchValue, visitMatches } from '../regex/search.ts';
import { Char } from '../values/char.ts';
import { Regex } from '../regex/regex.ts';

/** A replacement text cut into literal parts and group references. */
type Piece = string | { readonly group: number };

/** Reads `$n`, `${name}` and `\` escapes: a reference takes more digits as long as such a group exists. */
function replacementPieces(text: string, pattern: Regex): readonly Piece[] {
  const pieces: Piece[] = [];
  const { groups, names } = pattern.program;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charAt(i);
    if (unit === '\\') {
      i++;
      if (i >= text.length) throw badValue('character to be escaped is missing');
      pieces.push(text.charAt(i));
    } else if (unit === '$') {
      const named = /^\{([A-Za-z][A-Za-z0-9]*)\}/.exec(text.slice(i + 1, i + 300));
      if (named !== null) {
        const group = names.get(named[1] ?? '');
        if (group === undefined) throw badValue(`No group with name {${named[1] ?? ''}}`);
        pieces.push({ group });
        i += named[0].length;
        continue;
      }
      let group = digitAt(text, i + 1);
      if (group < 0)
        throw badValue(
          i + 1 >= text.length ? 'Illegal group reference: group index is missing' : 'Illegal group reference',
        );
      i++;
      if (group > groups) throw outOfBounds(`No group ${group}`);
      for (let next = digitAt(text, i + 1); next >= 0 && group * 10 + next <= groups; next = digitAt(text, i + 1)) {
        group = group * 10 + next;
        i++;
      }
      pieces.push({ group });
    } else pieces.push(unit);
  }
  return pieces;
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57 ? code - 48 : -1;
}

function byFunction(f: unknown): (matcher: Matcher) => string {
  return (matcher) => {
    const replacement = invoke1(f, matchValue(matcher));
    if (typeof replacement === 'string') return replacement;
    throw wrongType('replace', 3, 'a function that returns a string', replacement);
  };
}

function byText(text: string, pattern: Regex): (matcher: Matcher) => string {
  if (!/[\\$]/.test(text)) return () => text;
  let pieces: readonly Piece[] | null = null;
  return (matcher) => {
    pieces ??= replacementPieces(text, pattern);
    let result = '';
    for (const piece of pieces) result += typeof piece === 'string' ? piece : (matcher.group(piece.group) ?? '');
    return result;
  };
}

/** Replaces matches of a regular expression by a text with group references or by a function. */
export function replacePattern(text: string, pattern: Regex, replacement: unknown, all: boolean): string {
  if (replacement === null) throw nullError('replace: the replacement is nil');
  const show = typeof replacement === 'string' ? byText(replacement, pattern) : byFunction(replacement);
  let result = '';
  let index = 0;
  visitMatches(pattern, text, (matcher) => {
    result = boundedString(result + text.slice(index, matcher.start(0)) + show(matcher));
    index = matcher.end(0);
    return !all;
  });
  return boundedString(result + text.slice(index));
}

/** Text for text: an empty match inserts everywhere. */
export function replaceLiteral(text: string, match: string, replacement: string, all: boolean): string {
  if (!all) {
    const at = text.indexOf(match);
    return at === -1 ? text : boundedString(text.slice(0, at) + replacement + text.slice(at + match.length));
  }
  const parts =
    match === '' ? ['', ...Array.from({ length: text.length }, (_x, i) => text.charAt(i)), ''] : text.split(match);
  if (text.length + parts.length * replacement.length > 2 * STRING_LIMIT) throw memoryExceeded('a string');
  return boundedString(parts.join(replacement));
}

function replaceWith(subject: unknown, match: unknown, replacement: unknown, all: boolean): string {
  const operation = all ? 'replace' : 'replace-first';
  if (subject === null) throw nullError(`${operation}: argument 1 is nil`);
  const text = typeof subject === 'string' ? subject : displayString(subject);
  if (match instanceof Regex) return replacePattern(text, match, replacement, all);
  if (typeof match === 'string' && typeof replacement === 'string')
    return replaceLiteral(text, match, replacement, all);
  if (match instanceof Char && replacement instanceof Char)
    return replaceLiteral(text, match.text, replacement.text, all);
  if (typeof match !== 'string' && !(match instanceof Char)) {
    throw wrongArgument(operation, 2, 'a string, char or regex', match);
  }
  if (replacement === null) throw nullError(`${operation}: the replacement is nil`);
  const input = isFunction(replacement) ? 'function' : typeName(replacement);
  throw castError(`${operation}: a ${typeName(match)} cannot be replaced by a ${input}`);
}

/** `clojure.string/replace`: in the `str` text of anything but nil. */
export function replaceText(text: unknown, match: unknown, replacement: unknown): string {
  return replaceWith(text, match, replacement, true);
}

/** `clojure.string/replace-first`: the same, once. */
export function replaceFirst(text: unknown, match: unknown, replacement: unknown): string {
  return replaceWith(text, match, replacement, false);
}
