import { nearestNames } from './nearest.ts';

/** Names of a list that are reported at once. */
const LISTED_MAX = 24;

/**
 * `did you mean NAME?` for a word that is near a name of a closed list; null for no guess. The word itself is never
 * reported.
 */
export function didYouMean(word: string, names: readonly string[]): string | null {
  const [nearest] = nearestNames(word, names);
  return nearest === undefined || nearest === word ? null : `did you mean ${nearest}?`;
}

/** Names of a closed list for a sentence: `a`, `a or b`, `one of a, b, c and 7 more`. */
export function oneOfNames(names: readonly string[]): string {
  const [first = 'nothing', second, ...others] = names;
  if (second === undefined) return first;
  if (others.length === 0) return `${first} or ${second}`;
  return `one of ${listedNames(names)}`;
}

/** Names of a closed list: `a, b, c and 7 more`. */
export function listedNames(names: readonly string[]): string {
  const more = names.length - LISTED_MAX;
  return `${names.slice(0, LISTED_MAX).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}

/** What to write instead of a word that is none of the names: the nearest, else all of them. */
export function insteadOf(word: string, names: readonly string[]): string {
  return didYouMean(word, names) ?? `write ${oneOfNames(names)}`;
}
