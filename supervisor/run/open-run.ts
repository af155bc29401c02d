import { diagnostic, withProviderActivity, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../contract/diagnostics/interruption.ts';
import { failure, success, type Outcome } from '../../contract/outcome.ts';
import { remainingMs } from '../../system/clock.ts';
import { openRunClock } from '../platform/run-clock/run-clock.ts';
import type { WriteAheadJournal } from '../evidence/publication/journal/journal.ts';
import type { ArtifactReservations } from '../evidence/publication/publish-artifacts.ts';
import { anchorRunDeadline } from './deadlines.ts';
import { closeServices, type RunEnvironments } from './environments.ts';
import type { MissedRequest } from '../providers/source/installed-provider.ts';
import { checkRequirements } from './requirements.ts';
import type { Run } from './run.ts';
import type { RunContext } from './run-context.ts';
import { openRunInspection, type RunInspection } from './run-inspection.ts';
import { openRunTrace } from './run-trace.ts';
import type { RunApprovals } from './run-approvals.ts';
import type { EvaluationTools, LoadedRun, RunTerms } from './run-request.ts';
import { runStartedEvent, type RunOrigin } from './run-started.ts';
import { checkCapacity } from './usage/terminal-capacity.ts';

/** Misses of one run that people read about. */
const MISSES_REPORTED = 8;

const NOBODY: RunApprovals = { asker: null, allowsAll: false };

export interface RunOpening extends RunTerms {
  readonly loaded: LoadedRun;
  /** Where its trace and its inspection will be; null for none. */
  readonly reservations: Pick<ArtifactReservations, 'trace' | 'inspection'>;
  readonly journal: WriteAheadJournal;
  /** Called with requests that no fixture answered, of a normal run; absent: nobody is. */
  readonly missed?: (request: MissedRequest) => void;
}

/**
 * Opens a run (runtime.md §1 steps 12 to 15): its sinks, the deadline from which its time runs, its environments, whose
 * demands are met, and its first event. After a refusal none of it is open.
 */
export async function openRun(tools: EvaluationTools, opening: RunOpening): Promise<Outcome<Run>> {
  const context = await openContext(tools, opening);
  if (!context.ok) return context;
  let isOpen = false;
  try {
    const opened = await openWith(context.value, opening);
    isOpen = opened.ok;
    return opened;
  } finally {
    if (!isOpen) await closeSinks(context.value);
  }
}

/** Steps 12 to 14, as far as the run itself is concerned. */
async function openContext(
  { sandbox, clock: machineClock }: EvaluationTools,
  opening: RunOpening,
): Promise<Outcome<RunContext>> {
  const {
    runRef,
    trustDomain,
    signal,
    observer,
    loaded: { application },
  } = opening;
  const { limits, eventIdentity, artifactClass } = application;
  // The same in trace and inspection: the manifest's, or the run's own reference.
  const identity = { runId: eventIdentity.runId ?? runRef, traceId: eventIdentity.traceId ?? runRef };
  const started = await sandbox();
  const trace = await openRunTrace(opening.reservations.trace, {
    ...identity,
    eventClass: artifactClass,
    bounds: {
      payloadBytes: limits.event_payload_bytes,
      eventCount: limits.normal_event_count,
      eventBytes: limits.normal_event_bytes,
    },
    clock: machineClock,
  });
  const { recorder } = trace;
  if (observer !== undefined) recorder.subscribe(({ event }) => observer.event(event));
  let inspection: RunInspection | null = null;
  try {
    inspection = await openRunInspection(opening.reservations.inspection, identity, machineClock);
  } finally {
    if (inspection === null) await trace.close();
  }
  if (inspection === null) return failure(diagnostic('inspection_sink_unavailable'));
  const clock = openRunClock(machineClock);
  const runDeadline = anchorRunDeadline(clock.monotonic(), limits.run_duration_ms, opening.deadlineAt);
  let reported = 0;
  // What a program asked is nobody's business but its owner's where the run is private.
  const missed = (request: MissedRequest): void => {
    if (artifactClass !== 'normal' || reported === MISSES_REPORTED) return;
    reported += 1;
    opening.missed?.(request);
  };
  return success({
    runRef,
    traceId: identity.traceId,
    trustDomain,
    application,
    sandbox: started,
    clock,
    signal,
    recorder,
    trace,
    inspection,
    runDeadline,
    observer: observer ?? null,
    effectGate: opening.effectGate ?? null,
    approvals: opening.approvals ?? NOBODY,
    machine: machineClock,
    callerDeadlineAt: opening.deadlineAt ?? Infinity,
    missed,
  });
}

/** Lets go of the files of a run; does nothing a second time. */
export async function closeSinks({ trace, inspection }: Pick<RunContext, 'trace' | 'inspection'>): Promise<void> {
  await Promise.all([trace.close(), inspection.close()]);
}

async function openWith(
  authorised: RunContext,
  { loaded, journal, observer, traceparent, inputName, session }: RunOpening,
): Promise<Outcome<Run>> {
  const opened = await loaded.openEnvironments(authorised);
  if (!opened.ok) return opened;
  const { value: environments } = opened;
  const context: RunContext = { ...authorised, runDeadline: environments.runDeadline };
  let isStarting = false;
  try {
    if (environments.providerActivity) journal.enter('activated');
    const refused = startRefusal(context, environments, { traceparent, inputName, session });
    if (refused !== null) {
      // Nothing ran: what was acquired is released, and the first failure is what is reported.
      await closeServices(environments);
      const later = await environments.close();
      return {
        ok: false,
        diagnostic: withProviderActivity(refused, environments.providerActivity),
        later: later === null ? [] : [later],
      };
    }
    observer?.started(
      context.application.limits,
      remainingMs(context.runDeadline, context.clock.monotonic()),
      context.application.entry,
    );
    journal.enter('running');
    isStarting = true;
    return success({ ...context, environments, journal, newEvaluationId: evaluationIds() });
  } finally {
    // After a throw these are the first; else they do nothing a second time.
    if (!isStarting) {
      await closeServices(environments);
      await environments.close();
    }
  }
}

/** Why a run whose environments are frozen does not start; else its first event is in the sink. */
function startRefusal(
  { application, recorder, signal }: RunContext,
  environments: RunEnvironments,
  runOrigin: RunOrigin,
): Diagnostic | null {
  const refused = checkRequirements(application, environments) ?? checkCapacity(application, environments.usageKeys);
  if (refused !== null) return refused;
  const started = recorder.record(
    runStartedEvent(application, environments.missions, { snapshots: environments.snapshots, ...runOrigin }),
  );
  if (started !== 'recorded') return diagnostic('limit_capacity_invalid');
  return signal.aborted ? interruption() : null;
}

function evaluationIds(): () => string {
  let issued = 0;
  return () => {
    issued += 1;
    return `workflow-evaluation-${issued}`;
  };
}
