import { refuseOuter } from '../../runtime/branch.ts';
import { replacePattern } from '../../runtime/builtins/string-replace.ts';
import { TextMatcher } from '../../runtime/regex/text-matcher.ts';
import { indexOf, textOf, type Method } from './member.ts';

type Body = (matcher: TextMatcher, args: readonly unknown[]) => unknown;

function method(name: string, counts: readonly number[], body: Body): readonly [string, Method] {
  const call = ([receiver, ...args]: readonly unknown[]): unknown =>
    receiver instanceof TextMatcher ? body(receiver, args) : null;
  return [name, { counts: counts.map((count) => count + 1), takes: (value) => value instanceof TextMatcher, call }];
}

/** A method that changes where the matcher is. */
function step(name: string, counts: readonly number[], body: Body): readonly [string, Method] {
  return method(name, counts, (matcher, args) => {
    refuseOuter(matcher.birth, 'A matcher');
    return body(matcher, args);
  });
}

/** A group by number or name; the whole match where none is given. */
function groupOf(matcher: TextMatcher, what: string, args: readonly unknown[]): number {
  const [input = 0] = args;
  return typeof input === 'string' ? matcher.groupNamed(input) : indexOf(what, input);
}

/** Methods of java.util.regex.Matcher (functions.md §15). */
export const MATCHER_METHODS: readonly (readonly [string, Method])[] = [
  step('find', [0, 1], (matcher, args) =>
    args.length === 0 ? matcher.find() : matcher.findFrom(indexOf('.find', args[0])),
  ),
  step('matches', [0], (matcher) => matcher.matches()),
  step('lookingAt', [0], (matcher) => matcher.lookingAt()),
  step('reset', [0], (matcher) => matcher.reset()),
  method('group', [0, 1], (matcher, args) => matcher.group(groupOf(matcher, '.group', args))),
  method('start', [0, 1], (matcher, args) => matcher.bounds(groupOf(matcher, '.start', args))[0]),
  method('end', [0, 1], (matcher, args) => matcher.bounds(groupOf(matcher, '.end', args))[1]),
  method('groupCount', [0], (matcher) => matcher.groups),
  method('replaceAll', [1], (matcher, [replacement = null]) =>
    replacePattern(matcher.text, matcher.pattern, textOf('.replaceAll', replacement), true),
  ),
];
