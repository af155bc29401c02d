import { isRunReference } from '../../contract/run-reference.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { publishSingleFile } from '../publication/single-file.ts';
import type { ReservationTools } from '../publication/reservation.ts';
import { openHeldChild, openSafeDirectory } from '../publication/safe-directory.ts';
import type { SafeDirectory } from '../publication/safe-directory.ts';
import { RUN_EFFECTS, RUN_ROW_STATES, StoreError } from './interface.ts';
import type { RunJournal, RunRecord } from './interface.ts';
import { checkMove, epochAfter } from './moves.ts';
import { checkScan, createdAs, isAt, scanned } from './records.ts';

/** An envelope is 1 MiB at most (gateway.md §19), the rest is small. */
const RECORD_BYTES = 1_100_000;
const ENTRIES = 1_000_000;
const VERSION = /^v(\d{6})$/;

/**
 * The record of all runs as files below a directory of this user alone: `<run_ref>/v<number>`, one file for each change,
 * which takes its name only where nobody else did (runtime.md §12). That makes a change of several processes one of one
 * process; the last whole file is what holds. Ones before it are removed.
 */
export function fileJournal(tools: ReservationTools, root: string): RunJournal {
  const write = async (run: RunRecord, version: number): Promise<boolean> => {
    const directory = await directoryOf(tools, root, run.runRef, true);
    if (directory === null) throw new StoreError('unavailable');
    const outcome = await publishSingleFile(tools, { directory, name: nameOf(version) }, Buffer.from(JSON.stringify(run)), true);
    if (outcome === 'exists') return false;
    if (outcome !== 'written') throw new StoreError('unavailable');
    // A number is free again once its file was removed as outdated, and then there is a later one.
    return isLatest(tools, root, run.runRef, version);
  };
  return {
    create: async (run) => {
      const { runRef, tenant, requestHash } = run;
      const known = await latest(tools, root, runRef);
      if (known !== null) return createdAs(known.run, run);
      if (await write({ runRef, tenant, requestHash, state: 'accepted', effect: 'none', epoch: 0, envelope: null }, 1)) return 'new';
      return createdAs((await latest(tools, root, runRef))?.run ?? null, run);
    },
    cas: async (runRef, epoch, from, to) => {
      checkMove(from, to);
      const known = await latest(tools, root, runRef);
      if (known === null || !isAt(known.run, epoch, from)) return false;
      const next = { ...known.run, state: to.state, effect: to.effect, epoch: epochAfter(epoch, from, to), envelope: to.envelope ?? known.run.envelope };
      if (!(await write(next, known.version + 1))) return false;
      await removeBefore(tools, root, runRef, known.version);
      return true;
    },
    get: async (runRef) => (await latest(tools, root, runRef))?.run ?? null,
    scan: async (query) => {
      checkScan(query);
      const runs: RunRecord[] = [];
      for (const runRef of (await runNames(tools, root)).toSorted()) {
        if (query.after !== undefined && runRef <= query.after) continue;
        const known = await latest(tools, root, runRef);
        if (known !== null) runs.push(...scanned([known.run], query));
        if (runs.length === query.limit) break;
      }
      return runs;
    },
  };
}

function nameOf(version: number): string {
  return `v${String(version).padStart(6, '0')}`;
}

async function openRoot({ fileSystem }: ReservationTools, root: string): Promise<SafeDirectory> {
  const opened = await openSafeDirectory(fileSystem, root);
  if (!opened.ok) throw new StoreError('unavailable');
  return opened.value;
}

async function directoryOf(tools: ReservationTools, root: string, runRef: RunReference, isMade: boolean): Promise<SafeDirectory | null> {
  if (!isRunReference(runRef)) throw new StoreError('key_invalid');
  const parent = await openRoot(tools, root);
  if (isMade && (await parent.directory.makeDirectory(runRef, 0o700)).ok) await parent.directory.sync();
  const opened = await openHeldChild(tools.fileSystem, parent, runRef);
  await parent.directory.close();
  if (opened.ok) return opened.value;
  if (opened.fault === 'missing') return null;
  throw new StoreError('unavailable');
}

async function runNames(tools: ReservationTools, root: string): Promise<readonly RunReference[]> {
  const directory = await openRoot(tools, root);
  const names = await directory.directory.names(ENTRIES);
  await directory.directory.close();
  if (!names.ok) throw new StoreError('unavailable');
  return names.value.filter(isRunReference);
}

interface Known {
  readonly run: RunRecord;
  readonly version: number;
}

/** A file that another process removes as outdated while it is looked for has a later one beside it: looked at again. */
async function latest(tools: ReservationTools, root: string, runRef: RunReference): Promise<Known | null> {
  const directory = await directoryOf(tools, root, runRef, false);
  if (directory === null) return null;
  try {
    for (;;) {
      const versions = await versionsIn(directory);
      const version = versions.at(-1);
      if (version === undefined) return null;
      const read = await directory.directory.readFile(nameOf(version), RECORD_BYTES);
      if (read.ok) return { run: recordOf(read.value, runRef), version };
      if (read.errno !== 'ENOENT') throw new StoreError('unavailable');
    }
  } finally {
    await directory.directory.close();
  }
}

async function versionsIn({ directory }: SafeDirectory): Promise<readonly number[]> {
  const names = await directory.names(ENTRIES);
  if (!names.ok) throw new StoreError('unavailable');
  return names.value.flatMap((name) => VERSION.exec(name)?.[1] ?? []).map(Number).toSorted((left, right) => left - right);
}

async function isLatest(tools: ReservationTools, root: string, runRef: RunReference, version: number): Promise<boolean> {
  const directory = await directoryOf(tools, root, runRef, false);
  if (directory === null) throw new StoreError('unavailable');
  const isLast = (await versionsIn(directory)).at(-1) === version;
  if (!isLast) await directory.directory.removeFile(nameOf(version));
  await directory.directory.close();
  return isLast;
}

async function removeBefore(tools: ReservationTools, root: string, runRef: RunReference, last: number): Promise<void> {
  const directory = await directoryOf(tools, root, runRef, false);
  if (directory === null) return;
  for (const version of await versionsIn(directory)) {
    if (version <= last) await directory.directory.removeFile(nameOf(version));
  }
  await directory.directory.close();
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
  const isRecord = members['runRef'] === runRef && typeof tenant === 'string' && typeof requestHash === 'string' && typeof epoch === 'number';
  if (!isRecord || state === undefined || effect === undefined) throw new StoreError('damaged');
  return { runRef, tenant, requestHash, state, effect, epoch, envelope };
}
