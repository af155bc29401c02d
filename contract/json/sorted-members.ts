import type { Done, Sliced } from './sliced.ts';
import { compareUtf8 } from './utf8.ts';
import type { JsonObject, JsonValue } from './value.ts';

/** A member of an object. */
export type Member = readonly [key: string, value: JsonValue];

/** Members that are sorted in one go, and what that counts for: some twenty comparisons for each. */
const RUN = 512;
const RUN_UNITS = 4 * RUN;

/** The members of an object in the order of the UTF-8 bytes of their keys. */
export function sortedMembers(object: JsonObject): readonly Member[] {
  return [...object].toSorted(byKey);
}

/**
 * As `sortedMembers`, in slices. A unit of its work is a member that is put somewhere: at most some twenty times each.
 */
export function slicedSort(object: JsonObject): Sliced<readonly Member[]> {
  const source = object.entries();
  const state: Sorting = { runs: [], merge: null };
  let isRead = false;
  return {
    advance: (units) => {
      let left = units;
      while (!isRead) {
        if (left <= 0) {
          return null;
        }
        const run = source.take(RUN).toArray();
        left -= RUN_UNITS;
        isRead = run.length < RUN;
        if (run.length > 0) {
          state.runs.push(run.toSorted(byKey));
        }
      }
      return mergeRuns(state, left);
    },
  };
}

interface Merge {
  readonly left: readonly Member[];
  readonly right: readonly Member[];
  readonly merged: Member[];
  fromLeft: number;
  fromRight: number;
}

interface Sorting {
  /** Those that are merged next are first. */
  runs: (readonly Member[])[];
  merge: Merge | null;
}

function mergeRuns(state: Sorting, units: number): Done<readonly Member[]> | null {
  let left = units;
  for (;;) {
    if (state.merge === null) {
      const [first = [], second, ...rest] = state.runs;
      if (second === undefined) {
        return { result: first };
      }
      state.runs = rest;
      state.merge = { left: first, right: second, merged: [], fromLeft: 0, fromRight: 0 };
    }
    const { merge } = state;
    if (left <= 0) {
      return null;
    }
    left -= mergeSome(merge, left);
    if (merge.merged.length === merge.left.length + merge.right.length) {
      state.runs.push(merge.merged);
      state.merge = null;
    }
  }
}

/** How many were put in their place: `units` or fewer. */
function mergeSome(merge: Merge, units: number): number {
  const { left, right, merged } = merge;
  const before = merged.length;
  while (merged.length - before < units) {
    const [first, second] = [left[merge.fromLeft], right[merge.fromRight]];
    if (first !== undefined && (second === undefined || byKey(first, second) < 0)) {
      merged.push(first);
      merge.fromLeft += 1;
    } else if (second !== undefined) {
      merged.push(second);
      merge.fromRight += 1;
    } else {
      break;
    }
  }
  return merged.length - before;
}

function byKey([left]: Member, [right]: Member): number {
  return compareUtf8(left, right);
}
