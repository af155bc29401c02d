import { EMPTY_MAP } from './array-map.ts';
import { keyword } from './keyword.ts';
import type { LispMap } from './map.ts';
import { arrayMap } from './map-builder.ts';

/** Keys of a hierarchy, as `make-hierarchy` has them (functions.md §21). */
export const PARENTS = keyword(null, 'parents');
export const DESCENDANTS = keyword(null, 'descendants');
export const ANCESTORS = keyword(null, 'ancestors');

export const EMPTY_HIERARCHY: LispMap = arrayMap([PARENTS, EMPTY_MAP, DESCENDANTS, EMPTY_MAP, ANCESTORS, EMPTY_MAP]);
