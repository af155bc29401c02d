import type { EvaluateReply, EvaluationFault, GuestOutcome, LoadReply } from '../../contract/sandbox-protocol.ts';
import type { Isolate, Sandbox } from '../../sandbox/pool/interface.ts';
import type { CallScope } from '../broker/interface.ts';
import type { Clock } from '../evidence/clock.ts';
import type { WorkflowDeadline } from './deadlines.ts';
import { parallelOptions } from './parallel.ts';

/** How the one evaluation of the workflow ended (runtime.md §3, §9). */
export type WorkflowEnd =
  /** A plain value or `(return v)`; `json` is JSON text of the guest's making. */
  | { readonly kind: 'value'; readonly json: string }
  | { readonly kind: 'value_unrepresentable' }
  /** `(fail v)`; null when the value has no JSON form. */
  | { readonly kind: 'failed'; readonly json: string | null }
  | { readonly kind: 'evaluation_error'; readonly fault: EvaluationFault }
  | { readonly kind: 'timeout'; readonly deadline: WorkflowDeadline; readonly during: 'compilation' | 'execution' }
  /** `killed`: the isolate was ended from outside, so nothing of it could be sealed. */
  | { readonly kind: 'memory_exceeded'; readonly killed: boolean }
  /** `pmap` or `pcalls` took longer than they may; the isolate lived on and answered. */
  | { readonly kind: 'parallel_timeout'; readonly limitMs: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'host_lost'; readonly cause: 'exited' | 'killed' | 'protocol_violation' };

export interface WorkflowEvaluation {
  readonly end: WorkflowEnd;
  /** What the program printed; empty when it never answered. */
  readonly prints: readonly string[];
}

export interface WorkflowTools {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What the workflow may call. */
  readonly scope: Pick<CallScope, 'tools' | 'call' | 'branches'>;
}

export interface WorkflowCall {
  readonly trustDomain: string;
  readonly code: string;
  /** `(<entry> data/input)`. */
  readonly entryForm: string;
  /** JSON text of `data/input`. */
  readonly input: string;
  readonly deadline: WorkflowDeadline;
  /** `workflow_heap_words`, `workflow_loop_iterations`. */
  readonly heapWords: number;
  readonly loopIterations: number | null;
  /** `parallel_timeout_ms`. */
  readonly parallelTimeoutMs: number;
}

/** Loads the bundle into a fresh isolate and evaluates the entry form there (runtime.md §4). */
export async function evaluateWorkflow(tools: WorkflowTools, call: WorkflowCall): Promise<WorkflowEvaluation> {
  const isolate = await tools.sandbox.openIsolate({
    environment: 'workflow',
    trustDomain: call.trustDomain,
    heapWords: call.heapWords,
  });
  try {
    return await evaluate(tools, call, isolate);
  } finally {
    await isolate.dispose();
  }
}

async function evaluate(tools: WorkflowTools, call: WorkflowCall, isolate: Isolate): Promise<WorkflowEvaluation> {
  const { deadline } = call;
  const timeoutMs = deadline.at - tools.clock.monotonic();
  if (timeoutMs <= 0) return { end: { kind: 'timeout', deadline, during: 'compilation' }, prints: [] };
  const answered = await isolate.loadAndRequest(
    call.code,
    {
      operation: 'evaluate',
      environment: 'workflow',
      source: call.entryForm,
      data: { input: call.input },
      tools: tools.scope.tools,
      loop_iterations: call.loopIterations,
      projection: 'json',
    },
    {
      timeoutMs,
      signal: tools.signal,
      onCapabilityCall: (request) => tools.scope.call(request),
      parallel: parallelOptions(tools.scope.branches, call.parallelTimeoutMs),
    },
  );
  if (!answered.attached) {
    const { outcome } = answered;
    return { end: outcome.status === 'replied' ? loadEnd(outcome.reply) : endOf(outcome, deadline, 'compilation'), prints: [] };
  }
  const { outcome } = answered;
  return outcome.status === 'replied'
    ? { end: replyEnd(outcome.reply, call), prints: outcome.reply.prints }
    : { end: endOf(outcome, deadline, 'execution'), prints: [] };
}

function loadEnd({ fault: { reason, message, span, details } }: Extract<LoadReply, { status: 'refused' }>): WorkflowEnd {
  return faultEnd({ reason, message, span, details, exception_class: null, public_error: null });
}

function replyEnd(reply: EvaluateReply, { parallelTimeoutMs }: WorkflowCall): WorkflowEnd {
  switch (reply.outcome) {
    case 'evaluation_error':
      return isParallelTimeout(reply.fault) ? { kind: 'parallel_timeout', limitMs: parallelTimeoutMs } : faultEnd(reply.fault);
    case 'failed':
      return { kind: 'failed', json: reply.projection_fault === null ? reply.value : null };
    case 'continued':
    case 'returned':
      return reply.value === null || reply.projection_fault !== null
        ? { kind: 'value_unrepresentable' }
        : { kind: 'value', json: reply.value };
  }
}

/** The pool names the bound in the details of the one fault that it makes of it (sandbox/pool/branches.ts). */
function isParallelTimeout({ reason, details }: EvaluationFault): boolean {
  return reason === 'runtime_limit_exceeded' && details['limit'] === 'parallel_timeout_ms';
}

/** Reasons of the guest that are the workflow's memory limit: endless recursion among them (decision 28). */
const MEMORY_REASONS: ReadonlySet<string> = new Set(['memory_exceeded', 'runtime_limit_exceeded']);

function faultEnd(fault: EvaluationFault): WorkflowEnd {
  return MEMORY_REASONS.has(fault.reason) ? { kind: 'memory_exceeded', killed: false } : { kind: 'evaluation_error', fault };
}

function endOf(
  outcome: Exclude<GuestOutcome<unknown>, { status: 'replied' }>,
  deadline: WorkflowDeadline,
  during: 'compilation' | 'execution',
): WorkflowEnd {
  switch (outcome.status) {
    case 'timeout':
      return { kind: 'timeout', deadline, during };
    case 'memory_exceeded':
      return { kind: 'memory_exceeded', killed: true };
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'host_lost':
      return { kind: 'host_lost', cause: outcome.cause };
  }
}
