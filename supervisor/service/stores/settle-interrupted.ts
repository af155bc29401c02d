import type { RunReference } from '../../../contract/run-reference.ts';
import { checkJournal } from './arguments.ts';
import { lostRecord } from './lost-record.ts';
import type { RunJournal, RunRecord } from './interface.ts';

const PAGE = 1000;

/**
 * Says how runs ended whose process is gone: those that had started as `lost`, the others as cancelled; gives those
 * that were settled. For anyone who knows that nobody is at work on this journal, as a program that is the only one
 * before it makes its supervisor; never for the table of runners, whose reaper does so by their leases. Rejects with
 * StoreError.
 */
export async function settleInterrupted(journal: RunJournal): Promise<readonly RunReference[]> {
  checkJournal('settleInterrupted', journal);
  const settled: RunReference[] = [];
  let last: RunReference | null = null;
  for (;;) {
    const runs: readonly RunRecord[] = await journal.scan({
      states: ['accepted', 'claimed', 'running'],
      limit: PAGE,
      ...(last === null ? {} : { after: last }),
    });
    for (const run of runs) {
      if (await settle(journal, run)) settled.push(run.runRef);
    }
    const end = runs.at(-1);
    if (end === undefined) return settled;
    last = end.runRef;
  }
}

async function settle(journal: RunJournal, { runRef, epoch, state, effect }: RunRecord): Promise<boolean> {
  const to =
    state === 'accepted'
      ? ({ state: 'cancelled', effect } as const)
      : ({ state: 'lost', effect, envelope: lostRecord(runRef) } as const);
  return journal.cas(runRef, epoch, { state, effect }, to);
}
