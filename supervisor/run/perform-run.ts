import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { digestOf } from '../evidence/fingerprint.ts';
import { openTrace } from '../evidence/recorder.ts';
import type { TraceRecorder } from '../evidence/recorder.ts';
import type { RunJournal } from '../journal/journal.ts';
import type { InterruptedRun } from '../journal/sweep.ts';
import type { FileIdentity } from '../publication/file-system.ts';
import { publishArtifacts } from '../publication/publish-artifacts.ts';
import type { ArtifactReservations } from '../publication/publish-artifacts.ts';
import type { RunnableApplication } from './application.ts';
import { checkCapacity } from './capacity.ts';
import { concludeEarly, concludeInternal, concludeSealed } from './conclusion.ts';
import type { Conclusion, RunProgress } from './conclusion.ts';
import { anchorRunDeadline, remainingMs } from './deadlines.ts';
import { planDestinations, requestedArtifacts } from './destinations.ts';
import type { Environments } from './environments.ts';
import { runStartedEvent } from './evidence-session.ts';
import { execute } from './execute.ts';
import { checkRequirements } from './requirements.ts';
import { openInspectionSession } from './inspection.ts';
import type { InspectionSession } from './inspection.ts';
import { checkDistinct, prepareArtifactRoot, releaseAll, releaseUnused, reserveAll } from './reservations.ts';
import type { RootFault } from './reservations.ts';
import { journalOf } from './run-journal.ts';
import type { RunRequest, RunTools } from './run-tools.ts';
import { sealRun } from './seal.ts';
import type { SealedRun } from './seal.ts';

/** How a run ended, and what its caller needs beside the envelope. */
export interface PerformedRun extends Conclusion {
  /** Why the project's artifact root was refused; the ledger is then left out. */
  readonly rootFault: RootFault | null;
  /** Earlier runs of the project that died with a sealed value (runtime.md §15.1). */
  readonly interrupted: readonly InterruptedRun[];
}

/** What is said of a run that came to no artifact root. */
export const ROOTLESS = { rootFault: null, interrupted: [] } as const;

/**
 * Runs a checked application from its destinations to its published artifacts (runtime.md §1 steps 10 to 18). Never
 * throws: a bug in any step becomes `internal_error`, and what was reserved is given back.
 */
export async function performRun(tools: RunTools, request: RunRequest, application: RunnableApplication): Promise<PerformedRun> {
  const progress: RunProgress = {
    runRef: request.runRef,
    requested: requestedArtifacts(request.explicit, request.project),
    artifactClass: null,
    hasBegun: false,
  };
  try {
    return await runClassified(tools, request, application, progress);
  } catch (error) {
    return { ...concludeInternal(progress, error), ...ROOTLESS };
  }
}

async function runClassified(
  tools: RunTools,
  request: RunRequest,
  application: RunnableApplication,
  progress: RunProgress,
): Promise<PerformedRun> {
  if (tools.signal.aborted) return { ...concludeEarly(progress, diagnostic('internal_error')), ...ROOTLESS };
  const rootFault = await prepareArtifactRoot(tools.publication, request.project);
  if (rootFault !== null) {
    return { ...concludeEarly(progress, diagnostic('invalid_destination', { cause: 'invalid_configuration' })), ...ROOTLESS, rootFault };
  }
  const { journal, interrupted } = await journalOf(tools, request);
  try {
    return { ...(await runRegistered({ ...tools, journal }, request, application, progress)), ...ROOTLESS, interrupted };
  } finally {
    await journal.close();
  }
}

interface JournaledTools extends RunTools {
  readonly journal: RunJournal;
}

async function runRegistered(
  tools: JournaledTools,
  request: RunRequest,
  application: RunnableApplication,
  progress: RunProgress,
): Promise<Conclusion> {
  const reserved = await reserveDestinations(tools, request, application);
  if (!reserved.ok) return concludeEarly(progress, reserved.diagnostic);
  progress.artifactClass = application.artifactClass;
  tools.journal.enter('authorized');
  return runReserved(tools, request, application, progress, reserved.value);
}

/** Step 10. */
async function reserveDestinations(tools: RunTools, request: RunRequest, application: RunnableApplication): Promise<Outcome<ArtifactReservations>> {
  const distinct = await checkDistinct(tools.publication, request.explicit);
  if (!distinct.ok) return distinct;
  const plan = planDestinations({ ...request, artifactClass: application.artifactClass });
  return plan.ok ? reserveAll(tools.publication, plan.value) : plan;
}

async function runReserved(
  tools: JournaledTools,
  request: RunRequest,
  application: RunnableApplication,
  progress: RunProgress,
  reservations: ArtifactReservations,
): Promise<Conclusion> {
  let isPublishing = false;
  try {
    const opened = await openRun(tools, request, application, reservations);
    if (!opened.ok) return concludeEarly(progress, opened.diagnostic);
    progress.hasBegun = true;
    const sealed = await executeAndSeal(tools, request, application, opened.value);
    tools.onEvaluated();
    isPublishing = true;
    tools.journal.enter('publishing');
    await tools.journal.settled();
    const publication = await publishArtifacts(tools.publication.fileSystem, reservations, {
      trace: sealed.trace,
      inspection: sealed.inspection,
      result: sealed.result === null ? null : new TextEncoder().encode(sealed.result.text),
    });
    tools.journal.enter('published');
    const { providerActivity } = sealed;
    return concludeSealed(progress, { artifactClass: application.artifactClass, sealed, publication, providerActivity });
  } finally {
    await (isPublishing ? releaseAll(reservations) : releaseUnused(reservations));
  }
}

interface Sealed extends SealedRun {
  readonly inspection: FileIdentity | null;
  readonly providerActivity: boolean;
}

/** Steps 16 and 17: the run deadline, the workflow, and everything about it sealed. */
async function executeAndSeal(tools: JournaledTools, request: RunRequest, application: RunnableApplication, run: OpenedRun): Promise<Sealed> {
  const { recorder, environments, inspection } = run;
  try {
    const runDeadline = anchorRunDeadline(tools.clock.monotonic(), application.limits.run_duration_ms);
    tools.observer?.begun(application.limits);
    tools.journal.enter('running');
    const outcome = await execute(tools, request, { ...run, application, runDeadline });
    tools.journal.enter('draining');
    const counts = await environments.broker.close();
    const remaining = remainingMs(runDeadline, tools.clock.monotonic());
    const cleanupFailure = await environments.close();
    const file = await inspection.seal();
    const sealed = sealRun({
      application,
      artifactClass: application.artifactClass,
      outcome,
      counts,
      remainingMs: remaining,
      recorder,
      laterFailures: [cleanupFailure, inspection.failure()].filter((failed) => failed !== null),
    });
    tools.journal.enter('sealed', sealed.result === null ? undefined : digestOf(sealed.result.text));
    return { ...sealed, inspection: file, providerActivity: counts.providerActivity };
  } finally {
    // Each of these does nothing a second time; after a throw they are the first.
    await environments.broker.close();
    await environments.close();
    await inspection.close();
  }
}

interface OpenedRun {
  readonly recorder: TraceRecorder;
  readonly inspection: InspectionSession;
  readonly environments: Environments;
}

/** Steps 11 to 15: environments frozen, their demands met, and the first event in the sink. */
async function openRun(
  tools: RunTools,
  request: RunRequest,
  application: RunnableApplication,
  reservations: ArtifactReservations,
): Promise<Outcome<OpenedRun>> {
  const environments = await tools.openEnvironments(application);
  if (!environments.ok) return environments;
  const sinks = await openSinks(tools, request, { application, environments: environments.value, reservations });
  if (sinks.ok) return success({ ...sinks.value, environments: environments.value });
  // Nothing ran: what was acquired is let go, and the first failure is what is told.
  await environments.value.broker.close();
  await environments.value.close();
  return sinks;
}

interface Unopened {
  readonly application: RunnableApplication;
  readonly environments: Environments;
  readonly reservations: ArtifactReservations;
}

async function openSinks(
  tools: RunTools,
  request: RunRequest,
  { application, environments, reservations }: Unopened,
): Promise<Outcome<Pick<OpenedRun, 'recorder' | 'inspection'>>> {
  const missing = checkRequirements(application, environments);
  if (missing !== null) return failure(missing);
  const capacity = checkCapacity(application, environments.usageKeys);
  if (capacity !== null) return failure(capacity);
  const { limits } = application;
  const { runId, traceId } = application.eventIdentity;
  const identity = { runId: runId ?? request.runRef, traceId: traceId ?? request.runRef };
  const recorder = openTrace({
    ...identity,
    eventClass: application.artifactClass,
    bounds: {
      payloadBytes: limits.event_payload_bytes,
      eventCount: limits.normal_event_count,
      eventBytes: limits.normal_event_bytes,
    },
    clock: tools.clock,
    ...(tools.observer === undefined ? {} : { onEvent: tools.observer.event }),
  });
  const started = recorder.record(runStartedEvent(application, environments.missions));
  if (started !== 'recorded') return failure(diagnostic('limit_capacity_invalid'));
  if (tools.signal.aborted) return failure(diagnostic('internal_error'));
  const inspection = await openInspectionSession(reservations.inspection, identity, tools.clock);
  return inspection === null ? failure(diagnostic('inspection_sink_unavailable')) : success({ recorder, inspection });
}

