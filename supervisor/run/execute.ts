import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { limitExceeded, workflowEvaluationStarted, workflowEvaluationStopped } from '../evidence/event.ts';
import type { TraceEvent } from '../evidence/event.ts';
import type { TraceRecorder } from '../evidence/recorder.ts';
import type { RunnableApplication } from './application.ts';
import type { RunDeadline } from './deadlines.ts';
import type { Environments } from './environments.ts';
import { evaluateWorkflow } from './evaluation.ts';
import type { WorkflowEnd } from './evaluation.ts';
import { guardResult } from './result-guard.ts';
import type { RunRequest, RunTools } from './run-tools.ts';
import type { RunOutcome } from './seal.ts';
import { workflowFailure } from './workflow-failure.ts';

/** A run has one workflow evaluation; ids are opaque to readers (evidence.md §2). */
const EVALUATION_ID = 'workflow-evaluation-1';

export interface Execution {
  readonly application: RunnableApplication;
  readonly environments: Environments;
  readonly recorder: TraceRecorder;
  readonly runDeadline: RunDeadline;
  readonly hasInspection: boolean;
}

/** Evaluates the entry between its two events and guards its value (runtime.md §1 steps 16 and 17). */
export async function execute(tools: RunTools, request: RunRequest, execution: Execution): Promise<RunOutcome> {
  const { recorder } = execution;
  if (recorder.record(workflowEvaluationStarted(EVALUATION_ID)) === 'refused') return evidenceLost();
  const startedAt = tools.clock.monotonic();
  const end = await evaluate(tools, request, execution);
  const outcome = outcomeOf(end, execution);
  const events = [
    ...limitEvents(end, execution),
    workflowEvaluationStopped(EVALUATION_ID, outcome.kind === 'failed' ? 'error' : 'ok', tools.clock.monotonic() - startedAt),
  ];
  const areRecorded = events.every((event) => recorder.record(event) !== 'refused');
  return areRecorded || outcome.kind === 'failed' ? outcome : evidenceLost();
}

async function evaluate(tools: RunTools, request: RunRequest, execution: Execution): Promise<WorkflowEnd> {
  const { application, environments, runDeadline } = execution;
  const { limits } = application;
  return evaluateWorkflow(
    { sandbox: tools.sandbox, clock: tools.clock, signal: tools.signal, broker: environments.broker },
    {
      trustDomain: request.trustDomain,
      code: application.workflow.code,
      entryForm: application.entryForm,
      input: application.input,
      runDeadline,
      timeoutMs: limits.workflow_timeout_ms,
      heapWords: limits.workflow_heap_words,
      loopIterations: limits.workflow_loop_iterations,
    },
  );
}

function outcomeOf(end: WorkflowEnd, execution: Execution): RunOutcome {
  const { limits, resultContract } = execution.application;
  if (end.kind === 'value') {
    const guarded = guardResult(end.json, limits.terminal_result_bytes, resultContract);
    return guarded.ok ? { kind: 'value', result: guarded.value } : { kind: 'refused', error: guarded.diagnostic };
  }
  if (end.kind === 'value_unrepresentable') return { kind: 'refused', error: diagnostic('result_invalid') };
  const { error, hasReturned, lastEvaluationError, failureKind } = workflowFailure(end, contextOf(execution));
  return { kind: 'failed', error, hasReturned, lastEvaluationError, failureKind };
}

function limitEvents(end: WorkflowEnd, execution: Execution): readonly TraceEvent[] {
  if (end.kind === 'value' || end.kind === 'value_unrepresentable') return [];
  const { limit } = workflowFailure(end, contextOf(execution));
  return limit === null ? [] : [limitExceeded(limit)];
}

function contextOf({ application, hasInspection }: Execution) {
  const { terminal_result_bytes: terminalResultBytes, workflow_heap_words: heapWords } = application.limits;
  return { hasInspection, terminalResultBytes, heapWords };
}

/** Only a private run refuses an event: what it does must be on record or not happen (evidence.md §4). */
function evidenceLost(): RunOutcome {
  return {
    kind: 'failed',
    error: diagnostic('event_capture_limit_exceeded'),
    hasReturned: false,
    lastEvaluationError: null,
    failureKind: {},
  };
}
