import { Keyword } from './values/keyword.ts';
import type { LispMap } from './values/map.ts';
import { printString } from './print.ts';

/** The last lookup by keyword or string that found nothing, for advice in a message about nil (functions.md §20). */
const lastMiss: { map: LispMap | null; key: unknown } = { map: null, key: null };

/** Notes a lookup that found nothing. Holds on to the map until the next one, or until it is forgotten. */
export function noteMiss(map: LispMap, key: unknown): void {
  lastMiss.map = map;
  lastMiss.key = key;
}

export function forgetMiss(): void {
  lastMiss.map = null;
  lastMiss.key = null;
}

/** Keys of a map that are compared with the missing one. */
const COMPARED = 200;
const LONGEST = 64;

function plain(key: unknown): string | null {
  const text = key instanceof Keyword ? key.text : key;
  return typeof text === 'string' && text.length <= LONGEST ? text.replaceAll(/[-_]/g, '').toLowerCase() : null;
}

/** What to say of the last missed lookup when its map holds the key in another spelling; null otherwise. */
export function otherSpellingAdvice(): string | null {
  const { map, key } = lastMiss;
  const wanted = plain(key);
  if (map === null || wanted === null) return null;
  const found: unknown[] = [];
  let compared = 0;
  map.visit((candidate) => {
    compared += 1;
    if (plain(candidate) === wanted) found.push(candidate);
    return found.length > 0 || compared >= COMPARED;
  });
  const [stored] = found;
  return stored === undefined ? null : `${printString(key)} found nothing; the map has ${printString(stored)}`;
}
