import {
  diagnostic,
  withGenericMessage,
  withProviderActivity,
  type Diagnostic,
} from '../../contract/diagnostics/diagnostic.ts';
import { finishedError, finishedOk, incomplete, type ExecutionRecord } from '../../contract/envelope/execution.ts';
import { SerializedJson } from '../../contract/json/serialized.ts';
import type { EvaluationMemory, Usage } from '../../contract/envelope/usage.ts';
import type { ArtifactClass } from '../../contract/envelope/types.ts';
import type { EventLoss, TraceRecorder } from '../evidence/recorder.ts';
import { runStopped } from '../evidence/event.ts';
import { runResult } from '../evidence/inspection/records.ts';
import type { InodeIdentity } from '../evidence/publication/file-system.ts';
import type { TraceContent } from '../evidence/publication/publish-artifacts.ts';
import { NO_ADVICE, type Advice } from '../../contract/outcome.ts';
import { EVENT_LOOP_PACE } from '../../system/event-loop-pace.ts';
import type { ClosedRun } from './close-run.ts';
import type { GuardedResult } from './result-guard.ts';
import type { Run } from './run.ts';
import type { RunOutcome } from './run-outcome.ts';
import { evaluationMemory, sealUsage, traceUsage, withoutModelDetail } from './usage/usage.ts';

/** Events that a trace lacks. */
export interface LostEvents extends EventLoss {
  readonly events: number;
}

/** All that is reported of a run, and changes no more. */
export interface SealedRun {
  readonly artifactClass: ArtifactClass;
  readonly execution: ExecutionRecord;
  /** The failures so far, most of them none or one. */
  readonly failures: readonly Diagnostic[];
  /** What people read about the workflow's own failure, which is the first of them; nothing without one. */
  readonly advice: Advice;
  readonly providerActivity: boolean;
  /** What may be published; null after any failure. */
  readonly result: GuardedResult | null;
  /** The whole trace; null when its end did not fit. */
  readonly trace: TraceContent | null;
  /** Events that did not fit into it, and the first limit that kept one out; null without. */
  readonly eventLoss: LostEvents | null;
  /** The staged and sealed inspection; null without one. */
  readonly inspection: InodeIdentity | null;
}

interface SealInput {
  readonly artifactClass: ArtifactClass;
  readonly outcome: RunOutcome;
  /** DIGEST of its value's text; null without one. */
  readonly resultHash: string | null;
  readonly closed: ClosedRun;
  /** What else went wrong after the last evaluation: clean-up, or an inspection that was lost. */
  readonly laterFailures: readonly Diagnostic[];
}

/**
 * Seals a closed run (runtime.md §1 step 17, evidence.md §4): its inspection and its usage, then its last event, with
 * which the trace is frozen.
 */
export async function sealRun(run: Run, closed: ClosedRun, outcome: RunOutcome): Promise<SealedRun> {
  const { inspection, application, journal } = run;
  const result = outcome.kind === 'value' ? SerializedJson.read(outcome.result.value, outcome.result.text) : null;
  const resultHash = result === null ? null : await result.digest(EVENT_LOOP_PACE);
  // Only of a run that is ok (evidence.md §6): whatever else fails it, does so before this.
  if (result !== null && resultHash !== null && closed.cleanupFailure === null)
    await inspection.record(runResult(resultHash, result));
  const file = await inspection.seal();
  const laterFailures = [closed.cleanupFailure, inspection.failure()].filter((failed) => failed !== null);
  const sealed = await sealTrace(
    run,
    { artifactClass: application.artifactClass, outcome, resultHash, closed, laterFailures },
    file,
  );
  journal.enter('sealed', sealed.result === null ? undefined : (resultHash ?? undefined));
  return sealed;
}

async function sealTrace(
  { recorder, trace }: Run,
  input: SealInput,
  inspection: InodeIdentity | null,
): Promise<SealedRun> {
  const {
    outcome,
    resultHash,
    artifactClass,
    closed: { counts, remainingMs, providerActivity },
  } = input;
  const failures = failuresOf(input);
  const [error = null] = failures;
  const usage = (eventsDropped: Readonly<Record<string, number>>): Usage =>
    sealUsage({ remainingMs, counts, eventsDropped });
  const finalized = recorder.finalize((dropped) =>
    runStopped({
      outcome: error === null ? 'ok' : 'error',
      reason: error === null ? null : error.code,
      usage: traceUsage(usage(dropped), counts),
      ...(resultHash !== null && error === null ? { result_hash: resultHash } : {}),
      ...(outcome.kind === 'failed' ? outcome.failureKind : {}),
      ...('stopped' in outcome ? outcome.stopped : {}),
      ...(error === null ? {} : { diagnostic: { phase: error.phase, code: error.code } }),
    }),
  );
  const sealed = usage(recorder.dropped());
  const eventLoss = lostEvents(recorder);
  const memory = evaluationMemory(counts);
  const advice = 'advice' in outcome ? (outcome.advice ?? NO_ADVICE) : NO_ADVICE;
  if (finalized.status === 'complete') {
    const result = outcome.kind === 'value' && error === null ? outcome.result : null;
    const content = await trace.content(finalized.isReadable);
    return {
      artifactClass,
      providerActivity,
      inspection,
      failures,
      advice,
      result,
      execution: executionOf(input, error, sealed, memory),
      trace: content,
      eventLoss,
    };
  }
  const sink = presentable(diagnostic('event_capture_limit_exceeded'), { artifactClass, providerActivity });
  const lost = withoutModelDetail({ ...sealed, events_dropped: { ...sealed.events_dropped, 'event-sink': 1 } });
  const execution = incomplete({ usage: lost, evaluationMemory: memory });
  return {
    artifactClass,
    providerActivity,
    inspection,
    failures: [...failures, sink],
    advice,
    result: null,
    execution,
    trace: null,
    eventLoss,
  };
}

function lostEvents(recorder: TraceRecorder): LostEvents | null {
  const loss = recorder.loss();
  const events = Object.values(recorder.dropped()).reduce((sum, count) => sum + count, 0);
  return loss === null || events === 0 ? null : { ...loss, events };
}

/** The workflow's failure, then later ones unless they are the same. */
function failuresOf({
  outcome,
  laterFailures,
  artifactClass,
  closed: { providerActivity },
}: SealInput): readonly Diagnostic[] {
  const primary = 'error' in outcome ? [outcome.error] : [];
  const later = laterFailures.filter(({ code }) => !primary.some((known) => known.code === code));
  return [...primary, ...later].map((failure) => presentable(failure, { artifactClass, providerActivity }));
}

function executionOf(
  input: SealInput,
  error: Diagnostic | null,
  usage: Usage,
  memory: EvaluationMemory,
): ExecutionRecord {
  const { outcome, artifactClass } = input;
  const records = { usage, evaluationMemory: memory };
  if (outcome.kind !== 'failed')
    return input.laterFailures.some(({ phase }) => phase === 'execution') ? incomplete(records) : finishedOk(records);
  if (error === null) throw new Error('a workflow that failed has an error');
  const lastEvaluationError = artifactClass === 'private' ? null : outcome.lastEvaluationError;
  return outcome.hasReturned
    ? finishedError(error, { ...records, lastEvaluationError })
    : incomplete({ usage, evaluationMemory: null, lastEvaluationError });
}

/** Says whether a provider was active, and on private runs no more than the code (runtime.md §7). */
function presentable(
  error: Diagnostic,
  run: { readonly artifactClass: ArtifactClass; readonly providerActivity: boolean },
): Diagnostic {
  const reported = withProviderActivity(error, error.provider_activity || run.providerActivity);
  return run.artifactClass === 'private' ? withGenericMessage(reported) : reported;
}
