import type { RunReference } from '../../../contract/run-reference.ts';
import type { RunJournal, RunRecord } from './interface.ts';
import { checkMove, epochAfter } from './moves.ts';
import { createdAs, isAt, scanned } from './records.ts';

/** The record of all runs in the memory of this process (gateway.md §16). */
export function createMemoryJournal(): RunJournal {
  const runs = new Map<RunReference, RunRecord>();
  return {
    create: async (run) => {
      const known = runs.get(run.runRef);
      if (known === undefined)
        runs.set(run.runRef, {
          runRef: run.runRef,
          tenant: run.tenant,
          requestHash: run.requestHash,
          state: 'accepted',
          effect: 'none',
          epoch: 0,
          envelope: null,
        });
      return createdAs(known ?? null, run);
    },
    cas: async (runRef, epoch, from, to) => {
      checkMove(from, to);
      const run = runs.get(runRef);
      if (run === undefined || !isAt(run, epoch, from)) return false;
      runs.set(runRef, {
        ...run,
        state: to.state,
        effect: to.effect,
        epoch: epochAfter(epoch, from, to),
        envelope: to.envelope ?? run.envelope,
      });
      return true;
    },
    get: async (runRef) => runs.get(runRef) ?? null,
    scan: async (query) => scanned([...runs.values()], query),
  };
}
