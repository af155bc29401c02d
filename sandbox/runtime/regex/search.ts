import { refuseLength } from '../sequence.ts';
import type { Regex } from './regex.ts';
import { vector } from '../values/vector.ts';
import type { Matcher } from './matcher.ts';
import { matcherFor } from './pattern.ts';

/** A match as `re-find` gives it: the text, or a vector of it and the groups when the pattern has any. */
export function matchValue(matcher: Matcher): unknown {
  if (matcher.groups === 0) return matcher.group(0);
  const parts: unknown[] = [];
  for (let i = 0; i <= matcher.groups; i++) parts.push(matcher.group(i));
  return vector(parts);
}

/**
 * Visits all matches from left to right until the visitor returns true; after an empty one the search goes on a unit
 * further.
 */
export function visitMatches(pattern: Regex, text: string, visitor: (matcher: Matcher) => unknown): void {
  const matcher = matcherFor(pattern, text);
  let from = 0;
  while (from <= text.length && matcher.find(from)) {
    if (visitor(matcher) === true) return;
    from = matcher.end(0) === matcher.start(0) ? matcher.end(0) + 1 : matcher.end(0);
  }
}

/** `Pattern.split`: `limit` 0 drops trailing empties, a positive one bounds the parts, a negative one keeps all. */
export function splitBy(pattern: Regex, text: string, limit: number): string[] {
  const parts: string[] = [];
  let index = 0;
  visitMatches(pattern, text, (matcher) => {
    const start = matcher.start(0);
    const end = matcher.end(0);
    if (limit > 0 && parts.length >= limit - 1) return true;
    if (end === 0 && start === 0) return false;
    parts.push(text.slice(index, start));
    refuseLength(parts.length);
    index = end;
    return false;
  });
  if (index === 0 && parts.length === 0) return [text];
  parts.push(text.slice(index));
  if (limit === 0) while (parts.length > 0 && parts.at(-1) === '') parts.pop();
  return parts;
}
