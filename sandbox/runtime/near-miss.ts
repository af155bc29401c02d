import { Keyword } from './values/keyword.ts';
import { lastMiss } from './last-miss.ts';
import { printString } from './print.ts';
import { suggestions } from './suggestions.ts';
import type { LispMap } from './values/map.ts';

/** Keys of a map that are compared with the missing one. */
const COMPARED = 200;
const LONGEST = 64;
/** Shorter keys are all alike. */
const SHORTEST = 4;

function plain(key: unknown): string | null {
  const text = key instanceof Keyword ? key.text : key;
  return typeof text === 'string' && text.length <= LONGEST ? text.replaceAll(/[-_]/g, '').toLowerCase() : null;
}

const SEPARATORS = /[-_\s]+|(?<=[a-z0-9])(?=[A-Z])/;

/** The words of a key in one order; null for a key of one word. */
function wordsOf(key: unknown): string | null {
  const text = key instanceof Keyword ? key.text : key;
  if (typeof text !== 'string' || text.length > LONGEST) return null;
  const words = text.split(SEPARATORS).filter((word) => word !== '');
  return words.length < 2
    ? null
    : words
        .map((word) => word.toLowerCase())
        .toSorted()
        .join(' ');
}

/**
 * What to say of the last missed lookup when its map holds the key in another spelling, with its words in another
 * order, or one a letter or two away; null otherwise.
 */
export function otherSpellingHint(): string | null {
  const { map, key } = lastMiss();
  const wanted = plain(key);
  if (map === null || wanted === null) return null;
  const stored = keysLike(map, wanted, wordsOf(key));
  return stored.length === 0
    ? null
    : `${printString(key)} found nothing; the map has ${stored.map(printString).join(', ')}`;
}

/** The key in another spelling, else those of the same words, else those that are a letter or two away. */
function keysLike(map: LispMap, wanted: string, words: string | null): readonly unknown[] {
  const found: unknown[] = [];
  const reordered: unknown[] = [];
  const others = new Map<string, unknown>();
  let compared = 0;
  map.visit((candidate) => {
    compared += 1;
    const text = plain(candidate);
    if (text === wanted) found.push(candidate);
    else if (words !== null && wordsOf(candidate) === words) reordered.push(candidate);
    else if (text !== null) others.set(text, candidate);
    return found.length > 0 || compared >= COMPARED;
  });
  if (found.length > 0) return found;
  if (reordered.length > 0 || wanted.length < SHORTEST) return reordered;
  return suggestions(wanted, others.keys()).map((text) => others.get(text));
}
