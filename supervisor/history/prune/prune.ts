import type { RunReference } from '../../../contract/run-reference.ts';
import { ARTIFACT_DIRECTORIES } from '../../evidence/publication/names.ts';
import { releaseReservation, reserve, type Reservation } from '../../evidence/publication/reservation.ts';
import { sweepLeftovers, type SweepTools } from '../../evidence/publication/sweep.ts';
import { runFileNames } from './run-files.ts';
import { selectRuns, type PruneLimits } from './select.ts';
import { deleteTogether, isStageName, recoverStages } from './stage.ts';
import { faultOf, NAMES_LIMIT, openStore, type PinnedArtifactRoot, type PruneFault } from './store.ts';
import { GRACE_MS, surveyStore, type Survey, type PrunableRun } from './survey.ts';

/** What a prune did, or would do (cli.md §10, "report"). */
export interface PruneReport {
  /** Oldest first. */
  readonly deleted: readonly RunReference[];
  /** Of files whose last name went. */
  readonly bytes_freed: number;
  /** Runs that have a marker, sorted. */
  readonly kept: readonly RunReference[];
  /** Runs that were due and may still be written, sorted. */
  readonly skipped: readonly { readonly run_ref: RunReference; readonly reason: 'in_progress' }[];
  /** Of all runs that are left. */
  readonly remaining_bytes: number;
  /** Markers of runs that left nothing else, sorted. */
  readonly dangling_keep_markers: readonly RunReference[];
  /** Whether the runs with markers alone are more than `--max-bytes`. */
  readonly kept_exceeds_max_bytes: boolean;
  readonly dry_run: boolean;
}

export interface PruneRequest extends PruneLimits {
  /** Absolute path of the artifact root. */
  readonly root: string;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

export type PruneEnd =
  | { readonly ok: true; readonly report: PruneReport }
  | { readonly ok: false; readonly fault: PruneFault };

/** No run has this name; who holds its reservation prunes. */
const TURN = '.svc-prune';
/** How long a prune waits for another one, and how often it looks. */
const WAIT_MS = 60_000;
const LOOK_MS = 25;

/** Deletes whole runs below an artifact root (cli.md §10). Of two prunes the second waits for the first. */
export async function prune(tools: SweepTools, request: PruneRequest): Promise<PruneEnd> {
  const opened = await openStore(tools.fileSystem, request.root);
  if (!opened.ok) return opened;
  const { store } = opened;
  try {
    if (request.isDryRun) return await planRemovals(tools, store, request);
    const turn = await takeTurn(tools, request);
    if (turn === null) return failed('prune_unavailable', 'another prune of this project goes on');
    try {
      return await pruneNow(tools, store, request);
    } finally {
      await releaseReservation(turn);
    }
  } finally {
    await store.close();
  }
}

async function takeTurn(tools: SweepTools, { root, signal }: PruneRequest): Promise<Reservation | null> {
  for (let waited = 0; waited <= WAIT_MS && !signal.aborted; waited += LOOK_MS) {
    const reserved = await reserve(tools, {
      directory: root,
      trust: 'named',
      name: TURN,
      mode: 0o600,
      recovery: null,
      nameIsUnique: false,
    });
    if (reserved.ok) return reserved.reservation;
    if (reserved.fault.kind !== 'reserved') return null;
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS);
    });
  }
  return null;
}

async function planRemovals(tools: SweepTools, store: PinnedArtifactRoot, request: PruneRequest): Promise<PruneEnd> {
  const names = await store.root.names(NAMES_LIMIT);
  if (!names.ok) return failed('prune_unavailable', null);
  if (names.value.some(isStageName))
    return failed('prune_unavailable', 'a prune was interrupted or goes on; prune without --dry-run to finish it');
  const storeSurvey = await surveyStore(tools, store);
  if (!storeSurvey.ok) return storeSurvey;
  const { survey } = storeSurvey;
  const { due, skipped } = selectRuns(survey.runs, request, survey, tools.wallClock());
  return { ok: true, report: reportOf(request, survey, { deleted: due, skipped, kept: [] }) };
}

async function pruneNow(tools: SweepTools, store: PinnedArtifactRoot, request: PruneRequest): Promise<PruneEnd> {
  if (!(await recoverStages(store, tools.fileSystem.userId)))
    return failed(
      'prune_delete_failed',
      'a deletion that was interrupted before could neither be finished nor taken back',
    );
  for (const name of ARTIFACT_DIRECTORIES) {
    const directory = store.directory(name);
    if (directory !== null) await sweepLeftovers(tools, directory);
  }
  const storeSurvey = await surveyStore(tools, store);
  if (!storeSurvey.ok) return storeSurvey;
  const { survey } = storeSurvey;
  const { due, skipped } = selectRuns(survey.runs, request, survey, tools.wallClock());
  const byRef = new Map(survey.runs.map((run) => [run.runRef, run]));
  const done = { deleted: [] as RunReference[], skipped: [...skipped], kept: [] as RunReference[] };
  for (const runRef of due) {
    if (request.signal.aborted) break;
    const run = byRef.get(runRef);
    if (run === undefined) continue;
    if ((await store.keep?.entry(runRef))?.ok === true) done.kept.push(runRef);
    else if (!(await isUntouched(tools, store, run))) done.skipped.push(runRef);
    else if (await deleteTogether(store, run.files)) done.deleted.push(runRef);
    else
      return failed(
        'prune_delete_failed',
        done.deleted.length === 0 ? null : `${done.deleted.length} runs were deleted before`,
      );
  }
  return { ok: true, report: reportOf(request, survey, done) };
}

/**
 * Whether a run is what it was when it was selected: no file more, none changed, and its directories still in their
 * places.
 */
async function isUntouched({ wallClock }: SweepTools, store: PinnedArtifactRoot, run: PrunableRun): Promise<boolean> {
  if (wallClock() - run.newestAt < GRACE_MS || !(await store.isUnchanged())) return false;
  for (const { directory, name } of runFileNames(run.runRef)) {
    const seen = run.files.find((file) => file.directory === directory && file.name === name)?.status ?? null;
    const now = await store.directory(directory)?.entry(name);
    if (now?.ok !== true) {
      if (seen !== null || (now !== undefined && now.errno !== 'ENOENT')) return false;
      continue;
    }
    const { kind, identity, size, modifiedAt } = now.value;
    if (
      seen === null ||
      kind !== 'file' ||
      identity !== seen.identity ||
      size !== seen.size ||
      modifiedAt !== seen.modifiedAt
    )
      return false;
  }
  return true;
}

interface Done {
  readonly deleted: readonly RunReference[];
  readonly skipped: readonly RunReference[];
  /** Marked after they were looked at. */
  readonly kept: readonly RunReference[];
}

function reportOf({ maxBytes, isDryRun }: PruneRequest, survey: Survey, { deleted, skipped, kept }: Done): PruneReport {
  const runReferences = new Set(deleted);
  const marked = new Set([...survey.kept, ...kept]);
  const bytesOf = (wanted: (runRef: RunReference) => boolean): number =>
    survey.runs.reduce((sum, { runRef, bytes }) => sum + (wanted(runRef) ? bytes : 0), 0);
  const freed = survey.runs
    .filter(({ runRef }) => runReferences.has(runRef))
    .flatMap(({ files }) => files)
    .filter(({ status }) => status.links === 1);
  return {
    deleted,
    bytes_freed: freed.reduce((sum, { status }) => sum + status.size, 0),
    kept: [...marked].toSorted(),
    skipped: skipped.toSorted().map((runRef) => ({ run_ref: runRef, reason: 'in_progress' })),
    remaining_bytes: bytesOf((runRef) => !runReferences.has(runRef)),
    dangling_keep_markers: survey.dangling,
    kept_exceeds_max_bytes: maxBytes !== null && bytesOf((runRef) => marked.has(runRef)) > maxBytes,
    dry_run: isDryRun,
  };
}

function failed(code: PruneFault['code'], hint: string | null): PruneEnd {
  return { ok: false, fault: faultOf(code, hint) };
}
