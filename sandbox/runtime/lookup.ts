import { char } from './values/char.ts';
import { isInteger, isNumber } from './values/double.ts';
import { noteMiss } from './last-miss.ts';
import { intValue } from './numbers/index-number.ts';
import { existingKeyword, Keyword } from './values/keyword.ts';
import { ABSENT, LispMap } from './values/map.ts';
import { LispSet } from './values/set.ts';
import { SortedMap } from './values/sorted-map.ts';
import { Transient } from './values/transient.ts';
import { Vector } from './values/vector.ts';

/**
 * The spelling under which a map holds a key, by the flexible rule of language.md §7, or `ABSENT`: the key itself;
 * keyword and string of one text; a keyword's hyphens as underscores. Sorted maps and other keys: exact.
 */
export function flexibleKey(map: LispMap, key: unknown): unknown {
  const exact = map.storedKey(key);
  if (exact !== ABSENT || map instanceof SortedMap || map.count === 0) return exact;
  const text = key instanceof Keyword ? key.text : key;
  if (typeof text !== 'string') return ABSENT;
  for (const spelling of otherSpellings(key, text)) {
    const stored = map.storedKey(spelling);
    if (stored !== ABSENT) return stored;
  }
  return ABSENT;
}

/**
 * The spelling under which what changes a map finds a key, or `ABSENT`: a string is written as it is, so that data keys
 * of two spellings never merge.
 */
export function changeableKey(map: LispMap, key: unknown): unknown {
  return typeof key === 'string' ? map.storedKey(key) : flexibleKey(map, key);
}

function otherSpellings(key: unknown, text: string): readonly unknown[] {
  const spellings: unknown[] = [];
  if (key === text) {
    pushKeyword(spellings, text);
    return spellings;
  }
  spellings.push(text);
  if (text.includes('-')) {
    const underscored = text.replaceAll('-', '_');
    spellings.push(underscored);
    pushKeyword(spellings, underscored);
  }
  return spellings;
}

/** A keyword nobody ever made is in no map. */
function pushKeyword(spellings: unknown[], text: string): void {
  const known = existingKeyword(text);
  if (known !== null) spellings.push(known);
}

/** The value that a map gives for a key under the flexible rule, or `ABSENT`. */
export function lookupFlexible(map: LispMap, key: unknown): unknown {
  const exact = map.lookup(key);
  if (exact !== ABSENT || !(typeof key === 'string' || key instanceof Keyword)) return exact;
  const stored = flexibleKey(map, key);
  if (stored !== ABSENT) return map.lookup(stored);
  noteMiss(map, key);
  return ABSENT;
}

/** `(get target key)`. */
export function get(target: unknown, key: unknown): unknown {
  return getOr(target, key, null);
}

/** `(get target key default)`: maps (flexible), vectors and strings by integer index, sets; all else the default. */
export function getOr(target: unknown, key: unknown, fallback: unknown): unknown {
  if (target instanceof LispMap) {
    const found = lookupFlexible(target, key);
    return found === ABSENT ? fallback : found;
  }
  if (target instanceof Vector) {
    if (typeof key === 'number' && Number.isInteger(key) && key >= 0 && key < target.count) return target.at(key);
    const index = isInteger(key) ? intValue(key) : -1;
    return index >= 0 && index < target.count ? target.at(index) : fallback;
  }
  if (target instanceof LispSet) {
    const found = target.lookup(key);
    return found === ABSENT ? fallback : found;
  }
  if (target instanceof Transient) {
    const found = target.lookup(key);
    return found === ABSENT ? fallback : found;
  }
  if (typeof target === 'string' && isNumber(key)) {
    const index = intValue(key);
    return index >= 0 && index < target.length ? char(target.charCodeAt(index)) : fallback;
  }
  return fallback;
}
