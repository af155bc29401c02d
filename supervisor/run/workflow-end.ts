import type { EvaluateReply, EvaluationFault } from '../../contract/sandbox-protocol.ts';
import type { Evaluated } from '../calls/evaluation/evaluated.ts';
import type { RunDeadline, WorkflowDeadline } from './deadlines.ts';

/** How the evaluation of a run's entry ended (runtime.md §3, §9). */
export type WorkflowEnd =
  /** A plain value or `(return v)`; `json` is JSON text of the guest's making. */
  | { readonly kind: 'value'; readonly json: string }
  /** `fault`: where in it, and why; null where nobody knows. */
  | { readonly kind: 'value_unrepresentable'; readonly fault: EvaluationFault | null }
  /** `(fail v)`; null when the value has no JSON form, for which `fault` then says why. */
  | { readonly kind: 'failed'; readonly json: string | null; readonly fault?: EvaluationFault }
  | { readonly kind: 'evaluation_error'; readonly fault: EvaluationFault }
  | { readonly kind: 'timeout'; readonly deadline: WorkflowDeadline; readonly during: 'compilation' | 'execution' }
  /**
   * `fault`: what the guest said of it; null where the isolate was ended from outside, so that none of it could be
   * sealed.
   */
  | { readonly kind: 'memory_exceeded'; readonly fault: EvaluationFault | null }
  /** `pmap` or `pcalls` took longer than they may; the isolate lived on and answered. */
  | { readonly kind: 'parallel_timeout'; readonly limitMs: number }
  /** `signal`: by which its process ended; null where nobody knows. */
  | { readonly kind: 'host_lost'; readonly signal: NodeJS.Signals | null }
  | { readonly kind: 'cancelled' | 'host_dishonest' };

export interface WorkflowBounds {
  /** The one that it had. */
  readonly deadline: WorkflowDeadline;
  readonly runDeadline: RunDeadline;
  /** When it ended, on the run's clock. */
  readonly endedAt: number;
  /** `parallel_timeout_ms`. */
  readonly parallelTimeoutMs: number;
}

/** What the evaluation of an entry came to, read with the bounds that it had. */
export function workflowEnd(evaluated: Evaluated, bounds: WorkflowBounds): WorkflowEnd {
  const { runDeadline, endedAt } = bounds;
  const end = endOf(evaluated, bounds);
  // A call at the very end of the run is answered with its end, before the isolate is stopped for it.
  const isOutOfTime = end.kind === 'memory_exceeded' && end.fault !== null && endedAt >= runDeadline.at;
  if (!isOutOfTime) return end;
  const { at, limitMs } = runDeadline;
  return { kind: 'timeout', deadline: { at, limitMs, bound: 'run_duration_ms' }, during: 'execution' };
}

function endOf(evaluated: Evaluated, { deadline, parallelTimeoutMs }: WorkflowBounds): WorkflowEnd {
  switch (evaluated.kind) {
    case 'replied':
      return replyEnd(evaluated.reply, parallelTimeoutMs);
    case 'not_attached': {
      const { reason, message, span, details } = evaluated.fault;
      return faultEnd({ reason, message, span, details, exception_class: null, public_error: null });
    }
    case 'lost':
      return lossEnd(evaluated, deadline);
  }
}

function replyEnd(reply: EvaluateReply, parallelTimeoutMs: number): WorkflowEnd {
  switch (reply.outcome) {
    case 'evaluation_error':
      return isParallelTimeout(reply.fault)
        ? { kind: 'parallel_timeout', limitMs: parallelTimeoutMs }
        : faultEnd(reply.fault);
    case 'failed':
      return reply.projection_fault === null
        ? { kind: 'failed', json: reply.value }
        : { kind: 'failed', json: null, fault: reply.projection_fault };
    case 'continued':
    case 'returned':
      return reply.value === null || reply.projection_fault !== null
        ? { kind: 'value_unrepresentable', fault: reply.projection_fault }
        : { kind: 'value', json: reply.value };
  }
}

/** The pool names the bound in the details of the one fault that it makes of it (sandbox/pool/branches.ts). */
function isParallelTimeout({ reason, details }: EvaluationFault): boolean {
  return reason === 'runtime_limit_exceeded' && details['limit'] === 'parallel_timeout_ms';
}

/** Reasons of the guest that are the workflow's memory limit: endless recursion among them (runtime.md §9). */
const MEMORY_REASONS: ReadonlySet<string> = new Set(['memory_exceeded', 'runtime_limit_exceeded']);

function faultEnd(fault: EvaluationFault): WorkflowEnd {
  return MEMORY_REASONS.has(fault.reason) ? { kind: 'memory_exceeded', fault } : { kind: 'evaluation_error', fault };
}

function lossEnd(
  { loss, signal, during }: Extract<Evaluated, { kind: 'lost' }>,
  deadline: WorkflowDeadline,
): WorkflowEnd {
  switch (loss) {
    case 'timeout':
      return { kind: loss, deadline, during };
    case 'memory_exceeded':
      return { kind: loss, fault: null };
    case 'host_lost':
      return { kind: loss, signal };
    case 'cancelled':
    case 'host_dishonest':
      return { kind: loss };
  }
}
