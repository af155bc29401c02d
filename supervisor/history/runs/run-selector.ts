import { isRunReference } from '../../../contract/run-reference.ts';
import { listRuns, type RunListSource } from './run-list.ts';
import { collectRunTimes, readRunTimes, writeRunTimes } from './run-times.ts';

/** Why a word names no run. */
export type SelectorFault = 'no_runs' | 'no_failed_run' | 'no_such_run' | 'ambiguous';

export type SelectedRun =
  | { readonly ok: true; readonly runRef: string }
  | { readonly ok: false; readonly fault: SelectorFault };

/** The run that a word means: its reference, `latest`, `latest-failed`, or the beginning of one reference. */
export async function selectRun(source: RunListSource, word: string): Promise<SelectedRun> {
  if (isRunReference(word)) return { ok: true, runRef: word };
  if (word === 'latest-failed') {
    const [failed] = (await listRuns(source, { limit: 1, failedOnly: true })).runs;
    return failed === undefined ? { ok: false, fault: 'no_failed_run' } : { ok: true, runRef: failed.run_ref };
  }
  const { folders, storage, root, now } = source;
  const times = collectRunTimes(folders, root, await readRunTimes(storage), now());
  if (times.hasChanged) await writeRunTimes(storage, times);
  const [latest] = times.runs;
  const [run, another] = word === 'latest' ? [latest] : [...times.runs].filter(({ runRef }) => runRef.startsWith(word));
  if (run === undefined) return { ok: false, fault: word === 'latest' ? 'no_runs' : 'no_such_run' };
  return another === undefined ? { ok: true, runRef: run.runRef } : { ok: false, fault: 'ambiguous' };
}
