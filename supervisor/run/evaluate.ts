import type { EvaluateReply, EvaluateRequest, GuestOutcome } from '../../contract/sandbox-protocol.ts';
import type { Isolate, RequestOptions } from '../../sandbox/pool/interface.ts';
import type { CallScope } from '../calls/broker/call-scope.ts';
import type { Denial } from '../calls/broker/run-ending.ts';
import type { Evaluated } from '../calls/evaluation/evaluated.ts';
import { lossOf, lostSignal } from '../calls/evaluation/losses.ts';
import { parallelOptions } from '../calls/evaluation/parallel-options.ts';
import type { Run } from './run.ts';
import type { WorkflowIsolates } from './workflow-isolates.ts';

/** One program in the environment of the workflow, or in that of a mission. */
export interface WorkflowProgram {
  /** Name of the evaluation in trace and inspection. */
  readonly evaluationId: string;
  /** Absent: the workflow. */
  readonly mission?: string;
  /** `(<entry> data/input)`, or what a person typed. */
  readonly source: string;
  /** JSON texts by name, as `data/<name>`. */
  readonly data: Readonly<Record<string, string>>;
  /** Names callable as `tool/<name>`; absent: all that the run grants its environment. */
  readonly tools?: readonly string[];
  /** When it ends at the latest, milliseconds of the run's clock. */
  readonly deadlineAt: number;
  /** Aborted to give it up; absent: only with the run. */
  readonly signal?: AbortSignal;
  /** How its value leaves, and what it goes on from. */
  readonly projection: Pick<
    EvaluateRequest,
    | 'projection'
    | 'preview_characters'
    | 'observation_characters'
    | 'show_code'
    | 'continuation'
    | 'commit'
    | 'keeps_isolate'
    | 'last_error'
    | 'required'
  >;
}

/**
 * Evaluates one program of an open run, as often as its holder likes, one after the other: with what the run grants its
 * environment, in an isolate of `isolates`. No call of the program is alive when this returns.
 */
export async function evaluate(run: Run, program: WorkflowProgram, isolates: WorkflowIsolates): Promise<Evaluated> {
  const { broker } = run.environments;
  const { evaluationId, deadlineAt, mission } = program;
  const scope = broker.open({
    evaluationId,
    program: program.source,
    deadlineAt,
    ...(mission === undefined ? { environment: 'workflow', mission: null } : { environment: 'mission', mission }),
  });
  const evaluated = await evaluateIn(run, program, scope, isolates);
  const denied = denialOf(evaluated);
  if (denied !== null) broker.denied(denied);
  await scope.end();
  return evaluated;
}

async function evaluateIn(
  run: Run,
  program: WorkflowProgram,
  scope: CallScope,
  isolates: WorkflowIsolates,
): Promise<Evaluated> {
  const { isolate, bundle } = await isolates.take();
  let evaluated: Evaluated | null = null;
  try {
    evaluated = await ask(run, program, scope, isolate, bundle);
    return evaluated;
  } finally {
    await isolates.giveBack(isolate, evaluated);
  }
}

async function ask(
  { application, clock, signal, observer }: Run,
  program: WorkflowProgram,
  scope: CallScope,
  isolate: Isolate,
  bundle: string | null,
): Promise<Evaluated> {
  const { limits } = application;
  const heapWords = program.mission === undefined ? limits.workflow_heap_words : limits.evaluation_heap_words;
  const timeoutMs = program.deadlineAt - clock.monotonic();
  if (timeoutMs <= 0) return { kind: 'lost', loss: 'timeout', signal: null, during: 'compilation' };
  const request: EvaluateRequest = {
    operation: 'evaluate',
    environment: program.mission === undefined ? 'workflow' : 'mission',
    source: program.source,
    data: program.data,
    tools: program.tools ?? scope.tools,
    loop_iterations:
      program.mission === undefined ? limits.workflow_loop_iterations : limits.evaluation_loop_iterations,
    ...program.projection,
  };
  const watching = observer?.heap === undefined ? null : observer;
  const options: RequestOptions = {
    timeoutMs,
    time: clock,
    signal: program.signal === undefined ? signal : AbortSignal.any([signal, program.signal]),
    ...(watching !== null && {
      onHeap: (heap) => {
        // The host may say anything.
        watching.heap?.({ ...heap, ceilingWords: Math.min(Number.MAX_SAFE_INTEGER, heap.baselineWords + heapWords) });
      },
    }),
    onCapabilityCall: (call) => scope.call(call),
    parallel: parallelOptions(scope.branches, limits.parallel_timeout_ms),
  };
  if (bundle === null) return answered(await isolate.request(request, options));
  const loaded = await isolate.loadAndRequest(bundle, request, options);
  if (loaded.attached) return answered(loaded.outcome);
  const { outcome } = loaded;
  return outcome.status === 'replied'
    ? { kind: 'not_attached', fault: outcome.reply.fault }
    : { kind: 'lost', loss: lossOf(outcome), signal: lostSignal(outcome), during: 'compilation' };
}

function answered(outcome: GuestOutcome<EvaluateReply>): Evaluated {
  return outcome.status === 'replied'
    ? { kind: 'replied', reply: outcome.reply }
    : { kind: 'lost', loss: lossOf(outcome), signal: lostSignal(outcome), during: 'execution' };
}

/** Why a program was stopped before it ran, if it was for a name that it may not call. */
function denialOf(evaluated: Evaluated): Denial | null {
  const reason = faultOf(evaluated)?.reason;
  return reason === 'unknown_tool' || reason === 'private_tool_unauthorized' ? reason : null;
}

function faultOf(evaluated: Evaluated): { readonly reason: string } | null {
  if (evaluated.kind === 'not_attached') return evaluated.fault;
  return evaluated.kind === 'replied' && evaluated.reply.outcome === 'evaluation_error' ? evaluated.reply.fault : null;
}
