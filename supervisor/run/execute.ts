import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import type { EvaluationFault } from '../../contract/sandbox-protocol.ts';
import type { Denial, IssuedRefusal } from '../broker/interface.ts';
import { limitExceeded, workflowEvaluationStarted, workflowEvaluationStopped } from '../evidence/event.ts';
import { executionError, executionPrints, explicitFailureValue, preludeSource } from '../evidence/inspection/records.ts';
import type { TraceRecorder } from '../evidence/recorder.ts';
import type { RunnableApplication } from './application.ts';
import { workflowDeadline } from './deadlines.ts';
import type { RunDeadline, WorkflowDeadline } from './deadlines.ts';
import type { Environments } from './environments.ts';
import { evaluateWorkflow } from './evaluation.ts';
import type { WorkflowEnd, WorkflowEvaluation } from './evaluation.ts';
import type { InspectionSession } from './inspection.ts';
import { failedJson } from './failed-value.ts';
import { decodeGuestJson, guardResult } from './result-guard.ts';
import { endedRun, promoted } from './run-ending.ts';
import type { RunRequest, RunTools } from './run-tools.ts';
import type { RunOutcome } from './seal.ts';
import { workflowFailure } from './workflow-failure.ts';

/** A run has one workflow evaluation; ids are opaque to readers (evidence.md §2). */
const EVALUATION_ID = 'workflow-evaluation-1';

export interface Execution {
  readonly application: RunnableApplication;
  readonly environments: Environments;
  readonly recorder: TraceRecorder;
  readonly inspection: InspectionSession;
  readonly runDeadline: RunDeadline;
}

/** Reasons of programs that were stopped before they ran, for a name that they may not call. */
function isDenial(reason: string): reason is Denial {
  return reason === 'unknown_tool' || reason === 'private_tool_unauthorized';
}

/** Evaluates the entry between its two events and guards its value (runtime.md §1 steps 16 and 17). */
export async function execute(tools: RunTools, request: RunRequest, execution: Execution): Promise<RunOutcome> {
  const { recorder, inspection } = execution;
  if (!(await recordSources(execution))) return captureLost(inspection);
  if (recorder.record(workflowEvaluationStarted(EVALUATION_ID)) === 'refused') return eventLost();
  const startedAt = tools.clock.monotonic();
  const evaluation = await evaluate(tools, request, execution);
  const outcome = endedFromInside(await outcomeOf(evaluation, execution), execution);
  const durationMs = tools.clock.monotonic() - startedAt;
  const hasEvents = recordEnd(outcome, evaluation.end, durationMs, recorder);
  if (outcome.kind === 'failed') return outcome;
  if (!hasEvents) return eventLost();
  return inspection.failure() === null ? outcome : captureLost(inspection);
}

async function evaluate(tools: RunTools, request: RunRequest, execution: Execution): Promise<WorkflowEvaluation> {
  const { application, environments, runDeadline } = execution;
  const { limits } = application;
  const deadline = workflowDeadline(runDeadline, tools.clock.monotonic(), limits.workflow_timeout_ms);
  const scope = environments.broker.open({ evaluationId: EVALUATION_ID, deadlineAt: deadline.at, environment: 'workflow', mission: null });
  const evaluation = await evaluateWorkflow(
    { sandbox: tools.sandbox, clock: tools.clock, signal: tools.signal, scope },
    {
      trustDomain: request.trustDomain,
      code: application.workflow.code,
      entryForm: application.entryForm,
      input: application.input,
      deadline,
      heapWords: limits.workflow_heap_words,
      loopIterations: limits.workflow_loop_iterations,
      parallelTimeoutMs: limits.parallel_timeout_ms,
    },
  );
  const { end } = evaluation;
  if (end.kind === 'evaluation_error' && isDenial(end.fault.reason)) environments.broker.denied(end.fault.reason);
  await scope.end();
  return isOutOfTime(end, runDeadline, tools.clock.monotonic()) ? { ...evaluation, end: { kind: 'timeout', deadline: runEnd(runDeadline), during: 'execution' } } : evaluation;
}

/** A call at the very end of the run is answered with its end, before the isolate is stopped for it. */
function isOutOfTime(end: WorkflowEnd, { at }: RunDeadline, now: number): boolean {
  return end.kind === 'memory_exceeded' && !end.killed && now >= at;
}

function runEnd({ at, limitMs }: RunDeadline): WorkflowDeadline {
  return { at, limitMs, bound: 'run_duration_ms' };
}

/** A run that was ended from inside fails for that reason, whatever its workflow came to after it (runtime.md §10). */
function endedFromInside(outcome: RunOutcome, { environments, inspection }: Execution): RunOutcome {
  const ending = environments.broker.ending();
  if (ending === null) return outcome;
  const { lastEvaluationError } = environments.kernel.counts();
  return endedRun(ending, { inspectionFailure: inspection.failure(), lastEvaluationError });
}

/** Every component's exact source, before any of it runs (evidence.md §6). */
async function recordSources({ application, inspection }: Execution): Promise<boolean> {
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
async function outcomeOf({ end, prints }: WorkflowEvaluation, execution: Execution): Promise<RunOutcome> {
  const { inspection, application } = execution;
  const { limits, resultContract } = application;
  if (prints.length > 0) await inspection.record(executionPrints(EVALUATION_ID, prints));
  if (end.kind === 'value_unrepresentable') return { kind: 'refused', error: diagnostic('result_invalid') };
  if (end.kind !== 'value') return failureOf(end, execution);
  const guarded = guardResult(end.json, limits.terminal_result_bytes, resultContract);
  return guarded.ok ? { kind: 'value', result: guarded.value } : { kind: 'refused', error: guarded.diagnostic };
}

async function failureOf(end: Exclude<WorkflowEnd, { kind: 'value' | 'value_unrepresentable' }>, execution: Execution): Promise<RunOutcome> {
  const { inspection, environments } = execution;
  const { limits } = execution.application;
  const terminalResultBytes = limits.terminal_result_bytes;
  if (end.kind === 'evaluation_error') await recordError(end.fault, inspection);
  const isKept = end.kind === 'failed' && (await recordFailValue(end.json, terminalResultBytes, execution));
  const { error, ...rest } = workflowFailure(end.kind === 'failed' ? { kind: 'failed', json: representable(end.json, terminalResultBytes) } : end, {
    inspection: inspection.isRequested ? (isKept ? 'kept' : 'not_written') : null,
    terminalResultBytes,
    heapWords: limits.workflow_heap_words,
    loopIterations: limits.workflow_loop_iterations,
  });
  const failed = failedJson(end);
  const refusal = failed === null ? null : issuedRefusal(failed, terminalResultBytes, environments);
  return { kind: 'failed', error: refusal === null ? error : promoted(refusal), ...rest };
}

/** The refusal of this run that a failure value is, word for word (runtime.md §7). */
function issuedRefusal(json: string, limitBytes: number, { broker }: Environments): IssuedRefusal | null {
  const decoded = json.length > limitBytes ? null : decodeGuestJson(json);
  return decoded === null ? null : broker.issued(canonicalJson(decoded.value));
}

async function recordError({ reason, message, details }: EvaluationFault, inspection: InspectionSession): Promise<void> {
  await inspection.record(executionError(EVALUATION_ID, { kind: 'evaluation_error', reason, details: { message, ...details } }));
}

/** That the workflow failed of its own accord, and with what; whether the value is kept. */
async function recordFailValue(json: string | null, limitBytes: number, { inspection, environments }: Execution): Promise<boolean> {
  if (!inspection.isRequested) return false;
  const decoded = json === null || Buffer.byteLength(json) > limitBytes ? null : decodeGuestJson(json);
  const producer = decoded === null ? null : environments.kernel.producerOf(decoded.value);
  const details = { message: 'the workflow failed with a value of its own' };
  const isTold = await inspection.record(executionError(EVALUATION_ID, { kind: 'explicit_failure', reason: 'explicit_failure', details, producer }));
  return isTold && decoded !== null && inspection.record(explicitFailureValue(EVALUATION_ID, decoded.value));
}

/** A value that is too large is not looked at; the diagnostic says so first. */
function representable(json: string | null, limitBytes: number): string | null {
  return json === null || json.length > limitBytes || decodeGuestJson(json) !== null ? json : null;
}

/** False when an event of a private run was refused. */
function recordEnd(outcome: RunOutcome, end: WorkflowEnd, durationMs: number, recorder: TraceRecorder): boolean {
  const hasValue = outcome.kind !== 'failed' && (end.kind === 'value' || end.kind === 'value_unrepresentable');
  const limit = outcome.kind === 'failed' ? outcome.limit : null;
  const events = [
    ...(limit === null ? [] : [limitExceeded(limit)]),
    workflowEvaluationStopped(EVALUATION_ID, hasValue ? 'ok' : 'error', durationMs),
  ];
  return events.every((event) => recorder.record(event) !== 'refused');
}

/** Only a private run refuses an event: what it does must be on record or not happen (evidence.md §4). */
function eventLost(): RunOutcome {
  return evidenceLost(diagnostic('event_capture_limit_exceeded'));
}

/** A record that cannot be kept ends the run, whatever its class (evidence.md §6). */
function captureLost(inspection: InspectionSession): RunOutcome {
  return evidenceLost(inspection.failure() ?? diagnostic('inspection_sink_unavailable'));
}

function evidenceLost(error: Diagnostic): RunOutcome {
  return { kind: 'failed', error, hasReturned: false, lastEvaluationError: null, failureKind: {}, limit: null };
}
