import { isRunReference, type RunReference } from '../../../contract/run-reference.ts';
import type { FileStatus, OpenDirectory } from '../../evidence/publication/file-system.ts';
import { ARTIFACT_DIRECTORIES, OWNER_NAME, isLockName, isStagingName } from '../../evidence/publication/names.ts';
import { decodeOwner } from '../../evidence/publication/owner.ts';
import { isOwnerDead, type SweepTools } from '../../evidence/publication/sweep.ts';
import { RUN_DIRECTORIES, runOfFile, type RunFileName } from './run-files.ts';
import type { Marked, StoredRun } from './select.ts';
import { faultOf, NAMES_LIMIT, type PinnedArtifactRoot, type PruneFault } from './store.ts';

/** A run whose files changed within this time may still be written (cli.md §10, "in progress"). */
export const GRACE_MS = 600_000;
const MARKER_BYTES = 4096;

export interface RunFile extends RunFileName {
  readonly status: FileStatus;
}

export interface PrunableRun extends StoredRun {
  /** In the order of `RUN_DIRECTORIES`. */
  readonly files: readonly RunFile[];
}

/** What is in an artifact root. */
export interface Survey extends Marked {
  readonly runs: readonly PrunableRun[];
  /** Markers of runs that left nothing else. */
  readonly dangling: readonly RunReference[];
}

type StoreSurvey = { readonly ok: true; readonly survey: Survey } | { readonly ok: false; readonly fault: PruneFault };

/** Looks at every file of a run, every marker and every reservation. Changes nothing. */
export async function surveyStore(tools: SweepTools, store: PinnedArtifactRoot): Promise<StoreSurvey> {
  const files = new Map<RunReference, RunFile[]>();
  const writing = new Set<RunReference>();
  let isAnyWriting = false;
  for (const directory of RUN_DIRECTORIES) {
    const openDirectory = store.directory(directory);
    const names = openDirectory === null ? [] : await listNames(openDirectory);
    if (names === null || openDirectory === null) {
      if (openDirectory === null) continue;
      return failed('prune_unavailable');
    }
    for (const name of names) {
      if (isStagingName(name) || isLockName(name)) {
        const run = (ARTIFACT_DIRECTORIES as readonly string[]).includes(directory)
          ? await findReservingRun(tools, openDirectory, name)
          : null;
        if (run === 'unknown') isAnyWriting = true;
        else if (run !== null) writing.add(run);
        continue;
      }
      const run = runOfFile({ directory, name });
      if (run === null) continue;
      const status = await openDirectory.entry(name);
      // Gone since it was listed: it is of a run that somebody else prunes or that publishes now.
      if (!status.ok && status.errno === 'ENOENT') continue;
      if (!status.ok) return failed('prune_unavailable');
      if (status.value.kind !== 'file')
        return failed(
          'prune_unsafe_directory',
          `the directory ${directory} holds something that is named like a run's file and is none`,
        );
      files.set(run, [...(files.get(run) ?? []), { directory, name, status: status.value }]);
    }
  }
  const markers = await findMarkedRuns(tools, store);
  if (markers === null)
    return failed('prune_unsafe_directory', 'a marker in the directory keep is not an empty file of yours');
  const runs = [...files].map(([runRef, own]): PrunableRun => ({
    runRef,
    files: own,
    newestAt: Math.max(...own.map(({ status }) => status.modifiedAt)),
    bytes: own.reduce((sum, { status }) => sum + status.size, 0),
  }));
  for (const { runRef, newestAt } of runs) if (tools.wallClock() - newestAt < GRACE_MS) writing.add(runRef);
  const runReferences = new Set(markers.filter((run) => files.has(run)));
  return {
    ok: true,
    survey: {
      runs,
      kept: runReferences,
      dangling: markers.filter((run) => !files.has(run)).toSorted(),
      inProgress: isAnyWriting ? 'all' : writing,
    },
  };
}

async function listNames(directory: OpenDirectory): Promise<readonly string[] | null> {
  const names = await directory.names(NAMES_LIMIT + 1);
  return names.ok && names.value.length <= NAMES_LIMIT ? names.value : null;
}

/** For which run somebody that may be alive is about to publish; null where its owner is dead or it is gone. */
async function findReservingRun(
  tools: SweepTools,
  parent: OpenDirectory,
  name: string,
): Promise<RunReference | 'unknown' | null> {
  const opened = await parent.openDirectory(name);
  if (!opened.ok) return opened.errno === 'ENOENT' ? null : 'unknown';
  try {
    const status = await opened.value.status();
    const bytes = await opened.value.readFile(OWNER_NAME, MARKER_BYTES);
    if (!status.ok || (!bytes.ok && bytes.errno !== 'ENOENT')) return 'unknown';
    const owner = bytes.ok ? (decodeOwner(bytes.value)?.owner ?? null) : null;
    if (await isOwnerDead(tools, owner, status.value.modifiedAt)) return null;
    return isRunReference(owner?.run) ? owner.run : 'unknown';
  } finally {
    await opened.value.close();
  }
}

/** Runs with a marker; null where one is no empty file of this user. */
async function findMarkedRuns(
  { fileSystem }: SweepTools,
  { keep }: PinnedArtifactRoot,
): Promise<readonly RunReference[] | null> {
  if (keep === null) return [];
  const names = await listNames(keep);
  if (names === null) return null;
  const runs = names.filter(isRunReference);
  for (const run of runs) {
    const status = await keep.entry(run);
    if (
      !status.ok ||
      status.value.kind !== 'file' ||
      status.value.size !== 0 ||
      status.value.owner !== fileSystem.userId
    )
      return null;
  }
  return runs;
}

function failed(code: PruneFault['code'], hint: string | null = null): StoreSurvey {
  return { ok: false, fault: faultOf(code, hint) };
}
