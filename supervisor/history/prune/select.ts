import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { RunReference } from '../../../contract/run-reference.ts';

const SECOND_MS = 1000;
const DAY_MS = 86_400 * SECOND_MS;

/** What is known of a run that left files. */
export interface StoredRun {
  readonly runRef: RunReference;
  /** Of its newest file, milliseconds since 1970. */
  readonly newestAt: number;
  /** Of all its files together. */
  readonly bytes: number;
}

/** What the caller asks for; null: no such limit. At least one is given, and either is enough. */
export interface PruneLimits {
  readonly maxAgeDays: number | null;
  readonly maxBytes: number | null;
}

export interface Marked {
  readonly kept: ReadonlySet<RunReference>;
  /** `all`: somebody is about to publish, and nobody can know for which run. */
  readonly inProgress: ReadonlySet<RunReference> | 'all';
}

export interface Selection {
  /** Oldest first. */
  readonly due: readonly RunReference[];
  /** Due, but not to be touched now. */
  readonly skipped: readonly RunReference[];
}

/** Which runs go (cli.md §10, "selection"). `now`: milliseconds since 1970. */
export function selectRuns(
  runs: readonly StoredRun[],
  { maxAgeDays, maxBytes }: PruneLimits,
  { kept, inProgress }: Marked,
  now: number,
): Selection {
  const due: RunReference[] = [];
  const skipped: RunReference[] = [];
  let total = runs.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { runRef, newestAt, bytes } of runs.toSorted(
    (a, b) => a.newestAt - b.newestAt || compareUtf8(a.runRef, b.runRef),
  )) {
    if (kept.has(runRef)) continue;
    const isOld = maxAgeDays !== null && now - newestAt > maxAgeDays * DAY_MS;
    const isTooMuch = maxBytes !== null && total > maxBytes;
    if (!isOld && !isTooMuch) continue;
    if (inProgress === 'all' || inProgress.has(runRef)) {
      skipped.push(runRef);
      continue;
    }
    due.push(runRef);
    total -= bytes;
  }
  return { due, skipped };
}
