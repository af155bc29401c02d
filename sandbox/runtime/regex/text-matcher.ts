import { branch } from '../branch.ts';
import { badState, badValue, outOfBounds } from '../errors.ts';
import { vector } from '../values/vector.ts';
import type { Matcher } from './matcher.ts';
import { matcherFor } from './pattern.ts';
import type { Regex } from './regex.ts';

/** Where the groups of a match begin and end, alternating; -1 for one that took no part. */
export type MatchPlaces = readonly number[];

/** java.util.regex.Matcher: a search through one text that remembers how far it is (functions.md §15). */
export class TextMatcher {
  declare readonly pattern: Regex;
  declare readonly text: string;
  /** The last match; null before the first, and after a search that found nothing. */
  declare places: MatchPlaces | null;
  /** Where the next search begins. */
  declare from: number;
  /** The parallel branch in which it was made. */
  declare readonly birth: number;

  constructor(pattern: Regex, text: string) {
    this.pattern = pattern;
    this.text = text;
    this.places = null;
    this.from = 0;
    this.birth = branch.current;
  }

  get javaName(): string {
    return 'java.util.regex.Matcher';
  }

  get printed(): string {
    return '#object[java.util.regex.Matcher]';
  }

  get groups(): number {
    return this.pattern.program.groups;
  }

  /** Searches on behind the last match, after an empty one a unit further. */
  find(): boolean {
    const { text, from } = this;
    const matcher = matcherFor(this.pattern, text, this.places?.[1] ?? 0);
    return this.#keep(matcher, from <= text.length && matcher.find(from));
  }

  /** Searches from an index on, whatever was found before. */
  findFrom(index: number): boolean {
    if (index < 0 || index > this.text.length) throw outOfBounds('Illegal start index');
    this.reset().from = index;
    return this.find();
  }

  /** Whether the text begins with a match. */
  lookingAt(): boolean {
    const matcher = matcherFor(this.pattern, this.text);
    return this.#keep(matcher, matcher.lookingAt());
  }

  /** Whether the whole text matches. */
  matches(): boolean {
    const matcher = matcherFor(this.pattern, this.text);
    return this.#keep(matcher, matcher.matches());
  }

  /** Begins again. */
  reset(): this {
    this.places = null;
    this.from = 0;
    return this;
  }

  #keep(matcher: Matcher, isFound: boolean): boolean {
    if (!isFound) {
      this.places = null;
      return false;
    }
    this.places = Array.from({ length: 2 * (this.groups + 1) }, (_, i) =>
      i % 2 === 0 ? matcher.start(i / 2) : matcher.end((i - 1) / 2),
    );
    this.from = matcher.end(0) === matcher.start(0) ? matcher.end(0) + 1 : matcher.end(0);
    return true;
  }

  /** Bounds of a group of the last match; raises IllegalStateException without one. */
  bounds(group: number): readonly [start: number, end: number] {
    const { places } = this;
    if (places === null) throw badState('No match found');
    if (group < 0 || group > this.groups) throw outOfBounds(`No group ${group}`);
    return [places[2 * group] ?? -1, places[2 * group + 1] ?? -1];
  }

  group(group: number): string | null {
    const [start, end] = this.bounds(group);
    return start < 0 ? null : this.text.slice(start, end);
  }

  /** The number of a named group. */
  groupNamed(name: string): number {
    const group = this.pattern.program.names.get(name);
    if (group === undefined) throw badValue(`No group with name <${name}>`);
    return group;
  }

  /** The last match as `re-find` gives it. */
  value(): unknown {
    if (this.groups === 0) return this.group(0);
    return vector(Array.from({ length: this.groups + 1 }, (_, group) => this.group(group)));
  }
}
