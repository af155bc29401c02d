import { diagnostic, withProviderActivity } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { digestOf } from '../evidence/fingerprint.ts';
import { runResult } from '../evidence/inspection/records.ts';
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
import { countsOf } from './counts.ts';
import { anchorRunDeadline, remainingMs } from './deadlines.ts';
import type { RunDeadline } from './deadlines.ts';
import { planDestinations, requestedArtifacts } from './destinations.ts';
import type { Environments, OpenEnvironments, OpenedEnvironments } from './environments.ts';
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
    return await runClassified({ ...tools, openEnvironments: noting(progress, tools.openEnvironments) }, request, application, progress);
  } catch (error) {
    return { ...concludeInternal(progress, error), ...ROOTLESS };
  }
}

/** Lets even a bug behind it tell what was reached (runtime.md §3). */
function noting(progress: RunProgress, open: OpenEnvironments): OpenEnvironments {
  return async (application, context) => {
    const opened = await open(application, context);
    if (opened.ok) progress.providerActivity = () => opened.value.providerActivity || opened.value.broker.providerActivity();
    return opened;
  };
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
    if (!opened.ok) return concludeEarly(progress, opened.diagnostic, opened.later);
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

/** Steps 16 and 17: the workflow, then everything about the run closed in the order of runtime.md §10, and sealed. */
async function executeAndSeal(tools: JournaledTools, request: RunRequest, application: RunnableApplication, run: OpenedRun): Promise<Sealed> {
  const { recorder, environments, inspection, runDeadline } = run;
  const { broker, kernel } = environments;
  try {
    tools.observer?.begun(application.limits, remainingMs(runDeadline, tools.clock.monotonic()));
    tools.journal.enter('running');
    const outcome = await execute(tools, request, { ...run, application });
    tools.journal.enter('draining');
    await closeServices(environments);
    const counts = countsOf(broker, kernel);
    const remaining = remainingMs(runDeadline, tools.clock.monotonic());
    const cleanupFailure = await environments.close();
    // Only of a run that is ok (evidence.md §6): whatever else fails it, does so before this.
    if (outcome.kind === 'value' && cleanupFailure === null) await inspection.record(runResult(digestOf(outcome.result.text), outcome.result.value));
    const file = await inspection.seal();
    const providerActivity = environments.providerActivity || broker.providerActivity();
    const sealed = sealRun({
      application,
      artifactClass: application.artifactClass,
      outcome,
      counts,
      providerActivity,
      remainingMs: remaining,
      recorder,
      laterFailures: [cleanupFailure, inspection.failure()].filter((failed) => failed !== null),
    });
    tools.journal.enter('sealed', sealed.result === null ? undefined : digestOf(sealed.result.text));
    return { ...sealed, inspection: file, providerActivity };
  } finally {
    // Each of these does nothing a second time; after a throw they are the first.
    await closeServices(environments);
    await environments.close();
    await inspection.close();
  }
}

/** Nothing is granted any more, and every call and evaluation is dead when this returns. */
async function closeServices({ broker, kernel }: Environments): Promise<void> {
  await Promise.all([broker.close(), kernel.close()]);
}

interface OpenedRun {
  readonly recorder: TraceRecorder;
  readonly inspection: InspectionSession;
  readonly runDeadline: RunDeadline;
  readonly environments: Environments;
}

type Opening = { readonly ok: true; readonly value: OpenedRun } | Extract<OpenedEnvironments, { ok: false }>;

/** Steps 12 to 15: sinks open, the run deadline anchored, environments frozen, their demands met, and the first event written. */
async function openRun(
  tools: JournaledTools,
  request: RunRequest,
  application: RunnableApplication,
  reservations: ArtifactReservations,
): Promise<Opening> {
  const identity = identityOf(request, application);
  const { observer } = tools;
  const recorder = openTrace({
    ...identity,
    eventClass: application.artifactClass,
    bounds: {
      payloadBytes: application.limits.event_payload_bytes,
      eventCount: application.limits.normal_event_count,
      eventBytes: application.limits.normal_event_bytes,
    },
    clock: tools.clock,
    ...(observer === undefined ? {} : { onEvent: (event) => observer.event(event) }),
  });
  const inspection = await openInspectionSession(reservations.inspection, identity, tools.clock);
  if (inspection === null) return failure(diagnostic('inspection_sink_unavailable'));
  const runDeadline = anchorRunDeadline(tools.clock.monotonic(), application.limits.run_duration_ms);
  const sinks = { recorder, inspection, runDeadline };
  let isOpen = false;
  try {
    const opened = await openEnvironments(tools, request, application, sinks);
    isOpen = opened.ok;
    return opened;
  } finally {
    if (!isOpen) await inspection.close();
  }
}

async function openEnvironments(tools: JournaledTools, request: RunRequest, application: RunnableApplication, sinks: Omit<OpenedRun, 'environments'>): Promise<Opening> {
  const { sandbox, clock, signal } = tools;
  const opened = await tools.openEnvironments(application, { ...sinks, sandbox, clock, signal, runRef: request.runRef });
  if (!opened.ok) return opened;
  const { value: environments } = opened;
  let isStarting = false;
  try {
    if (environments.providerActivity) tools.journal.enter('activated');
    const refused = startRefusal(tools, application, environments, sinks.recorder);
    isStarting = refused === null;
    if (refused === null) return success({ ...sinks, environments });
    // Nothing ran: what was acquired is let go, and the first failure is what is told.
    await closeServices(environments);
    const later = await environments.close();
    return { ok: false, diagnostic: withProviderActivity(refused, environments.providerActivity), later: later === null ? [] : [later] };
  } finally {
    // After a throw these are the first; else they do nothing a second time.
    if (!isStarting) {
      await closeServices(environments);
      await environments.close();
    }
  }
}

/** Why a run whose environments are frozen does not start; else its first event is in the sink. */
function startRefusal(tools: RunTools, application: RunnableApplication, environments: Environments, recorder: TraceRecorder): Diagnostic | null {
  const refused = checkRequirements(application, environments) ?? checkCapacity(application, environments.usageKeys);
  if (refused !== null) return refused;
  const started = recorder.record(runStartedEvent(application, environments.missions, environments.snapshots));
  if (started !== 'recorded') return diagnostic('limit_capacity_invalid');
  return tools.signal.aborted ? diagnostic('internal_error') : null;
}

/** The same in trace and inspection: the manifest's, or the run's own reference. */
function identityOf({ runRef }: RunRequest, { eventIdentity }: RunnableApplication): { readonly runId: string; readonly traceId: string } {
  return { runId: eventIdentity.runId ?? runRef, traceId: eventIdentity.traceId ?? runRef };
}
