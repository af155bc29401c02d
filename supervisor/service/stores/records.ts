import type { NewRun, RunPosition, RunRecord, RunScan } from './interface.ts';

const SCAN_LIMIT = 1000;

/** What asking for a run comes to, by what is known of it. */
export function createdAs(known: RunRecord | null, { tenant, requestHash }: NewRun): 'new' | 'same' | 'conflict' {
  if (known === null) return 'new';
  return known.tenant === tenant && known.requestHash === requestHash ? 'same' : 'conflict';
}

/** Whether a run is in the state that a change starts from. */
export function isAt(run: RunRecord, epoch: number, { state, effect }: RunPosition): boolean {
  return run.epoch === epoch && run.state === state && run.effect === effect;
}

/** Throws TypeError for a limit outside of 1 to 1,000. */
export function checkScan({ limit }: RunScan): void {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > SCAN_LIMIT)
    throw new TypeError(`a scan gives 1 to ${SCAN_LIMIT} runs`);
}

/** What a scan gives of all runs. */
export function scanned(runs: readonly RunRecord[], query: RunScan): readonly RunRecord[] {
  checkScan(query);
  const { tenant, states, after, limit } = query;
  return runs
    .filter(
      (run) =>
        (tenant === undefined || run.tenant === tenant) &&
        (states === undefined || states.includes(run.state)) &&
        (after === undefined || run.runRef > after),
    )
    .toSorted((left, right) => (left.runRef < right.runRef ? -1 : 1))
    .slice(0, limit);
}
