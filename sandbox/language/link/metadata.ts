import { conjMap } from '../../runtime/collections.ts';
import { EMPTY_MAP } from '../../runtime/values/array-map.ts';
import { LispMap } from '../../runtime/values/map.ts';
import { mapFromEntries } from '../../runtime/values/map-builder.ts';

/** The metadata of a short form: `^:private`, `^String`. */
export function singleMeta(key: unknown, value: unknown): unknown {
  return mapFromEntries([key, value]);
}

/** Two metadata maps in one; the second wins. */
export function mergeMeta(first: unknown, second: unknown): unknown {
  return conjMap(first instanceof LispMap ? first : EMPTY_MAP, second);
}
