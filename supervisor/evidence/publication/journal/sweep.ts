import { isRunReference, type RunReference } from '../../../../contract/run-reference.ts';
import type { FileStatus, OpenDirectory } from '../file-system.ts';
import { recoveryName } from '../../../../contract/recovery-name.ts';
import { isOwnerDead, isSweepDue, type SweepTools } from '../sweep.ts';
import { JOURNAL_DIRECTORY, openExistingJournals } from './directory.ts';
import { readJournal, type JournalReading, type RunState } from './states.ts';

/** Entries looked at, as in any directory that is swept (runtime.md §12). */
const ENTRY_LIMIT = 256;
/** Entries that are looked at in one turn of the event loop. */
const AT_ONCE = 16;
/** Nine states of some hundred bytes. */
const JOURNAL_BYTES = 8192;

/** A run that died after its value was sealed. */
export interface InterruptedRun {
  readonly runRef: RunReference;
  /** How far it came: `sealed`, `publishing` or `published`. */
  readonly state: RunState;
  /** DIGEST of the value. */
  readonly resultHash: string;
  /**
   * Where the value is below the artifact root, complete and synced: under its own name, or under the recovery name,
   * from where its owner moves it by hand. `unknown`: it was to go elsewhere, or was not kept.
   */
  readonly value: 'published' | 'recovery' | 'unknown';
}

/**
 * Removes the journals of dead runs below an artifact root, and lists those whose value was sealed. A journal stays as
 * long as its value waits under the recovery name. Bounded; what cannot be proved dead stays.
 */
export async function sweepJournals(tools: SweepTools, root: OpenDirectory): Promise<readonly InterruptedRun[]> {
  if (!(await isSweepDue(tools, root, JOURNAL_DIRECTORY))) return [];
  const journals = await openExistingJournals(tools.fileSystem, root);
  if (journals === null) return [];
  const found = await sweepEntries(tools, root, journals);
  await journals.close();
  // Refused while anything is in it.
  await root.removeDirectory(JOURNAL_DIRECTORY);
  return found;
}

async function sweepEntries(
  tools: SweepTools,
  root: OpenDirectory,
  journals: OpenDirectory,
): Promise<readonly InterruptedRun[]> {
  const names = await journals.names(ENTRY_LIMIT);
  const found: InterruptedRun[] = [];
  for (const [index, name] of (names.ok ? names.value.filter(isRunReference).toSorted() : []).entries()) {
    // Each takes a few calls that are done at once; a hundred of them in one go would hold up every other run.
    if (index % AT_ONCE === AT_ONCE - 1)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    const reading = await readDead(tools, journals, name);
    if (reading === null) continue;
    const run = await endInterrupted(tools, root, name, reading);
    if (run !== null) found.push(run);
    if (run?.value !== 'recovery') await journals.removeFile(name);
  }
  return found;
}

/** Null for the journal of a run that may be alive, and for a file that is no journal of this user. */
async function readDead(tools: SweepTools, journals: OpenDirectory, name: string): Promise<JournalReading | null> {
  const status = await journals.entry(name);
  if (!status.ok || !isOwnFile(tools, status.value)) return null;
  const bytes = await journals.readFile(name, JOURNAL_BYTES);
  if (!bytes.ok) return null;
  const reading = readJournal(bytes.value);
  return (await isOwnerDead(tools, reading.owner, status.value.modifiedAt)) ? reading : null;
}

function isOwnFile(tools: SweepTools, { kind, owner }: FileStatus): boolean {
  return kind === 'file' && owner === tools.fileSystem.userId;
}

async function endInterrupted(
  tools: SweepTools,
  root: OpenDirectory,
  runRef: RunReference,
  { state, resultHash }: JournalReading,
): Promise<InterruptedRun | null> {
  return state === null || resultHash === null
    ? null
    : { runRef, state, resultHash, value: await placeOfValue(tools, root, runRef) };
}

/** Either file gets its name only when it is whole (runtime.md §12); an empty recovery file never got a value. */
async function placeOfValue(
  tools: SweepTools,
  root: OpenDirectory,
  runRef: RunReference,
): Promise<InterruptedRun['value']> {
  const opened = await root.openDirectory('results');
  if (!opened.ok) return 'unknown';
  const results = opened.value;
  const holds = async (name: string): Promise<boolean> => {
    const status = await results.entry(name);
    return status.ok && isOwnFile(tools, status.value) && status.value.size > 0;
  };
  try {
    if ((await holds(`${runRef}.json`)) || (await holds(`${runRef}.private.json`))) return 'published';
    return (await holds(recoveryName(runRef))) ? 'recovery' : 'unknown';
  } finally {
    await results.close();
  }
}
