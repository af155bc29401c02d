import type { EvaluationError } from '../../../contract/envelope/execution.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { EvaluateReply } from '../../../contract/sandbox-protocol.ts';
import type { CallingEvaluation, MissionMemory, ScopeRecord } from '../../broker/interface.ts';
import type { InspectionRecord } from '../../evidence/inspection/writer.ts';
import { commitContinuation, openContinuations, sharesLeft, storedContinuation } from '../continuations/store.ts';
import type { StoredContinuation } from '../continuations/store.ts';
import { openEvaluationLease } from '../lease/evaluation-lease.ts';
import type { HeldLease, LeaseRefusal, LeaseTools } from '../lease/evaluation-lease.ts';
import { missionNamed } from '../options.ts';
import type { KernelMission, KernelOptions } from '../options.ts';
import { limitProofs } from '../proofs.ts';
import type { LimitProofs } from '../proofs.ts';
import { evaluateInMission } from './evaluate.ts';
import type { EvaluationBounds } from './evaluate.ts';
import { evaluationAnalysis, evaluationSource, evaluationStarted, evaluationStopped, missionLimitExceeded } from './evidence.ts';
import type { EvaluationName } from './evidence.ts';
import { boundedDetails, isFoundBeforeRunning, shownError } from './faults.ts';
import { openMissionIsolates } from './isolates.ts';
import type { MissionIsolates } from './isolates.ts';
import type { ProgramSource } from './program.ts';
import { producedRecords } from './produced.ts';
import type { ProducedRecords } from './produced.ts';
import { evaluationRecord } from './record.ts';
import type { EvaluationOutcome } from './record.ts';

/** Why what was begun is over. Without a reason node makes an error with its stack. */
const CLOSED = 'closed';

export interface EvaluationRequest {
  readonly mission: string;
  readonly source: ProgramSource;
  /** JSON text of `data/params`; null without. */
  readonly params: string | null;
  /** Characters of an observation; null without. */
  readonly observationCharacters: number | null;
  readonly caller: CallingEvaluation;
  readonly signal: AbortSignal;
}

/** The evaluations of a run's missions: one at a time, each with its events, records and commit. */
export interface Evaluations {
  /** The evaluation record (runtime.md §6). Never rejects for what programs, hosts or limits do. */
  evaluate(request: EvaluationRequest): Promise<JsonObject>;
  /** Whether a program of this mission is being evaluated. */
  isEvaluating(mission: string): boolean;
  /** Whether any program is. */
  isBusy(): boolean;
  stored(mission: string): StoredContinuation;
  readonly isolates: MissionIsolates;
  readonly proofs: LimitProofs;
  isClosed(): boolean;
  /** Does work that the end of the run ends, and waits for. */
  during<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** The last evaluation that failed with a kind that a run may show. */
  lastError(): { readonly evaluationId: string; readonly error: EvaluationError } | null;
  evaluationsByMission(): Readonly<Record<string, number>>;
  readonly producerOf: ProducedRecords['producerOf'];
  memories(): readonly MissionMemory[];
  close(): Promise<void>;
}

export function openEvaluations(options: KernelOptions, after: LeaseTools['after']): Evaluations {
  const { clock, limits, missions, evidence, broker, runDeadlineAt } = options;
  const lease = openEvaluationLease(
    { evaluations: limits.subordinate_evaluations, runDeadlineAt, admissionTimeoutMs: limits.evaluation_admission_timeout_ms },
    { clock, after },
  );
  const isolates = openMissionIsolates({
    sandbox: options.sandbox,
    trustDomain: options.missionTrustDomain,
    heapWords: limits.evaluation_heap_words,
    codes: new Map([...missions].map(([name, { code }]) => [name, code])),
  });
  const proofs = limitProofs(options.random);
  const produced = producedRecords();
  const counts = new Map<string, number>();
  const running = new Set<Promise<unknown>>();
  const closing = new AbortController();
  let continuations = openContinuations({ memoryBytes: limits.evaluation_memory_bytes, historyBytes: limits.evaluation_history_bytes });
  let evaluating: string | null = null;
  let issued = 0;
  let sinkUsable = true;
  let lastError: ReturnType<Evaluations['lastError']> = null;

  function tell(event: Parameters<typeof evidence.event>[0]): boolean {
    if (evidence.event(event) === 'refused') sinkUsable = false;
    return sinkUsable;
  }

  async function keep(record: () => InspectionRecord): Promise<boolean> {
    return !evidence.keepsRecords || evidence.record(record());
  }

  async function during<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const doing = work(AbortSignal.any([signal, closing.signal]));
    running.add(doing);
    try {
      return await doing;
    } finally {
      running.delete(doing);
    }
  }

  async function evaluate(request: EvaluationRequest): Promise<JsonObject> {
    issued += 1;
    const name: EvaluationName = { evaluationId: `mission-evaluation-${issued}`, mission: request.mission, parent: request.caller.evaluationId };
    const askedAt = clock.monotonic();
    const unadmitted = (outcome: EvaluationOutcome): JsonObject =>
      evaluationRecord({ evaluationId: name.evaluationId, durationMs: elapsed(askedAt), admittedBytes: null, scope: null }, outcome);
    const { subordinate_source_bytes: sourceBytes } = limits;
    if (request.source.bytes > sourceBytes) {
      return unadmitted({ outcome: 'result_exceeded', limit: 'subordinate_source_bytes', value: sourceBytes, prints: [] });
    }
    const admission = await lease.request('waiting', request.signal);
    if (!admission.granted) return unadmitted(refused(request, admission.refusal));
    counts.set(request.mission, (counts.get(request.mission) ?? 0) + 1);
    evaluating = request.mission;
    try {
      return await admitted(request, name, admission.lease);
    } finally {
      evaluating = null;
      admission.lease.release();
    }
  }

  function refused({ mission, caller }: EvaluationRequest, refusal: LeaseRefusal): EvaluationOutcome {
    if (refusal.outcome === 'owner_died') return { outcome: 'limit_exceeded', reason: 'run_closed', proof: null };
    if (refusal.reason !== 'subordinate_evaluations') return { ...refusal, proof: null };
    tell(missionLimitExceeded(mission, { reason: refusal.reason, limit: refusal.reason, value: limits.subordinate_evaluations, unit: 'count' }));
    return { ...refusal, proof: proofs.issue(caller.evaluationId) };
  }

  async function admitted(request: EvaluationRequest, name: EvaluationName, held: HeldLease): Promise<JsonObject> {
    const startedAt = clock.monotonic();
    const isOnRecord = tell(evaluationStarted(name, request.source)) && (await keep(() => evaluationSource(name, request.source)));
    const { outcome, scope } = isOnRecord ? await run(request, name, held, startedAt) : { outcome: evidenceLost(sinkUsable), scope: null };
    const durationMs = elapsed(startedAt);
    noteLimit(request.mission, outcome);
    tell(evaluationStopped(name, { status: statusOf(outcome, scope), durationMs, stored: storedContinuation(continuations, request.mission) }));
    const record = evaluationRecord({ evaluationId: name.evaluationId, durationMs, admittedBytes: request.source.bytes, scope }, outcome);
    if (evidence.keepsRecords) produced.remember(name.evaluationId, record);
    return record;
  }

  async function run(
    request: EvaluationRequest,
    name: EvaluationName,
    held: HeldLease,
    startedAt: number,
  ): Promise<{ readonly outcome: EvaluationOutcome; readonly scope: ScopeRecord }> {
    const { mission, caller } = request;
    const bounds = boundsOf(caller, startedAt);
    const scope = broker.open({ evaluationId: name.evaluationId, deadlineAt: bounds.deadlineAt, environment: 'mission', mission });
    const stored = storedContinuation(continuations, mission);
    const outcome = await evaluateInMission(
      {
        isolates,
        scope,
        lease: held,
        signal: request.signal,
        now: () => clock.monotonic(),
        stored,
        left: sharesLeft(continuations, mission),
        onReply: (reply) => noteReply(name, reply),
        commit: (continuation, now) => {
          const runClosed = request.signal.aborted;
          const step = commitContinuation(continuations, { mission, from: stored.revision, continuation, circumstances: { runClosed, now, runDeadlineAt, sinkUsable } });
          continuations = step.state;
          return step.refusal;
        },
      },
      { mission, source: request.source, data: dataOf(missionNamed(missions, mission), request.params), observationCharacters: request.observationCharacters },
      bounds,
    );
    // A second end answers what the first did.
    return { outcome, scope: await scope.end() };
  }

  function boundsOf(caller: CallingEvaluation, startedAt: number): EvaluationBounds {
    const deadlineAt = Math.min(startedAt + limits.evaluation_timeout_ms, caller.deadlineAt, runDeadlineAt);
    return {
      deadlineAt,
      timeoutMs: limits.evaluation_timeout_ms,
      loopIterations: limits.evaluation_loop_iterations,
      parallelTimeoutMs: limits.parallel_timeout_ms,
      valueBytes: limits.capability_result_bytes,
      memoryBytes: limits.evaluation_memory_bytes,
      historyBytes: limits.evaluation_history_bytes,
    };
  }

  async function noteReply(name: EvaluationName, reply: EvaluateReply): Promise<void> {
    const isAnalysed = reply.outcome !== 'evaluation_error' || !isFoundBeforeRunning(reply.fault);
    if (isAnalysed) await keep(() => evaluationAnalysis(name, reply.prelude_calls ?? []));
    if (reply.outcome !== 'evaluation_error') return;
    const { reason } = reply.fault;
    if (reason === 'unknown_tool' || reason === 'private_tool_unauthorized') broker.denied(reason);
    const error = shownError(reply.fault);
    if (error !== null) lastError = { evaluationId: name.evaluationId, error };
  }

  /** A bound that ended the program, for the trace (evidence.md §3, limit-exceeded). */
  function noteLimit(mission: string, ended: EvaluationOutcome): void {
    if (ended.outcome !== 'evaluation_error') return;
    const { kind } = ended.error;
    if (kind === 'timeout') tell(missionLimitExceeded(mission, { reason: kind, limit: 'evaluation_timeout_ms', value: limits.evaluation_timeout_ms, unit: 'ms' }));
    if (kind === 'memory_exceeded') tell(missionLimitExceeded(mission, { reason: kind, limit: 'evaluation_heap_words', value: limits.evaluation_heap_words, unit: 'count' }));
  }

  function elapsed(since: number): number {
    return Math.max(0, Math.round(clock.monotonic() - since));
  }

  return {
    evaluate: (request) => during(request.signal, (signal) => evaluate({ ...request, signal })),
    during,
    isEvaluating: (mission) => evaluating === mission,
    isBusy: () => lease.isHeld(),
    stored: (mission) => storedContinuation(continuations, mission),
    isolates,
    proofs,
    isClosed: () => closing.signal.aborted,
    producerOf: (value) => produced.producerOf(value),
    lastError: () => lastError,
    evaluationsByMission: () => Object.fromEntries([...counts].toSorted(([left], [right]) => (left < right ? -1 : 1))),
    memories: () => [...missions.keys()].map((mission) => memoryOf(storedContinuation(continuations, mission))),
    async close() {
      lease.close();
      closing.abort(CLOSED);
      await Promise.allSettled(running);
      await isolates.close();
    },
  };
}

function dataOf({ data }: KernelMission, params: string | null): Readonly<Record<string, string>> {
  return params === null ? data : { ...data, params };
}

/** Status of the stop event: the outcome, or what ended the program for good (evidence.md §3). */
function statusOf({ outcome }: EvaluationOutcome, scope: ScopeRecord | null): string {
  if (scope !== null && scope.terminalHostFailure !== null) return 'capability_unavailable';
  return scope !== null && scope.terminalProviderFailure !== null ? 'provider_error' : outcome;
}

/** What cannot be told may not happen (evidence.md §4, §6). */
function evidenceLost(isEventSinkUsable: boolean): EvaluationOutcome {
  const kind = isEventSinkUsable ? 'inspection_sink_error' : 'event_sink_error';
  return { outcome: 'evaluation_error', error: { kind, reason: kind, details: boundedDetails('the evidence of the run cannot be kept') }, prints: [] };
}

function memoryOf({ continuation }: StoredContinuation): MissionMemory {
  return {
    defined_count: continuation?.definedCount ?? 0,
    history_count: continuation?.history.length ?? 0,
    memory_bytes: continuation?.memoryBytes ?? 0,
    history_bytes: continuation?.historyBytes ?? 0,
  };
}
