import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../contract/diagnostics/interruption.ts';
import { envelopeText } from '../../contract/envelope/text.ts';
import type { RunFailure, RunSuccess } from '../../contract/envelope/types.ts';
import type { WriteAheadJournal } from '../publication/journal/journal.ts';
import type { InterruptedRun } from '../publication/journal/sweep.ts';
import type { MissedRequest } from '../providers/source/installed-provider.ts';
import { noteLiveRun } from '../publication/live-runs.ts';
import { ownersOfRun } from '../publication/owner.ts';
import { publishArtifacts, type ArtifactReservations } from '../publication/publish-artifacts.ts';
import { publishSingleFile } from '../publication/single-file.ts';
import { failure, type Advice, type Outcome } from '../../contract/outcome.ts';
import type { RunnableApplication } from './application.ts';
import { closeRun, withRun } from './close-run.ts';
import { concludeEarly, concludeInternal, concludeSealed, type Conclusion } from './conclusion.ts';
import { planDestinations, requestedArtifacts } from './destinations.ts';
import { evaluateEntry } from './entry.ts';
import { openRun } from './open-run.ts';
import { newProgress, type LostEvents, type RunProgress } from './progress.ts';
import { rootHint } from './refused-directory.ts';
import { checkDistinct, holdProjectRoot, releaseAll, releaseUnused, reserveAll } from './reservations.ts';
import type { Run } from './run.ts';
import { journalOf } from './run-journal.ts';
import type { LoadedRun, EntryRunRequest, RunTools } from './run-request.ts';
import { sealRun, type SealedRun } from './seal.ts';

/** How a run ended, and what its caller needs beside the envelope. */
export interface RunReport {
  readonly envelope: RunSuccess | RunFailure;
  /** Canonical JSON of a normal run's value; null for every other end. */
  readonly valueText: string | null;
  /** The project's own copy of the envelope, `envelopes/<ref>.json` of its artifact root. */
  readonly projectEnvelope: 'not_requested' | 'written' | 'failed';
  /** Earlier runs of the project that died with a sealed value (runtime.md §15.1). */
  readonly interrupted: readonly InterruptedRun[];
  /** Requests that no fixture answered, each with the recorded one that is nearest to it. */
  readonly misses: readonly MissedRequest[];
  /** What the trace lacks, and for which limit; null where it is whole. */
  readonly eventLoss: LostEvents | null;
  /** What a person is told besides. */
  readonly advice: Advice;
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
}

/**
 * Runs an application's entry, from its documents to its published artifacts and the project's copy of its envelope
 * (runtime.md §1 steps 2 and 6 to 19). Never throws: a bug in any step becomes `internal_error`, and what was opened or
 * reserved is given back.
 */
export async function performRun(tools: RunTools, request: EntryRunRequest): Promise<RunReport> {
  const end = noteLiveRun(request.runRef);
  try {
    const { publication } = tools;
    return await performLive(
      { ...tools, publication: { ...publication, owners: ownersOfRun(publication.owners, request.runRef) } },
      request,
    );
  } finally {
    end();
  }
}

async function performLive(tools: RunTools, request: EntryRunRequest): Promise<RunReport> {
  const progress = newProgress(requestedArtifacts(request.explicit, null));
  const conclusion = await concluded(request, progress, () => locateAndRun(tools, request, progress));
  const { envelope, valueText, advice } = conclusion;
  let { unexpected } = conclusion;
  const projectEnvelope = await leaveProject(tools, request, progress, envelope).catch((error: unknown) => {
    unexpected ??= error;
    return 'failed' as const;
  });
  if (unexpected !== null) tools.publication.swept?.renew();
  return {
    envelope,
    valueText,
    projectEnvelope,
    interrupted: progress.interrupted,
    misses: progress.misses,
    eventLoss: progress.eventLoss,
    advice,
    unexpected,
  };
}

async function concluded(
  { runRef }: EntryRunRequest,
  progress: RunProgress,
  steps: () => Promise<Conclusion>,
): Promise<Conclusion> {
  try {
    return await steps();
  } catch (error) {
    return concludeInternal(runRef, progress, error);
  }
}

/** Steps 2 and 6 to 9. A fault of the project or the application is told after what the project asks for is known. */
async function locateAndRun(tools: RunTools, request: EntryRunRequest, progress: RunProgress): Promise<Conclusion> {
  const { runRef, source, explicit, signal } = request;
  const located = await source.locate();
  if (!located.ok) return concludeEarly(runRef, progress, located);
  progress.project = located.value.project;
  progress.requested = requestedArtifacts(explicit, located.value.project);
  progress.artifactRoot = await holdProjectRoot(tools.publication, located.value.project);
  const loaded = await located.value.load(progress.requested);
  if (!loaded.ok) return concludeEarly(runRef, progress, loaded);
  progress.warnings = loaded.value.application.warnings;
  if (signal.aborted) return concludeEarly(runRef, progress, failure(interruption()));
  return registerAndRun(tools, request, progress, loaded.value);
}

/** The project's artifact root, and the run's entry in its journal. */
async function registerAndRun(
  tools: RunTools,
  request: EntryRunRequest,
  progress: RunProgress,
  loaded: LoadedRun,
): Promise<Conclusion> {
  const prepared = await progress.artifactRoot?.prepare();
  if (prepared?.ok === false) {
    progress.isRootRefused = true;
    const error = diagnostic('invalid_destination', { cause: 'invalid_configuration' });
    const refused = failure(error, { hint: rootHint(tools.publication.fileSystem, prepared) });
    return concludeEarly(request.runRef, progress, refused);
  }
  const { journal, interrupted } = await journalOf(tools, progress.artifactRoot, request.runRef);
  progress.interrupted = interrupted;
  try {
    return await reserveAndRun(tools, request, { progress, loaded, journal });
  } finally {
    if (!(await journal.close())) tools.publication.swept?.renew();
  }
}

interface RegisteredRun {
  readonly progress: RunProgress;
  readonly loaded: LoadedRun;
  readonly journal: WriteAheadJournal;
}

/** Step 10, and step 18 behind everything that is evaluated. */
async function reserveAndRun(
  tools: RunTools,
  request: EntryRunRequest,
  registered: RegisteredRun,
): Promise<Conclusion> {
  const { progress, loaded, journal } = registered;
  const reserved = await reserveDestinations(tools, request, progress, loaded.application);
  if (!reserved.ok) return concludeEarly(request.runRef, progress, reserved);
  progress.artifactClass = loaded.application.artifactClass;
  journal.enter('authorized');
  const { value: reservations } = reserved;
  let isPublishing = false;
  try {
    const opened = await openRun(tools, { ...request, ...registered, reservations });
    if (!opened.ok) return concludeEarly(request.runRef, progress, opened);
    const sealed = await withRun(opened.value, evaluateAndSeal);
    progress.eventLoss = sealed.eventLoss;
    request.onEvaluated();
    isPublishing = true;
    return await publish(tools, request, { progress, journal, reservations, sealed });
  } finally {
    const isReleased = await (isPublishing ? releaseAll(reservations) : releaseUnused(reservations));
    if (!isReleased) tools.publication.swept?.renew();
  }
}

/** Steps 16 and 17. */
async function evaluateAndSeal(run: Run): Promise<SealedRun> {
  const outcome = await evaluateEntry(run);
  const closed = await closeRun(run);
  return sealRun(run, closed, outcome);
}

async function reserveDestinations(
  tools: RunTools,
  request: EntryRunRequest,
  { project, artifactRoot }: RunProgress,
  { artifactClass }: RunnableApplication,
): Promise<Outcome<ArtifactReservations>> {
  const { runRef, explicit } = request;
  const distinct = await checkDistinct(tools.publication, explicit);
  if (!distinct.ok) return distinct;
  const plan = planDestinations({ runRef, explicit, project, artifactClass });
  return plan.ok ? reserveAll(tools.publication, plan.value, artifactRoot) : plan;
}

interface RunToPublish {
  readonly progress: RunProgress;
  readonly journal: WriteAheadJournal;
  readonly reservations: ArtifactReservations;
  readonly sealed: SealedRun;
}

/** Step 18. */
async function publish(
  { publication: { fileSystem } }: RunTools,
  { runRef, handOn }: EntryRunRequest,
  { progress, journal, reservations, sealed }: RunToPublish,
): Promise<Conclusion> {
  journal.enter('publishing');
  await journal.settled();
  const published = await publishArtifacts(fileSystem, reservations, {
    trace: sealed.trace,
    inspection: sealed.inspection,
    result: sealed.result === null ? null : new TextEncoder().encode(sealed.result.text),
  });
  const publication = (await handOn?.(published)) ?? published;
  journal.enter('published');
  return concludeSealed(runRef, progress, sealed, publication);
}

/** Everything that still goes to the project, which is held no longer. */
async function leaveProject(
  tools: RunTools,
  request: EntryRunRequest,
  progress: RunProgress,
  envelope: RunReport['envelope'],
): Promise<RunReport['projectEnvelope']> {
  try {
    return await publishProjectEnvelope(tools, request, progress, envelope);
  } finally {
    await progress.artifactRoot?.close();
  }
}

/** Step 19, the project's own copy of the envelope; a refused artifact root leaves it out (cli.md §3). */
async function publishProjectEnvelope(
  { publication }: RunTools,
  { runRef }: EntryRunRequest,
  { project, artifactRoot, isRootRefused }: RunProgress,
  envelope: RunReport['envelope'],
): Promise<RunReport['projectEnvelope']> {
  if (project === null || !project.envelope || isRootRefused || artifactRoot === null) return 'not_requested';
  // A run that failed before its destinations has not made the root yet.
  if (!(await artifactRoot.prepare()).ok) return 'not_requested';
  const directory = await artifactRoot.open('envelopes');
  if (!directory.ok) return 'failed';
  const bytes = new TextEncoder().encode(envelopeText(envelope));
  const place = { directory: directory.value, name: `${runRef}.json` };
  return (await publishSingleFile(publication, place, bytes, true)) === 'written' ? 'written' : 'failed';
}
