import { isRunReference, type RunReference } from '../../../contract/run-reference.ts';
import type { ReservationTools } from '../../evidence/publication/reservation.ts';
import { openSafeDirectory, type SafeDirectory } from '../../evidence/publication/safe-directory.ts';
import { RUN_EFFECTS, RUN_ROW_STATES, StoreError, type RunJournal, type RunRecord } from './interface.ts';
import { checkMove, epochAfter } from './moves.ts';
import { checkScan, createdAs, isAt, scanned } from './records.ts';
import { versionedFiles } from './versioned-files.ts';

/** An envelope is 1 MiB at most (gateway.md §19), the rest is small. */
const RECORD_BYTES = 1_100_000;

/**
 * The record of all runs as files below a directory of this user alone: each run is a file that changes
 * (`versionedFiles`).
 */
export function fileJournal(tools: ReservationTools, root: string): RunJournal {
  const files = versionedFiles(tools, { open: async () => openRoot(tools, root), maxBytes: RECORD_BYTES });
  const write = async (run: RunRecord, version: number): Promise<boolean> =>
    files.write(run.runRef, version, Buffer.from(JSON.stringify(run)));
  const latest = async (runRef: RunReference): Promise<Known | null> => {
    if (!isRunReference(runRef)) throw new StoreError('key_invalid');
    const stored = await files.latest(runRef);
    return stored === null ? null : { run: recordOf(stored.bytes, runRef), version: stored.version };
  };
  return {
    create: async (run) => {
      const { runRef, tenant, requestHash } = run;
      const known = await latest(runRef);
      if (known !== null) return createdAs(known.run, run);
      if (await write({ runRef, tenant, requestHash, state: 'accepted', effect: 'none', epoch: 0, envelope: null }, 1))
        return 'new';
      return createdAs((await latest(runRef))?.run ?? null, run);
    },
    cas: async (runRef, epoch, from, to) => {
      checkMove(from, to);
      const known = await latest(runRef);
      if (known === null || !isAt(known.run, epoch, from)) return false;
      const next = {
        ...known.run,
        state: to.state,
        effect: to.effect,
        epoch: epochAfter(epoch, from, to),
        envelope: to.envelope ?? known.run.envelope,
      };
      return write(next, known.version + 1);
    },
    get: async (runRef) => (await latest(runRef))?.run ?? null,
    scan: async (query) => {
      checkScan(query);
      const runs: RunRecord[] = [];
      for (const runRef of (await files.names()).filter(isRunReference).toSorted()) {
        if (query.after !== undefined && runRef <= query.after) continue;
        const known = await latest(runRef);
        if (known !== null) runs.push(...scanned([known.run], query));
        if (runs.length === query.limit) break;
      }
      return runs;
    },
  };
}

interface Known {
  readonly run: RunRecord;
  readonly version: number;
}

async function openRoot({ fileSystem }: ReservationTools, root: string): Promise<SafeDirectory> {
  const opened = await openSafeDirectory(fileSystem, root);
  if (!opened.ok) throw new StoreError('unavailable');
  return opened.value;
}

function recordOf(bytes: Uint8Array, runRef: RunReference): RunRecord {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw new StoreError('damaged');
  }
  if (typeof value !== 'object' || value === null) throw new StoreError('damaged');
  const members: Readonly<Record<string, unknown>> = { ...value };
  const { tenant, requestHash, epoch, envelope = null } = members;
  const state = RUN_ROW_STATES.find((word) => word === members['state']);
  const effect = RUN_EFFECTS.find((word) => word === members['effect']);
  const isRecord =
    members['runRef'] === runRef &&
    typeof tenant === 'string' &&
    typeof requestHash === 'string' &&
    typeof epoch === 'number';
  if (!isRecord || state === undefined || effect === undefined) throw new StoreError('damaged');
  return { runRef, tenant, requestHash, state, effect, epoch, envelope };
}
