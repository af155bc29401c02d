import { NO_ADVICE } from '../../contract/outcome.ts';
import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { writeCanonical } from '../../contract/json/canonical.ts';
import type { EvaluationFault } from '../../contract/sandbox-protocol.ts';
import { EVENT_LOOP_PACE } from '../../system/event-loop-pace.ts';
import { entryForm } from '../documents/limits/resolve.ts';
import {
  limitExceeded,
  workflowEvaluationStarted,
  workflowEvaluationStopped,
  type TraceEvent,
} from '../evidence/event.ts';
import {
  executionError,
  recordExecutionPrints,
  explicitFailureValue,
  preludeSource,
} from '../evidence/inspection/records.ts';
import type { TraceRecorder } from '../evidence/recorder.ts';
import { workflowDeadline } from './deadlines.ts';
import { evaluate } from './evaluate.ts';
import { failureAdvice, guardAdvice, limitAdvice, withLateCall } from './failure/failure-advice.ts';
import { describeFailedValue, type FailedValue } from './failure/failed-value.ts';
import { endedRun, promoted } from './failure/run-ending.ts';
import { workflowFailure } from './failure/workflow-failure.ts';
import type { Waits } from './failure/limit-faults.ts';
import { guardResult } from './result-guard.ts';
import type { Run } from './run.ts';
import type { RunInspection } from './run-inspection.ts';
import type { RunOutcome } from './run-outcome.ts';
import type { RunProgram } from './run-program.ts';
import { TimeSpent } from './usage/time-spent.ts';
import { workflowEnd, type WorkflowEnd } from './workflow-end.ts';
import { freshIsolates } from './workflow-isolates.ts';

/** The entry of an application: what a command and a served call do with a run. */
function entryProgram({ application: { entry, input, limits } }: Run): RunProgram {
  return {
    timeoutMs: limits.workflow_timeout_ms,
    started: workflowEvaluationStarted,
    stopped: (evaluationId, { hasValue, durationMs }) =>
      workflowEvaluationStopped(evaluationId, hasValue ? 'ok' : 'error', durationMs),
    evaluate: async (run, evaluationId, deadlineAt) =>
      evaluate(
        run,
        {
          evaluationId,
          source: entryForm(entry),
          data: { input },
          deadlineAt,
          projection: { projection: 'json' },
        },
        freshIsolates(run),
      ),
  };
}

/**
 * Evaluates the entry of an open run, or a program in its place, between its two events, and guards its value
 * (runtime.md §1 steps 16 and 17).
 */
export async function evaluateEntry(run: Run, program: RunProgram = entryProgram(run)): Promise<RunOutcome> {
  const {
    recorder,
    inspection,
    clock,
    runDeadline,
    application: { limits },
  } = run;
  if (!(await recordSources(run))) return captureLost(inspection);
  const evaluationId = run.newEvaluationId();
  if (recorder.record(program.started(evaluationId)) === 'refused') return eventLost();
  const startedAt = clock.monotonic();
  const spent = new TimeSpent();
  recorder.subscribe(({ event }) => {
    spent.note(event, clock.monotonic());
  });
  const deadline = workflowDeadline(runDeadline, startedAt, program.timeoutMs);
  const evaluated = await program.evaluate(run, evaluationId, deadline.at);
  const endedAt = clock.monotonic();
  const waits = { shares: spent.shares(endedAt), ms: endedAt - startedAt };
  const end = workflowEnd(evaluated, { deadline, runDeadline, endedAt, parallelTimeoutMs: limits.parallel_timeout_ms });
  if (evaluated.kind === 'replied' && evaluated.reply.prints.length > 0)
    await inspection.record(recordExecutionPrints(evaluationId, evaluated.reply.prints));
  const ended = endedFromInside(advised(await awaitOutcome(end, evaluationId, run), { end, waits }, run), run);
  const outcome = withProviderWords(ended, run);
  const hasValue = outcome.kind !== 'failed' && (end.kind === 'value' || end.kind === 'value_unrepresentable');
  const stopped = program.stopped(evaluationId, { evaluated, hasValue, durationMs: clock.monotonic() - startedAt });
  const hasEvents = recordEnd(outcome, stopped, recorder);
  if (outcome.kind === 'failed') return outcome;
  if (!hasEvents) return eventLost();
  return inspection.failure() === null ? outcome : captureLost(inspection);
}

/** What people read about a workflow that gave no value that may leave (cli.md §4). */
function advised(
  outcome: RunOutcome,
  { end, waits }: { readonly end: WorkflowEnd; readonly waits: Waits },
  { application, inspection }: Run,
): RunOutcome {
  if (outcome.kind !== 'failed' && outcome.kind !== 'refused') return outcome;
  return {
    ...outcome,
    advice: outcome.advice ?? failureAdvice(end, { application, isInspected: inspection.isRequested, waits }),
  };
}

/** Below the failure of a normal run people are shown what the provider said that ended it (world.md §1.5). */
function withProviderWords(outcome: RunOutcome, { application, environments }: Run): RunOutcome {
  if (outcome.kind !== 'failed' || application.artifactClass === 'private') return outcome;
  const { failed } = environments.broker;
  const provider = outcome.provider ?? (outcome.error.code.startsWith('llm_') ? failed.lastOfModels() : null);
  if (provider === null) return outcome;
  const advice = outcome.advice ?? NO_ADVICE;
  return { ...outcome, advice: { ...advice, provider, faults: withLateCall(advice.faults, provider, application) } };
}

/** A run that was ended from inside fails for that reason, whatever its workflow came to after it (runtime.md §10). */
function endedFromInside(outcome: RunOutcome, { application, environments, inspection }: Run): RunOutcome {
  const ending = environments.broker.ending();
  if (ending === null) return outcome;
  const { lastEvaluationError } = environments.kernel.counts();
  const ended = endedRun(ending, { inspectionFailure: inspection.failure(), lastEvaluationError });
  if (!('stopped' in ended)) return ended;
  const { limit, limit_value: value } = ended.stopped ?? {};
  return { ...ended, advice: limitAdvice(limit, application, value) };
}

/** Every component's exact source, before any of it runs (evidence.md §6). */
async function recordSources({ application, inspection }: Run): Promise<boolean> {
  if (!inspection.isRequested) return true;
  const environments = [[null, application.workflow] as const, ...application.missions];
  for (const [mission, { components }] of environments) {
    for (const component of components) {
      if (!(await inspection.record(preludeSource(component, mission)))) return false;
    }
  }
  return true;
}

/** What the end of the evaluation means, with its private records written on the way. */
async function awaitOutcome(end: WorkflowEnd, evaluationId: string, run: Run): Promise<RunOutcome> {
  const { application } = run;
  const { limits, resultContract } = application;
  if (end.kind === 'value_unrepresentable') return { kind: 'refused', error: diagnostic('result_invalid') };
  if (end.kind !== 'value') return readFailure(end, evaluationId, run);
  const guarded = await guardResult(end.json, limits.terminal_result_bytes, resultContract);
  if (guarded.ok) return { kind: 'value', result: guarded.value };
  return { kind: 'refused', error: guarded.diagnostic, advice: guardAdvice(guarded, application) };
}

async function readFailure(
  end: Exclude<WorkflowEnd, { kind: 'value' | 'value_unrepresentable' }>,
  evaluationId: string,
  run: Run,
): Promise<RunOutcome> {
  const { inspection, environments, application } = run;
  const { artifactClass, limits } = application;
  const failed = await describeFailedValue(end, limits.terminal_result_bytes);
  if (end.kind === 'evaluation_error') await recordError(end.fault, evaluationId, inspection);
  const isStored = end.kind === 'failed' && (await recordFailedValue(failed, evaluationId, run));
  const { error, ...rest } = workflowFailure(end, failed, {
    artifactClass,
    inspection: inspection.isRequested ? (isStored ? 'kept' : 'not_written') : null,
    heapWords: limits.workflow_heap_words,
    loopIterations: limits.workflow_loop_iterations,
  });
  // The refusal of this run that the value is, word for word (runtime.md §7).
  const refusal =
    failed?.state === 'readable'
      ? environments.broker.issued(await writeCanonical(failed.value, EVENT_LOOP_PACE))
      : null;
  const provider = failed?.state === 'readable' ? environments.broker.failed.within(failed.value) : null;
  if (refusal === null) return { kind: 'failed', error, provider, ...rest };
  return {
    kind: 'failed',
    error: promoted(refusal),
    ...rest,
    ...('limit' in refusal ? { advice: limitAdvice(refusal.limit, application) } : {}),
  };
}

async function recordError(
  { reason, message, details }: EvaluationFault,
  evaluationId: string,
  inspection: RunInspection,
): Promise<void> {
  await inspection.record(
    executionError(evaluationId, { kind: 'evaluation_error', reason, details: { message, ...details } }),
  );
}

/** That the workflow failed of its own accord, and with what; whether the value is kept. */
async function recordFailedValue(
  failed: FailedValue | null,
  evaluationId: string,
  { inspection, environments }: Run,
): Promise<boolean> {
  if (!inspection.isRequested) return false;
  const value = failed?.state === 'readable' ? failed : null;
  const producer = value === null ? null : await environments.kernel.producerOf(value.value);
  const details = { message: 'the workflow failed with a value of its own' };
  const isRecorded = await inspection.record(
    executionError(evaluationId, { kind: 'explicit_failure', reason: 'explicit_failure', details, producer }),
  );
  return isRecorded && value !== null && inspection.record(explicitFailureValue(evaluationId, value.value));
}

/** False when an event of a private run was refused. */
function recordEnd(outcome: RunOutcome, stopped: TraceEvent, recorder: TraceRecorder): boolean {
  const limit = outcome.kind === 'failed' ? outcome.limit : null;
  const events = [...(limit === null ? [] : [limitExceeded(limit)]), stopped];
  return events.every((event) => recorder.record(event) !== 'refused');
}

/** Only a private run refuses an event: what it does must be on record or not happen (evidence.md §4). */
function eventLost(): RunOutcome {
  return evidenceLost(diagnostic('event_capture_limit_exceeded'));
}

/** A record that cannot be kept ends the run, whatever its class (evidence.md §6). */
function captureLost(inspection: RunInspection): RunOutcome {
  return evidenceLost(inspection.failure() ?? diagnostic('inspection_sink_unavailable'));
}

function evidenceLost(error: Diagnostic): RunOutcome {
  return { kind: 'failed', error, hasReturned: false, lastEvaluationError: null, failureKind: {}, limit: null };
}
