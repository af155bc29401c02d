import { replaceLiteral, replacePattern } from '../../runtime/builtins/string-replace.ts';
import { memoryExceeded } from '../../runtime/errors.ts';
import { displayString, STRING_LIMIT } from '../../runtime/print.ts';
import { matcherFor, regex } from '../../runtime/regex/pattern.ts';
import { splitBy } from '../../runtime/regex/search.ts';
import type { Regex } from '../../runtime/regex/regex.ts';
import { char, Char } from '../../runtime/values/char.ts';
import { vector } from '../../runtime/values/vector.ts';
import { charsOf } from '../../runtime/sequence.ts';
import { isJavaWhitespace } from '../reader/characters.ts';
import { castFault, charOf, domainFault, indexOf, member, textOf, type Member, type Method } from './member.ts';

type Body = (text: string, args: readonly unknown[]) => unknown;

const BOUNDS = 'java.lang.StringIndexOutOfBoundsException';

function method(name: string, counts: readonly number[], body: Body): readonly [string, Method] {
  const call = ([receiver, ...args]: readonly unknown[]): unknown => body(textOf(`.${name}`, receiver), args);
  return [name, { counts: counts.map((count) => count + 1), call, takes: (value) => typeof value === 'string' }];
}

function checkedIndex(text: string, index: number, highest: number): number {
  if (index < 0 || index > highest) throw domainFault(BOUNDS, `Index ${index} out of bounds for length ${text.length}`);
  return index;
}

/** A string or char to look for; an integer is a code point. */
function searchText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Char) return value.text;
  if (value === null) throw castFault(`.${name}`, 'a string', value);
  return String.fromCodePoint(Math.min(0x10ffff, Math.max(0, indexOf(`.${name}`, value))));
}

function stripped(text: string, start: boolean, end: boolean): string {
  let from = 0;
  let to = text.length;
  while (from < to && isJavaWhitespace(text.charCodeAt(from))) from += 1;
  while (to > from && isJavaWhitespace(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(start ? from : 0, end ? to : text.length);
}

/** `trim` removes everything up to U+0020. */
function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) <= 0x20) from += 1;
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to -= 1;
  return text.slice(from, to);
}

/** A text in which letters of either case are the same. */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase();
}

function compareUnits(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index += 1) {
    const difference = a.charCodeAt(index) - b.charCodeAt(index);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function replaced(text: string, from: unknown, to: unknown): string {
  if (from instanceof Char) return replaceLiteral(text, from.text, charOf('.replace', to).text, true);
  return replaceLiteral(text, textOf('.replace', from), textOf('.replace', to), true);
}

/** The regex of a pattern text (functions.md §15). */
function patternOf(name: string, text: unknown): Regex {
  const compiled = regex(textOf(`.${name}`, text));
  if (compiled.ok) return compiled.value;
  throw domainFault('java.util.regex.PatternSyntaxException', compiled.message);
}

function replacedMatches(name: string, all: boolean): readonly [string, Method] {
  return method(name, [2], (text, [pattern, replacement]) =>
    replacePattern(text, patternOf(name, pattern), textOf(`.${name}`, replacement), all),
  );
}

/** Methods of strings (functions.md §18). */
export const STRING_METHODS: readonly (readonly [string, Method])[] = [
  method('length', [0], (text) => text.length),
  method('isEmpty', [0], (text) => text.length === 0),
  method('isBlank', [0], (text) => stripped(text, true, true).length === 0),
  method('charAt', [1], (text, [index]) =>
    char(text.charCodeAt(checkedIndex(text, indexOf('.charAt', index), text.length - 1))),
  ),
  method('codePointAt', [1], (text, [index]) =>
    text.codePointAt(checkedIndex(text, indexOf('.codePointAt', index), text.length - 1)),
  ),
  method('substring', [1, 2], (text, args) => {
    const to = args.length > 1 ? checkedIndex(text, indexOf('.substring', args[1]), text.length) : text.length;
    const from = checkedIndex(text, indexOf('.substring', args[0]), to);
    return text.slice(from, to);
  }),
  method('indexOf', [1, 2], (text, args) =>
    text.indexOf(searchText('indexOf', args[0]), args.length > 1 ? indexOf('.indexOf', args[1]) : 0),
  ),
  method('lastIndexOf', [1, 2], (text, args) => {
    const from = args.length > 1 ? indexOf('.lastIndexOf', args[1]) : text.length;
    return from < 0 ? -1 : text.lastIndexOf(searchText('lastIndexOf', args[0]), from);
  }),
  method('contains', [1], (text, [part]) => text.includes(textOf('.contains', part))),
  method('startsWith', [1, 2], (text, args) => {
    const from = args.length > 1 ? indexOf('.startsWith', args[1]) : 0;
    return from >= 0 && from <= text.length && text.startsWith(textOf('.startsWith', args[0]), from);
  }),
  method('endsWith', [1], (text, [part]) => text.endsWith(textOf('.endsWith', part))),
  method(
    'equalsIgnoreCase',
    [1],
    (text, [other]) => other !== null && folded(text) === folded(textOf('.equalsIgnoreCase', other)),
  ),
  method('compareTo', [1], (text, [other]) => compareUnits(text, textOf('.compareTo', other))),
  method('compareToIgnoreCase', [1], (text, [other]) =>
    compareUnits(folded(text), folded(textOf('.compareToIgnoreCase', other))),
  ),
  method('concat', [1], (text, [other]) => text + textOf('.concat', other)),
  method('replace', [2], (text, [from, to]) => replaced(text, from, to)),
  replacedMatches('replaceAll', true),
  replacedMatches('replaceFirst', false),
  method('matches', [1], (text, [pattern]) => matcherFor(patternOf('matches', pattern), text).matches()),
  method('split', [1, 2], (text, args) =>
    vector(splitBy(patternOf('split', args[0]), text, args.length > 1 ? indexOf('.split', args[1]) : 0)),
  ),
  method('toUpperCase', [0], (text) => text.toUpperCase()),
  method('toLowerCase', [0], (text) => text.toLowerCase()),
  method('trim', [0], trimmed),
  method('strip', [0], (text) => stripped(text, true, true)),
  method('stripLeading', [0], (text) => stripped(text, true, false)),
  method('stripTrailing', [0], (text) => stripped(text, false, true)),
  method('repeat', [1], (text, [count]) => {
    const times = indexOf('.repeat', count);
    if (times < 0) throw domainFault('java.lang.IllegalArgumentException', `count is negative: ${times}`);
    if (text.length * times > STRING_LIMIT) throw memoryExceeded('a string');
    return text.repeat(times);
  }),
  method('intern', [0], (text) => text),
  method('toCharArray', [0], (text) => vector(charsOf(text))),
];

/** Static members of String. */
export const STRING_STATICS: readonly (readonly [string, Member])[] = [
  ['valueOf', member([1], ([value]) => (value === null ? 'null' : displayString(value)))],
];
