import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../contract/diagnostics/interruption.ts';
import { envelopeText } from '../../contract/envelope/text.ts';
import type { RunFailure, RunSuccess } from '../../contract/envelope/types.ts';
import type { ProviderWords } from '../../contract/provider-protocol/provider-words.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import type { ArtifactRoot } from '../evidence/publication/artifact-root.ts';
import type { WriteAheadJournal } from '../evidence/publication/journal/journal.ts';
import type { InterruptedRun } from '../evidence/publication/journal/sweep.ts';
import type { FailedCallCount } from '../calls/broker/failed-calls.ts';
import type { MissedRequest } from '../providers/source/installed-provider.ts';
import { noteLiveRun } from '../evidence/publication/live-runs.ts';
import { ownersOfRun } from '../evidence/publication/owner.ts';
import { publishArtifacts, type ArtifactReservations } from '../evidence/publication/publish-artifacts.ts';
import { publishSingleFile } from '../evidence/publication/single-file.ts';
import { failure, type Advice, type Outcome } from '../../contract/outcome.ts';
import type { RunnableApplication } from './application.ts';
import { closeRun, withRun } from './close-run.ts';
import { concludeEarly, concludeInternal, concludeSealed, type Conclusion } from './conclusion.ts';
import { planDestinations, requestedArtifacts } from './destinations.ts';
import { evaluateEntry } from './entry.ts';
import type { OpenEnvironments, RunEnvironments } from './environments.ts';
import { openRun } from './open-run.ts';
import { knownRun, type KnownRun } from './known-run.ts';
import { rootHint } from './refused-directory.ts';
import { checkDistinct, holdProjectRoot, releaseAll, releaseUnused, reserveAll } from './reservations.ts';
import type { Run } from './run.ts';
import type { RunProgram } from './run-program.ts';
import { openRunJournal } from './run-journal.ts';
import type { LoadedRun, LocatedRun, EntryRunRequest, RunTools } from './run-request.ts';
import { sealRun, type LostEvents, type SealedRun } from './seal.ts';

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
  /** Calls that were answered with an error, of a normal run. */
  readonly failedCalls: readonly FailedCallCount[];
  /** What was said of the last of them that anything was said of; null without. */
  readonly lastWords: ProviderWords | null;
  /** What a person is shown as well. */
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

/** How a run ended, whatever becomes of its project's own envelope. */
interface RunEnd extends Omit<RunReport, 'projectEnvelope'> {
  /** Then nothing goes to the project. */
  readonly isRootRefused: boolean;
}

function endOf(conclusion: Conclusion, beside: Partial<RunEnd> = {}): RunEnd {
  return {
    interrupted: [],
    misses: [],
    eventLoss: null,
    failedCalls: [],
    lastWords: null,
    isRootRefused: false,
    ...beside,
    ...conclusion,
  };
}

/** Steps of a run, or what a bug in them leaves of it, by what was known before them. */
async function orConcluded<T>(runRef: RunReference, facts: KnownRun, steps: () => Promise<T>): Promise<T | RunEnd> {
  try {
    return await steps();
  } catch (error) {
    return endOf(concludeInternal(runRef, facts, error));
  }
}

async function performLive(tools: RunTools, request: EntryRunRequest): Promise<RunReport> {
  const found = await locate(tools, request);
  const ended =
    'envelope' in found
      ? { ...found, projectEnvelope: 'not_requested' as const }
      : await runInProject(tools, request, found);
  if (ended.unexpected !== null) tools.publication.swept?.renew();
  const { isRootRefused: _, ...report } = ended;
  return report;
}

/** What is run, and the project that it belongs to. */
interface FoundRun extends LocatedRun {
  readonly facts: KnownRun;
  /** Where the project's artifacts go, held since the project was found; null where it asks for none. */
  readonly artifactRoot: ArtifactRoot | null;
}

/** Step 2. A fault of the application is reported after what the project asks for is known. */
async function locate(tools: RunTools, { runRef, source, explicit }: EntryRunRequest): Promise<FoundRun | RunEnd> {
  const bare = knownRun(requestedArtifacts(explicit, null));
  return orConcluded(runRef, bare, async () => {
    const located = await source.locate();
    if (!located.ok) return endOf(concludeEarly(runRef, bare, located));
    const { value } = located;
    const facts = knownRun(requestedArtifacts(explicit, value.project));
    return orConcluded(runRef, facts, async () => ({
      ...value,
      facts,
      artifactRoot: await holdProjectRoot(tools.publication, value.project),
    }));
  });
}

async function runInProject(tools: RunTools, request: EntryRunRequest, found: FoundRun): Promise<RunReport & RunEnd> {
  const ended = await orConcluded(request.runRef, found.facts, () => loadAndRun(tools, request, found));
  try {
    return { ...ended, projectEnvelope: await leaveProject(tools, request, found, ended) };
  } catch (error) {
    return { ...ended, projectEnvelope: 'failed', unexpected: ended.unexpected ?? error };
  }
}

/** Steps 6 to 9. */
async function loadAndRun(tools: RunTools, request: EntryRunRequest, found: FoundRun): Promise<RunEnd> {
  const { runRef, signal } = request;
  const loaded = await found.load(found.facts.requested);
  if (!loaded.ok) return endOf(concludeEarly(runRef, found.facts, loaded));
  const facts = { ...found.facts, warnings: loaded.value.application.warnings };
  if (signal.aborted) return endOf(concludeEarly(runRef, facts, failure(interruption())));
  return orConcluded(runRef, facts, () => registerAndRun(tools, request, { ...found, facts, loaded: loaded.value }));
}

interface LoadedProject extends FoundRun {
  readonly loaded: LoadedRun;
}

/** The project's artifact root, and the run's entry in its journal. */
async function registerAndRun(tools: RunTools, request: EntryRunRequest, project: LoadedProject): Promise<RunEnd> {
  const { facts, artifactRoot } = project;
  const prepared = await artifactRoot?.prepare();
  if (prepared?.ok === false) {
    const error = diagnostic('invalid_destination', { cause: 'invalid_configuration' });
    const refused = failure(error, { hint: rootHint(tools.publication.fileSystem, prepared) });
    return endOf(concludeEarly(request.runRef, facts, refused), { isRootRefused: true });
  }
  const { journal, interrupted } = await openRunJournal(tools, artifactRoot, request.runRef);
  try {
    return { ...(await reserveAndRun(tools, request, { ...project, journal })), interrupted };
  } finally {
    if (!(await journal.close())) tools.publication.swept?.renew();
  }
}

interface RegisteredRun extends LoadedProject {
  readonly journal: WriteAheadJournal;
}

/** Step 10. */
async function reserveAndRun(tools: RunTools, request: EntryRunRequest, registered: RegisteredRun): Promise<RunEnd> {
  const { loaded, journal } = registered;
  return orConcluded(request.runRef, registered.facts, async () => {
    const reserved = await reserveDestinations(tools, request, registered, loaded.application);
    if (!reserved.ok) return endOf(concludeEarly(request.runRef, registered.facts, reserved));
    journal.enter('authorized');
    const facts = { ...registered.facts, artifactClass: loaded.application.artifactClass };
    return runReserved(tools, request, { ...registered, facts, reservations: reserved.value });
  });
}

interface ReservedRun extends RegisteredRun {
  readonly reservations: ArtifactReservations;
}

/** Steps 12 to 18; whatever is thrown, it is known here how far the run had come. */
async function runReserved(tools: RunTools, request: EntryRunRequest, reserved: ReservedRun): Promise<RunEnd> {
  const { loaded, journal, reservations, facts } = reserved;
  const misses: MissedRequest[] = [];
  let environments: RunEnvironments | null = null;
  let eventLoss: LostEvents | null = null;
  let failures: Pick<RunReport, 'failedCalls' | 'lastWords'> = { failedCalls: [], lastWords: null };
  let phase: 'opening' | 'evaluating' | 'publishing' = 'opening';
  const openEnvironments: OpenEnvironments = async (context) => {
    const opened = await loaded.openEnvironments(context);
    if (opened.ok) environments = opened.value;
    return opened;
  };
  try {
    try {
      const opened = await openRun(tools, {
        ...request,
        loaded: { ...loaded, openEnvironments },
        reservations,
        journal,
        missed: (missed) => misses.push(missed),
      });
      if (!opened.ok) return endOf(concludeEarly(request.runRef, facts, opened), { misses });
      phase = 'evaluating';
      const sealed = await withRun(opened.value, (run) => evaluateAndSeal(run, request.program));
      ({ eventLoss } = sealed);
      // What a program asked is nobody's business but its owner's where the run is private.
      const { failed } = opened.value.environments.broker;
      if (sealed.artifactClass === 'normal') failures = { failedCalls: failed.counts(), lastWords: failed.last() };
      request.onEvaluated();
      phase = 'publishing';
      const conclusion = await publish(tools, request, { facts, journal, reservations, sealed });
      return endOf(conclusion, { misses, eventLoss, ...failures });
    } finally {
      const isReleased = await (phase === 'publishing' ? releaseAll(reservations) : releaseUnused(reservations));
      if (!isReleased) tools.publication.swept?.renew();
    }
  } catch (error) {
    const reached = { ...facts, environments, hasStarted: phase !== 'opening' };
    return endOf(concludeInternal(request.runRef, reached, error), { misses, eventLoss, ...failures });
  }
}

/** Steps 16 and 17. */
async function evaluateAndSeal(run: Run, program: RunProgram | undefined): Promise<SealedRun> {
  const outcome = await evaluateEntry(run, program);
  const closed = await closeRun(run);
  return sealRun(run, closed, outcome);
}

async function reserveDestinations(
  tools: RunTools,
  request: EntryRunRequest,
  { project, artifactRoot }: FoundRun,
  { artifactClass }: RunnableApplication,
): Promise<Outcome<ArtifactReservations>> {
  const { runRef, explicit } = request;
  const distinct = await checkDistinct(tools.publication, explicit);
  if (!distinct.ok) return distinct;
  const plan = planDestinations({ runRef, explicit, project, artifactClass });
  return plan.ok ? reserveAll(tools.publication, plan.value, artifactRoot) : plan;
}

interface RunToPublish {
  readonly facts: KnownRun;
  readonly journal: WriteAheadJournal;
  readonly reservations: ArtifactReservations;
  readonly sealed: SealedRun;
}

/** Step 18. */
async function publish(
  { publication: { fileSystem } }: RunTools,
  { runRef, upload: handOn }: EntryRunRequest,
  { facts, journal, reservations, sealed }: RunToPublish,
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
  return concludeSealed(runRef, facts, sealed, publication);
}

/** Everything that still goes to the project, which is held no longer. */
async function leaveProject(
  tools: RunTools,
  request: EntryRunRequest,
  found: FoundRun,
  ended: RunEnd,
): Promise<RunReport['projectEnvelope']> {
  try {
    return await publishProjectEnvelope(tools, request, found, ended);
  } finally {
    await found.artifactRoot?.close();
  }
}

/** Step 19, the project's own copy of the envelope; a refused artifact root leaves it out (cli.md §3). */
async function publishProjectEnvelope(
  { publication }: RunTools,
  { runRef }: EntryRunRequest,
  { project, artifactRoot }: FoundRun,
  { envelope, valueText, isRootRefused }: RunEnd,
): Promise<RunReport['projectEnvelope']> {
  if (project === null || !project.envelope || isRootRefused || artifactRoot === null) return 'not_requested';
  // A run that failed before its destinations has not made the root yet.
  if (!(await artifactRoot.prepare()).ok) return 'not_requested';
  const directory = await artifactRoot.open('envelopes');
  if (!directory.ok) return 'failed';
  const bytes = new TextEncoder().encode(envelopeText(envelope, valueText));
  const place = { directory: directory.value, name: `${runRef}.json` };
  return (await publishSingleFile(publication, place, bytes, true)) === 'written' ? 'written' : 'failed';
}
