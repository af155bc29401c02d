import { diagnostic, fixedSource, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../../contract/diagnostics/interruption.ts';
import {
  evaluationFailedMessage,
  explicitFailureMessage,
  timeLimitMessage,
  type FailureValue,
} from '../../../contract/diagnostics/messages/execution.ts';
import type { EvaluationError } from '../../../contract/envelope/execution.ts';
import type { ArtifactClass } from '../../../contract/envelope/types.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import type { EvaluationFault } from '../../../contract/sandbox-protocol.ts';
import { publicError } from '../../calls/evaluation/public-error.ts';
import { failureKindOf, type FailureKind } from '../../evidence/fingerprint.ts';
import type { LimitFacts } from '../../evidence/event.ts';
import type { WorkflowEnd } from '../workflow-end.ts';
import type { FailedValue } from './failed-value.ts';

/** What a workflow without a value means for its run. */
export interface WorkflowFailure {
  readonly error: Diagnostic;
  /** Whether the evaluation handed control back, so that its records are sealed (runtime.md §3, `finished`/`error`). */
  readonly hasReturned: boolean;
  readonly lastEvaluationError: EvaluationError | null;
  readonly failureKind: FailureKind;
  /** A bound that stopped the workflow, for the trace. */
  readonly limit: LimitFacts | null;
}

export interface FailureContext {
  readonly artifactClass: ArtifactClass;
  /** What the inspection artifact does with a `fail` value; null where none was requested. */
  readonly inspection: 'kept' | 'not_written' | null;
  /** `workflow_heap_words`. */
  readonly heapWords: number;
  /** `workflow_loop_iterations`; null is off. */
  readonly loopIterations: number | null;
}

const RUNTIME = fixedSource('runtime');

/**
 * The failure that an end of the workflow other than a value is (runtime.md §9, §13).
 *
 * A host that was lost is `workflow_failed`: the run's own processes and records are intact and no limit was seen to
 * be reached, so neither `internal_error` nor a limit would be true. A host that broke the protocol is our bug.
 * `failed` is the value of a `fail` behind the end, null where there is none.
 */
export function workflowFailure(
  end: Exclude<WorkflowEnd, { kind: 'value' | 'value_unrepresentable' }>,
  failed: FailedValue | null,
  context: FailureContext,
): WorkflowFailure {
  switch (end.kind) {
    case 'failed':
      return { ...returned(explicitFailure(failed, context)), failureKind: kindOfFailure(failed) };
    case 'evaluation_error':
      return { ...evaluationFailure(end.fault, context), failureKind: kindOfFailure(failed) };
    case 'timeout':
      return timeoutFailure(end);
    case 'memory_exceeded':
      return {
        ...returned(diagnostic('runtime_limit_exceeded', { source: RUNTIME })),
        hasReturned: end.fault !== null,
        limit: {
          reason: 'memory_exceeded',
          environment: 'workflow',
          limit: 'workflow_heap_words',
          limit_value: context.heapWords,
        },
      };
    case 'parallel_timeout':
      return {
        ...returned(timeLimitDiagnostic('parallel_timeout_ms', end.limitMs, 'execution')),
        limit: {
          reason: 'timeout',
          environment: 'workflow',
          limit: 'parallel_timeout_ms',
          limit_ms: end.limitMs,
          phase: 'execution',
        },
      };
    case 'host_lost':
      return killed(diagnostic('workflow_failed'));
    case 'cancelled':
      return killed(interruption());
    case 'host_dishonest':
      return killed(diagnostic('internal_error'));
  }
}

function returned(error: Diagnostic): WorkflowFailure {
  return { error, hasReturned: true, lastEvaluationError: null, failureKind: {}, limit: null };
}

function killed(error: Diagnostic): WorkflowFailure {
  return { ...returned(error), hasReturned: false };
}

function explicitFailure(failed: FailedValue | null, { inspection }: FailureContext): Diagnostic {
  return diagnostic('explicit_failure', {
    message: explicitFailureMessage(failureValueOf(failed, inspection)),
    source: RUNTIME,
  });
}

function failureValueOf(failed: FailedValue | null, inspection: FailureContext['inspection']): FailureValue {
  if (inspection === null) return 'not_requested';
  if (failed === null) return 'not_representable';
  return failed.state === 'readable' ? inspection : failed.state;
}

function kindOfFailure(failed: FailedValue | null): FailureKind {
  return failed?.state === 'readable' && isJsonObject(failed.value) ? failureKindOf(failed.value.get('kind')) : {};
}

/** What kind of error it was is reported of normal runs alone. */
function evaluationFailure(fault: EvaluationFault, { artifactClass, loopIterations }: FailureContext): WorkflowFailure {
  const limit: LimitFacts | null =
    fault.reason === 'loop_limit_exceeded' && loopIterations !== null
      ? {
          reason: fault.reason,
          environment: 'workflow',
          limit: 'workflow_loop_iterations',
          limit_value: loopIterations,
        }
      : null;
  const error =
    artifactClass === 'private'
      ? diagnostic('workflow_failed', { source: RUNTIME })
      : diagnostic('evaluation_failed', { message: evaluationFailedMessage(fault.reason), source: RUNTIME });
  return { ...returned(error), lastEvaluationError: publicError(fault), limit };
}

function timeoutFailure(end: Extract<WorkflowEnd, { kind: 'timeout' }>): WorkflowFailure {
  const { bound, limitMs } = end.deadline;
  const limit: LimitFacts = {
    reason: 'timeout',
    environment: 'workflow',
    limit: bound,
    limit_ms: limitMs,
    phase: end.during,
  };
  const error =
    bound === 'run_duration_ms'
      ? diagnostic('run_timeout', { source: RUNTIME })
      : timeLimitDiagnostic(bound, limitMs, end.during);
  return { ...killed(error), limit };
}

function timeLimitDiagnostic(
  limit: 'parallel_timeout_ms' | 'workflow_timeout_ms',
  milliseconds: number,
  during: 'compilation' | 'execution',
): Diagnostic {
  return diagnostic('runtime_limit_exceeded', {
    source: RUNTIME,
    message: timeLimitMessage({ limit, milliseconds, during }),
  });
}
