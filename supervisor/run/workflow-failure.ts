import { diagnostic, fixedSource } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { evaluationFailedMessage, explicitFailureMessage, timeLimitMessage } from '../../contract/diagnostics/messages/execution.ts';
import type { FailureValue } from '../../contract/diagnostics/messages/execution.ts';
import { EVALUATION_ERROR_KINDS, EVALUATION_ERROR_LENGTH_MAX } from '../../contract/envelope/execution.ts';
import type { EvaluationError, EvaluationErrorKind } from '../../contract/envelope/execution.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import type { EvaluationFault } from '../../contract/sandbox-protocol.ts';
import { failureKindOf } from '../evidence/fingerprint.ts';
import type { FailureKind } from '../evidence/fingerprint.ts';
import type { LimitFacts } from '../evidence/event.ts';
import type { WorkflowEnd } from './evaluation.ts';
import { failedJson } from './failed-value.ts';
import { decodeGuestJson } from './result-guard.ts';

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
  /** What the inspection artifact does with a `fail` value; null where none was requested. */
  readonly inspection: 'kept' | 'not_written' | null;
  /** `terminal_result_bytes`, `workflow_heap_words`. */
  readonly terminalResultBytes: number;
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
 */
export function workflowFailure(end: Exclude<WorkflowEnd, { kind: 'value' | 'value_unrepresentable' }>, context: FailureContext): WorkflowFailure {
  switch (end.kind) {
    case 'failed':
      return { ...returned(explicitFailure(end.json, context)), failureKind: kindOfFailure(end.json, context) };
    case 'evaluation_error':
      return { ...evaluationFailure(end.fault, context), failureKind: kindOfFailure(failedJson(end), context) };
    case 'timeout':
      return timeoutFailure(end);
    case 'memory_exceeded':
      return {
        ...returned(diagnostic('runtime_limit_exceeded', { source: RUNTIME })),
        hasReturned: !end.killed,
        limit: { reason: 'memory_exceeded', environment: 'workflow', limit: 'workflow_heap_words', limit_value: context.heapWords },
      };
    case 'parallel_timeout':
      return {
        ...returned(timeLimitDiagnostic('parallel_timeout_ms', end.limitMs, 'execution')),
        limit: { reason: 'timeout', environment: 'workflow', limit: 'parallel_timeout_ms', limit_ms: end.limitMs, phase: 'execution' },
      };
    case 'cancelled':
      return killed(diagnostic('internal_error'));
    case 'host_lost':
      return killed(end.cause === 'protocol_violation' ? diagnostic('internal_error') : diagnostic('workflow_failed'));
  }
}

function returned(error: Diagnostic): WorkflowFailure {
  return { error, hasReturned: true, lastEvaluationError: null, failureKind: {}, limit: null };
}

function killed(error: Diagnostic): WorkflowFailure {
  return { ...returned(error), hasReturned: false };
}

function explicitFailure(json: string | null, context: FailureContext): Diagnostic {
  return diagnostic('explicit_failure', { message: explicitFailureMessage(fateOf(json, context)), source: RUNTIME });
}

function fateOf(json: string | null, context: FailureContext): FailureValue {
  if (context.inspection === null) return 'not_requested';
  if (json === null) return 'not_representable';
  return Buffer.byteLength(json) > context.terminalResultBytes ? 'too_large' : context.inspection;
}

function kindOfFailure(json: string | null, context: FailureContext): FailureKind {
  if (json === null || json.length > context.terminalResultBytes) return {};
  const decoded = decodeGuestJson(json);
  return decoded !== null && isJsonObject(decoded.value) ? failureKindOf(decoded.value.get('kind')) : {};
}

function evaluationFailure(fault: EvaluationFault, { loopIterations }: FailureContext): WorkflowFailure {
  const limit: LimitFacts | null =
    fault.reason === 'loop_limit_exceeded' && loopIterations !== null
      ? { reason: fault.reason, environment: 'workflow', limit: 'workflow_loop_iterations', limit_value: loopIterations }
      : null;
  const error = diagnostic('evaluation_failed', { message: evaluationFailedMessage(fault.reason), source: RUNTIME });
  return { ...returned(error), lastEvaluationError: publicError(fault), limit };
}

/** Only the kinds of interface-1 and only what the guest built from admitted facts (language.md §17). */
function publicError(fault: EvaluationFault): EvaluationError | null {
  const known = fault.public_error;
  if (known === null || !isErrorKind(known.kind)) return null;
  const { kind, message } = known;
  return message.length >= 1 && message.length <= EVALUATION_ERROR_LENGTH_MAX && message.isWellFormed() ? { kind, message } : null;
}

function isErrorKind(kind: string): kind is EvaluationErrorKind {
  return EVALUATION_ERROR_KINDS.some((known) => known === kind);
}

function timeoutFailure(end: Extract<WorkflowEnd, { kind: 'timeout' }>): WorkflowFailure {
  const { bound, limitMs } = end.deadline;
  const limit: LimitFacts = { reason: 'timeout', environment: 'workflow', limit: bound, limit_ms: limitMs, phase: end.during };
  const error = bound === 'run_duration_ms' ? diagnostic('run_timeout', { source: RUNTIME }) : timeLimitDiagnostic(bound, limitMs, end.during);
  return { ...killed(error), limit };
}

function timeLimitDiagnostic(limit: 'parallel_timeout_ms' | 'workflow_timeout_ms', milliseconds: number, during: 'compilation' | 'execution'): Diagnostic {
  return diagnostic('runtime_limit_exceeded', { source: RUNTIME, message: timeLimitMessage({ limit, milliseconds, during }) });
}
