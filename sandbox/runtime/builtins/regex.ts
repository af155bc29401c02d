import { valueError, wrongType } from '../errors.ts';
import { matcherFor, regex as compileRegex } from '../regex/pattern.ts';
import { matchValue, splitBy, visitMatches } from '../regex/search.ts';
import { refuseOuter } from '../branch.ts';
import { TextMatcher } from '../regex/text-matcher.ts';
import { refuseLength } from '../sequence.ts';
import { parseLong } from '../numbers/parse.ts';
import { toIndex } from '../numbers/index-number.ts';
import { integer } from '../values/double.ts';
import { realised } from '../values/seq.ts';
import { Regex } from '../regex/regex.ts';
import { vector } from '../values/vector.ts';
import { fixed, type Row } from './row.ts';

function pattern(operation: string, value: unknown): Regex {
  if (value instanceof Regex) return value;
  throw wrongType(operation, 1, 'a regex', value);
}

function subject(operation: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw wrongType(operation, 2, 'a string', value);
}

/** A regex, or the one that a string spells. */
function patternOf(operation: string, value: unknown): Regex {
  if (value instanceof Regex) return value;
  if (typeof value !== 'string') throw wrongType(operation, 1, 'a regex or a string', value);
  const made = compileRegex(value);
  if (made.ok) return made.value;
  throw valueError('java.util.regex.PatternSyntaxException', made.message);
}

function reFind(re: unknown, text: unknown): unknown {
  const matcher = matcherFor(pattern('re-find', re), subject('re-find', text));
  return matcher.find(0) ? matchValue(matcher) : null;
}

/** A matcher that is to go on. */
function matcherOf(operation: string, value: unknown): TextMatcher {
  if (!(value instanceof TextMatcher)) throw wrongType(operation, 1, 'a matcher', value);
  return value;
}

/** The next match of a matcher. */
function findNext(value: unknown): unknown {
  const matcher = matcherOf('re-find', value);
  refuseOuter(matcher.birth, 'A matcher');
  return matcher.find() ? matcher.value() : null;
}

function reMatches(re: unknown, text: unknown): unknown {
  const matcher = matcherFor(pattern('re-matches', re), subject('re-matches', text));
  return matcher.matches() ? matchValue(matcher) : null;
}

function reSeq(re: unknown, text: unknown): unknown {
  const found: unknown[] = [];
  visitMatches(pattern('re-seq', re), subject('re-seq', text), (matcher) => {
    refuseLength(found.push(matchValue(matcher)));
  });
  return found.length === 0 ? null : realised(found);
}

function extracted(operation: string, re: unknown, text: unknown, group: unknown): string | null {
  const matcher = matcherFor(patternOf(operation, re), subject(operation, text));
  const index = group === undefined ? Math.min(1, matcher.groups) : toIndex(operation, 3, group);
  return index >= 0 && index <= matcher.groups && matcher.find(0) ? matcher.group(index) : null;
}

function extractInteger(re: unknown, text: unknown, group: unknown, fallback: unknown): unknown {
  const found = extracted('extract-int', re, text, group);
  const value = found === null ? null : parseLong(found);
  return value === null ? fallback : integer(value);
}

export function regexCore(): readonly Row[] {
  return [
    fixed('re-pattern', 's', 'The regex of a text.', (value: unknown) => patternOf('re-pattern', value)),
    fixed(
      're-find',
      'm|re s',
      'The first match of a regex in a string, or the next one of a matcher, with its groups, or nil.',
      findNext,
      reFind,
    ),
    fixed('re-matches', 're s', 'The match of a regex with a whole string, with its groups, or nil.', reMatches),
    fixed(
      're-matcher',
      're s',
      'A matcher, which finds one match of a regex in a string after the other.',
      (re: unknown, text: unknown) => new TextMatcher(pattern('re-matcher', re), subject('re-matcher', text)),
    ),
    fixed('re-groups', 'm', 'The last match of a matcher, with its groups.', (value: unknown) =>
      matcherOf('re-groups', value).value(),
    ),
    fixed('re-seq', 're s', 'All matches of a regex in a string, or nil.', reSeq),
  ];
}

export function regexExtensions(): readonly Row[] {
  return [
    fixed('regex?', 'x', 'Whether it is a regex.', (value: unknown) => value instanceof Regex),
    fixed(
      're-split',
      're s',
      'All parts of a string between the matches of a regex, in a vector.',
      (re: unknown, text: unknown) => vector(splitBy(pattern('re-split', re), subject('re-split', text), -1)),
    ),
    fixed(
      'extract',
      'pattern s|pattern s group',
      'The first group of the first match, or group n, or nil.',
      (re: unknown, text: unknown) => extracted('extract', re, text, undefined),
      (re: unknown, text: unknown, group: unknown) => extracted('extract', re, text, group),
    ),
    fixed(
      'extract-int',
      'pattern s|pattern s group|pattern s group default',
      'As extract, as an integer, perhaps with a default.',
      (re: unknown, text: unknown) => extractInteger(re, text, undefined, null),
      (re: unknown, text: unknown, group: unknown) => extractInteger(re, text, group, null),
      extractInteger,
    ),
  ];
}
