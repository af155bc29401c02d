import type { JsonValue } from '../../../../contract/json/value.ts';
import type { EvaluateReply, EvaluateRequest, EvaluationFault } from '../../../../contract/sandbox-protocol.ts';
import type { Isolate } from '../../../../sandbox/pool/interface.ts';
import type { RunClock } from '../../../platform/run-clock/run-clock.ts';
import { waitUntilAborted } from '../../../../system/until-aborted.ts';
import type { CallScope } from '../../broker/call-scope.ts';
import { hostLostProblem } from '../../../../contract/diagnostics/messages/remedies.ts';
import { beginAgainOnce } from '../../evaluation/begin-again.ts';
import { decodeGuestJson, type GuestValue } from '../../evaluation/guest-json.ts';
import { lossOf, lostSignal, type EvaluationLoss } from '../../evaluation/losses.ts';
import { suspectWords } from '../../evaluation/suspect-words.ts';
import { parallelOptions } from '../../evaluation/parallel-options.ts';
import type {
  CommitRefusal,
  Continuation,
  ContinuationLimits,
  SizeRefusal,
  StoredContinuation,
} from '../continuations/store.ts';
import type { AcquiredLease } from '../lease/evaluation-lease.ts';
import { continuationOf, continuing } from './continued.ts';
import { boundedDetails, errorFacts } from './faults.ts';
import type { MissionIsolates } from './isolates.ts';
import type { ProgramSource } from './program.ts';
import type { EvaluationOutcome } from './record.ts';
import type { MissionPlace } from './workspaces.ts';

/** One program for one mission. */
export interface MissionProgram {
  readonly place: MissionPlace;
  readonly source: ProgramSource;
  /** JSON texts by name, `params` among them where there are any. */
  readonly data: Readonly<Record<string, string>>;
  /** Characters of an observation; null: none is wanted. */
  readonly observationCharacters: number | null;
}

export interface MissionEvaluationBounds {
  /** When it ends at the latest, on the run's clock, and the limit that says so. */
  readonly deadlineAt: number;
  /** `evaluation_timeout_ms`. */
  readonly timeoutMs: number;
  /** `evaluation_loop_iterations`. */
  readonly loopIterations: number | null;
  /** `capability_result_bytes`: what the record may carry of a value. */
  readonly valueBytes: number;
  /** `parallel_timeout_ms`. */
  readonly parallelTimeoutMs: number;
  /** `evaluation_memory_bytes`, `evaluation_history_bytes`. */
  readonly memoryBytes: number;
  readonly historyBytes: number;
}

export interface MissionEvaluationTools {
  readonly isolates: MissionIsolates;
  readonly scope: CallScope;
  readonly lease: AcquiredLease;
  /** Aborted when who asked is gone or the run is closed. */
  readonly signal: AbortSignal;
  readonly time: RunClock;
  readonly stored: StoredContinuation;
  /** What the limits leave to this mission. */
  readonly left: ContinuationLimits;
  /** Tries to commit; null when it is done. */
  readonly commit: (continuation: Continuation | SizeRefusal, now: number) => CommitRefusal | null;
  /** What the program names of the bundle, as soon as it is known. */
  readonly onReply: (reply: EvaluateReply) => Promise<void>;
}

/** A timer may go off so much before its time. */
const TIMER_EARLY_MS = 2;
const PROJECTION_FAILED = 'projection_error';
const NOTHING_PRINTED: readonly string[] = [];

/**
 * Evaluates a program under the lease, from its isolate to its commit (runtime.md §4). When this returns, no call of
 * it is alive; whatever a host does becomes one of the typed outcomes.
 */
export async function evaluateInIsolate(
  tools: MissionEvaluationTools,
  program: MissionProgram,
  bounds: MissionEvaluationBounds,
): Promise<EvaluationOutcome> {
  const { isolates, stored, scope, signal, time } = tools;
  const mayBeginAgain = (): boolean => !signal.aborted && time.monotonic() < bounds.deadlineAt;
  const attempt = await beginAgainOnce(scope, (call) => attemptOnce(tools, program, bounds, call), mayBeginAgain);
  await scope.end();
  if (attempt.loss !== null) return lost(attempt, program, bounds);
  const { isolate, reply } = attempt;
  const ended = await endOf(tools, reply, program, bounds);
  if (ended.committed) await isolates.keep(program.place, stored.revision + 1, isolate);
  else await isolates.letGo(isolate);
  return ended.outcome;
}

interface Lost {
  readonly loss: EvaluationLoss;
  readonly signal: NodeJS.Signals | null;
}

type Attempt = Lost | { readonly loss: null; readonly isolate: Isolate; readonly reply: EvaluateReply };

async function attemptOnce(
  tools: MissionEvaluationTools,
  program: MissionProgram,
  bounds: MissionEvaluationBounds,
  call: CallScope['call'],
): Promise<Attempt> {
  const { isolates, stored, signal, scope, lease, time } = tools;
  const missionIsolateResult = await isolates.take(program.place, stored.revision, {
    timeoutMs: remaining(tools, bounds),
    time,
    signal,
  });
  if (!missionIsolateResult.ok) return { loss: missionIsolateResult.loss, signal: null };
  const { isolate, revision } = missionIsolateResult.acquired;
  const outcome = await isolate.request(requestOf(tools, program, bounds, revision === stored.revision), {
    timeoutMs: remaining(tools, bounds),
    time,
    signal,
    onCapabilityCall: async (request) => {
      const answer = await lease.duringCall(() => call(request));
      // Of a call that ended with the program's own time nothing is reported in its last instant, which depends on
      // timers.
      const isOver = bounds.deadlineAt - time.monotonic() < TIMER_EARLY_MS;
      if (isOver && request.ended !== undefined)
        await waitUntilAborted(new Promise(() => undefined), request.ended, null);
      return answer;
    },
    parallel: parallelOptions(scope.branches, bounds.parallelTimeoutMs),
  });
  if (outcome.status === 'replied') return { loss: null, isolate, reply: outcome.reply };
  await isolates.letGo(isolate);
  return { loss: lossOf(outcome), signal: lostSignal(outcome) };
}

function remaining({ time }: MissionEvaluationTools, { deadlineAt }: MissionEvaluationBounds): number {
  return Math.max(1, deadlineAt - time.monotonic());
}

function requestOf(
  tools: MissionEvaluationTools,
  program: MissionProgram,
  bounds: MissionEvaluationBounds,
  isLiving: boolean,
): EvaluateRequest {
  const request: EvaluateRequest = {
    operation: 'evaluate',
    environment: 'mission',
    source: program.source.text,
    data: program.data,
    tools: tools.scope.tools,
    loop_iterations: bounds.loopIterations,
    projection: 'json',
    ...(program.observationCharacters === null ? {} : { observation_characters: program.observationCharacters }),
  };
  return continuing(request, tools.stored, isLiving, tools.left);
}

/** A call of a tool with something else than a map: its arguments have names, which only this side knows. */
function withArgumentNames(fault: EvaluationFault, scope: Pick<CallScope, 'argumentNames'>): EvaluationFault {
  const tool =
    fault.reason === 'invalid_tool_args' ? /^tool\/(\S+) takes one map,/.exec(fault.message)?.[1] : undefined;
  const names = tool === undefined ? [] : scope.argumentNames(tool);
  if (names.length === 0) return fault;
  return { ...fault, message: `${fault.message}; its keys: ${names.map((name) => JSON.stringify(name)).join(', ')}` };
}

interface Ended {
  readonly outcome: EvaluationOutcome;
  readonly committed: boolean;
}

async function endOf(
  tools: MissionEvaluationTools,
  reply: EvaluateReply,
  program: MissionProgram,
  bounds: MissionEvaluationBounds,
): Promise<Ended> {
  await tools.onReply(reply);
  if (reply.outcome === 'evaluation_error')
    return preserved({
      outcome: 'evaluation_error',
      error: errorFacts(withArgumentNames(reply.fault, tools.scope), program.source.text),
      prints: reply.prints,
    });
  const { prints } = reply;
  if (reply.projection_fault !== null)
    return preserved({
      outcome: 'evaluation_error',
      error: errorFacts(reply.projection_fault, program.source.text),
      prints,
    });
  const reading = valueOf(reply.value, bounds.valueBytes);
  const value = reading instanceof Promise ? await reading : reading;
  if (value === 'too_large')
    return preserved({
      outcome: 'result_exceeded',
      limit: 'capability_result_bytes',
      value: bounds.valueBytes,
      prints,
    });
  if (value === 'unreadable') return preserved(projectionFailed(prints));
  if (reply.outcome === 'failed') {
    return preserved(
      value === null
        ? projectionFailed(prints)
        : { outcome: 'failed', value: value.json, prints, isLastReply: reply.is_last_reply === true },
    );
  }
  const refused = commit(tools, reply, bounds);
  if (refused !== null) return preserved(refused);
  const observation =
    program.observationCharacters === null || reply.observation === undefined
      ? null
      : { ...reply.observation, text: reply.observation.text.slice(0, program.observationCharacters) };
  return { outcome: { outcome: reply.outcome, value, prints, observation }, committed: true };
}

function preserved(outcome: EvaluationOutcome): Ended {
  return { outcome, committed: false };
}

type ReadValue = { readonly json: JsonValue } | 'too_large' | 'unreadable' | null;

/** The guest wrote it; that it is JSON of a bounded depth is not taken on trust. */
function valueOf(text: string | null, limitBytes: number): ReadValue | Promise<ReadValue> {
  if (text === null) return null;
  if (Buffer.byteLength(text) > limitBytes) return 'too_large';
  const read = (decoded: GuestValue): ReadValue => (decoded === null ? 'unreadable' : { json: decoded.value });
  const decoding = decodeGuestJson(text, VALUE_DEPTH);
  return decoding instanceof Promise ? decoding.then(read) : read(decoding);
}

/** Levels of a value: what the record of a `kernel-eval` may nest within a private record (evidence.md §6: 53). */
const VALUE_DEPTH = 45;

function projectionFailed(prints: readonly string[]): EvaluationOutcome {
  const details = boundedDetails(`the value is nested deeper than ${VALUE_DEPTH} levels, or has no JSON form`);
  return {
    outcome: 'evaluation_error',
    error: { kind: PROJECTION_FAILED, reason: PROJECTION_FAILED, details },
    prints,
  };
}

/** Null when it is committed. */
function commit(
  tools: MissionEvaluationTools,
  reply: EvaluateReply,
  bounds: MissionEvaluationBounds,
): EvaluationOutcome | null {
  const continuation = continuationOf(reply, tools.stored);
  if (continuation === null) return { outcome: 'evaluation_error', error: hostFailure(), prints: NOTHING_PRINTED };
  const refusal = tools.commit(continuation, tools.time.monotonic());
  const { prints } = reply;
  switch (refusal) {
    case null:
      return null;
    case 'memory_exceeded':
      return { outcome: 'memory_exceeded', limit: 'evaluation_memory_bytes', value: bounds.memoryBytes, prints };
    case 'history_exceeded':
      return { outcome: 'history_exceeded', limit: 'evaluation_history_bytes', value: bounds.historyBytes, prints };
    case 'event_sink_error':
      return {
        outcome: 'evaluation_error',
        error: { kind: refusal, reason: refusal, details: boundedDetails('the event sink of the run is lost') },
        prints,
      };
    case 'run_closed':
    case 'deadline_expired':
      return { outcome: 'limit_exceeded', reason: refusal, proof: null };
    case 'continuation_changed':
      throw new Error('a continuation changes only under the lease');
  }
}

/** What became of an evaluation that gave no answer (runtime.md §9, §14). A dead host is taken for a full memory. */
function lost(
  { loss, signal }: Lost,
  { source: { text } }: MissionProgram,
  { timeoutMs }: MissionEvaluationBounds,
): EvaluationOutcome {
  switch (loss) {
    case 'timeout':
      return errorOutcome(
        'timeout',
        `the program took longer than evaluation_timeout_ms, ${String(timeoutMs)} ms${suspectWords(text)}`,
        { limit: 'evaluation_timeout_ms', limit_ms: timeoutMs },
      );
    case 'memory_exceeded':
      return memoryExceeded(text);
    case 'host_lost':
      return errorOutcome('memory_exceeded', hostLostProblem(signal), { phase: 'eval' });
    case 'cancelled':
      return { outcome: 'limit_exceeded', reason: 'run_closed', proof: null };
    case 'host_dishonest':
      return { outcome: 'evaluation_error', error: hostFailure(), prints: NOTHING_PRINTED };
  }
}

function memoryExceeded(source: string): EvaluationOutcome {
  return errorOutcome(
    'memory_exceeded',
    `the program needed more memory than evaluation_heap_words allows${suspectWords(source)}`,
    { limit: 'evaluation_heap_words', phase: 'eval' },
  );
}

function errorOutcome(kind: string, message: string, more: Readonly<Record<string, unknown>>): EvaluationOutcome {
  return {
    outcome: 'evaluation_error',
    error: { kind, reason: kind, details: boundedDetails(message, more) },
    prints: NOTHING_PRINTED,
  };
}

/** A host that said what no honest one says. */
function hostFailure(): {
  readonly kind: string;
  readonly reason: string;
  readonly details: ReturnType<typeof boundedDetails>;
} {
  return {
    kind: 'host_failure',
    reason: 'host_failure',
    details: boundedDetails('the sandbox of the mission gave no valid answer'),
  };
}
