import type { RunReference } from '../../../../contract/run-reference.ts';
import { timestampOf, type Clock } from '../../../../system/clock.ts';
import type { InodeIdentity, OpenDirectory, OpenFile, PublicationFileSystem } from '../file-system.ts';
import type { OwnerFacts } from '../owner.ts';
import { isStill } from '../staging.ts';
import { JOURNAL_DIRECTORY, openJournalDirectory } from './directory.ts';
import { isEnd, journalLine, mayFollow, type RunState } from './states.ts';

/**
 * The write-ahead journal of one run (runtime.md §15.1): `runs/<run_ref>` below the project's artifact root, one line
 * for each state, so that a process that comes after a crash knows how far the run was. It is evidence about a run and
 * no part of it: where it cannot be written, the run goes on without.
 */
export interface WriteAheadJournal {
  /** Writes the line of a state. Its sync goes on behind the run; `settled` waits for it. */
  enter(state: RunState, resultHash?: string): void;
  /** All lines so far are permanent: awaited before an effect that a later process would have to know of. */
  settled(): Promise<void>;
  /**
   * The run ended in order, `aborted` if it was not sealed: its entry goes, and the directory when it was the last.
   * False where the entry is left.
   */
  close(): Promise<boolean>;
}

/** Of a run without a project's artifact root. */
export const NO_JOURNAL: WriteAheadJournal = { enter: () => {}, settled: async () => {}, close: async () => true };

export interface JournalRequest {
  /** The project's artifact root, which was checked and stays open as long as the journal. */
  readonly root: OpenDirectory;
  readonly runRef: RunReference;
  readonly owner: OwnerFacts;
  readonly clock: Clock;
}

/**
 * A directory that another run removes as empty is made again; a run that is that unlucky this often has no journal.
 */
const ATTEMPTS = 4;

/** Makes the entry with its first line, `prepared`. */
export async function openJournal(
  fileSystem: PublicationFileSystem,
  request: JournalRequest,
): Promise<WriteAheadJournal> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const directory = await openJournalDirectory(fileSystem, request.root);
    if (directory === null) continue;
    const file = await directory.createFile(request.runRef, 0o600);
    if (file.ok) return await begin(directory, file.value, request);
    await directory.close();
    if (file.errno !== 'ENOENT') break;
  }
  return NO_JOURNAL;
}

/** Journals of this process that are open, by their root. */
const openIn = new Map<InodeIdentity | null, number>();

/** Counts one more or less; true when it was the last. */
function count(root: InodeIdentity | null, change: 1 | -1): boolean {
  const journals = (openIn.get(root) ?? 0) + change;
  if (journals > 0) openIn.set(root, journals);
  else openIn.delete(root);
  return journals === 0;
}

async function begin(directory: OpenDirectory, file: OpenFile, request: JournalRequest): Promise<WriteAheadJournal> {
  const { clock, root, runRef } = request;
  const startedAt = { wall: clock.wall(), monotonic: clock.monotonic() };
  const rootStatus = await root.status();
  const place = rootStatus.ok ? rootStatus.value.identity : null;
  count(place, 1);
  const status = await file.status();
  const identity = status.ok ? status.value.identity : null;
  let state: RunState | null = null;
  let isWritable = true;
  // A name is permanent with its directory.
  let work: Promise<void> = directory.sync().then(() => undefined);

  let waiting: Uint8Array[] = [];

  /** Lines that gather while earlier ones are synced become permanent together. */
  const appendAfter = async (earlier: Promise<void>): Promise<void> => {
    await earlier;
    if (!isWritable || waiting.length === 0) return;
    const lines = Buffer.concat(waiting);
    waiting = [];
    // A torn line would hide those behind it. The removal that follows the last line says the same as that line.
    isWritable = (await file.write(lines)).ok && ((state !== null && isEnd(state)) || (await file.sync()).ok);
  };
  const enter = (next: RunState, resultHash?: string): void => {
    if (!mayFollow(state, next)) throw new Error(`a run cannot go from ${state ?? 'nothing'} to ${next}`);
    const at = timestampOf(startedAt.wall + (clock.monotonic() - startedAt.monotonic));
    const line = journalLine({
      state: next,
      at,
      resultHash: resultHash ?? null,
      owner: state === null ? request.owner : null,
    });
    state = next;
    waiting.push(line);
    work = appendAfter(work);
  };

  enter('prepared');
  return {
    enter,
    settled: () => work,
    close: async () => {
      if (mayFollow(state, 'aborted')) enter('aborted');
      await work;
      await file.close();
      const isClosed =
        identity !== null && (!(await isStill(directory, runRef, identity)) || (await directory.removeFile(runRef)).ok);
      await directory.close();
      // Others of this process would only make it again.
      if (count(place, -1)) await root.removeDirectory(JOURNAL_DIRECTORY);
      return isClosed;
    },
  };
}
