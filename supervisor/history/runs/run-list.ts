import { setImmediate } from 'node:timers/promises';
import type { IndexStorage } from '../analysis/run-index/index-file.ts';
import type { EvidenceFiles } from '../analysis/files/evidence-files.ts';
import { readRunRow, type RunRow } from './run-row.ts';
import { collectRunTimes, readRunTimes, writeRunTimes, type KnownEnd, type RunFolders } from './run-times.ts';

/** Of whom, and with what. */
export interface RunListSource {
  readonly files: EvidenceFiles;
  readonly folders: RunFolders;
  /** Where the order of the runs is kept between two looks. */
  readonly storage: IndexStorage;
  /** Absolute: the artifact root. */
  readonly root: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Called while runs are looked through: how many of how many; all of them at the end. */
  readonly onLooked?: (looked: number, runs: number) => void;
}

/** Ends that are read at once between two turns of the event loop: some milliseconds (measured). */
const ENDS_AT_ONCE = 256;

/** Runs of an artifact root, the newest first. */
export interface RunList {
  readonly runs: readonly RunRow[];
  /** Runs of the artifact root, listed or not. */
  readonly total: number;
}

/** The newest runs of an artifact root, or the newest that failed; what is learnt of each is kept. */
export async function listRuns(
  source: RunListSource,
  { limit, failedOnly }: { readonly limit: number; readonly failedOnly: boolean },
): Promise<RunList> {
  const { files, folders, storage, root, now, signal } = source;
  const times = collectRunTimes(folders, root, await readRunTimes(storage), now());
  const rows: RunRow[] = [];
  let looked = 0;
  const ends = new Map<string, KnownEnd>();
  for (const run of times.runs) {
    if (rows.length === limit || signal.aborted) break;
    looked += 1;
    if (failedOnly && run.end === 'ok') continue;
    if (failedOnly && run.end === null) {
      if (looked % ENDS_AT_ONCE === 0) {
        source.onLooked?.(looked, times.count);
        await setImmediate();
      }
      if (folders.end(root, run.runRef) === 'ok') {
        ends.set(run.runRef, 'ok');
        continue;
      }
    }
    const row = await readRunRow(files, root, run);
    if (row.status !== run.end) ends.set(run.runRef, row.status);
    if (!failedOnly || row.status === 'error') rows.push(row);
  }
  if (looked > 0) source.onLooked?.(times.count, times.count);
  if (times.hasChanged || ends.size > 0) {
    const runs = [...times.runs].map((run) => ({ ...run, end: ends.get(run.runRef) ?? run.end }));
    await writeRunTimes(storage, { ...times, runs });
  }
  // Files are ordered by their end; a list is by the start.
  return { runs: rows.toSorted((left, right) => compare(right.at, left.at)), total: times.count };
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
