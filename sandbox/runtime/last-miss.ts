import { programState } from './fresh.ts';
import type { LispMap } from './values/map.ts';

interface Miss {
  map: LispMap | null;
  key: unknown;
}

/** The last lookup by keyword or string that found nothing, for advice in a message about nil (functions.md §20). */
const last = programState<Miss>(() => ({ map: null, key: null }));

/** Notes a lookup that found nothing. Holds on to the map until the next one, or until it is forgotten. */
export function noteMiss(map: LispMap, key: unknown): void {
  last.map = map;
  last.key = key;
}

export function clearMiss(): void {
  last.map = null;
  last.key = null;
}

export function lastMiss(): Readonly<Miss> {
  return last;
}
