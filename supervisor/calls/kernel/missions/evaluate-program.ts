import type { JsonObject } from '../../../../contract/json/value.ts';
import type { EvaluateReply } from '../../../../contract/sandbox-protocol.ts';
import type { CallingEvaluation, ScopeRecord } from '../../broker/call-scope.ts';
import { publicError } from '../../evaluation/public-error.ts';
import { commitContinuation, sharesLeft } from '../continuations/store.ts';
import type { AcquiredLease, LeaseRefusal } from '../lease/evaluation-lease.ts';
import { evaluateInIsolate, type MissionEvaluationBounds, type MissionEvaluationTools } from './evaluate-in-isolate.ts';
import {
  evaluationAnalysis,
  evaluationSource,
  evaluationStarted,
  evaluationStopped,
  missionLimitExceeded,
  type EvaluationName,
} from './evidence.ts';
import { boundedDetails, isFoundBeforeRunning } from './faults.ts';
import type { ProgramSource } from './program.ts';
import { evaluationRecord, type EvaluationOutcome } from './record.ts';
import { grantedData, recordEvidence, storedIn, recordEvent, type MissionSession } from './room.ts';
import { placeKey, type MissionPlace } from './workspaces.ts';

export interface EvaluationRequest {
  readonly place: MissionPlace;
  readonly source: ProgramSource;
  /** JSON text of `data/params`; null without. */
  readonly params: string | null;
  /** Characters of an observation; null without. */
  readonly observationCharacters: number | null;
  readonly caller: CallingEvaluation;
  readonly signal: AbortSignal;
}

/**
 * Evaluates one program for one mission and gives its evaluation record (runtime.md §6), with its events, private
 * records and commit. Never rejects for what programs, hosts or limits do.
 */
export async function evaluateProgram(room: MissionSession, request: EvaluationRequest): Promise<JsonObject> {
  return room.during(request.signal, (signal) => ask(room, { ...request, signal }));
}

/** Size, then lease. */
async function ask(room: MissionSession, request: EvaluationRequest): Promise<JsonObject> {
  const {
    lease,
    note,
    state,
    options: {
      clock,
      limits: { subordinate_source_bytes: sourceBytes },
    },
  } = room;
  note({ event: 'asked' });
  const name: EvaluationName = {
    evaluationId: `mission-evaluation-${state().requested}`,
    mission: request.place.mission,
    parent: request.caller.evaluationId,
  };
  const askedAt = clock.monotonic();
  const unadmitted = (outcome: EvaluationOutcome): JsonObject =>
    evaluationRecord(
      { evaluationId: name.evaluationId, durationMs: elapsed(room, askedAt), admittedBytes: null, scope: null },
      outcome,
    );
  if (request.source.bytes > sourceBytes) {
    return unadmitted({
      outcome: 'result_exceeded',
      limit: 'subordinate_source_bytes',
      value: sourceBytes,
      prints: [],
    });
  }
  const admission = await lease.request(request.signal);
  if (!admission.granted) return unadmitted(refused(room, request, admission.refusal));
  note({ event: 'granted', mission: request.place.mission, place: placeKey(request.place) });
  try {
    return await admitProgram(room, request, name, admission.lease);
  } finally {
    note({ event: 'ended' });
    admission.lease.release();
  }
}

function refused(
  room: MissionSession,
  { place: { mission }, caller }: EvaluationRequest,
  refusal: LeaseRefusal,
): EvaluationOutcome {
  if (refusal.outcome === 'owner_died') return { outcome: 'limit_exceeded', reason: 'run_closed', proof: null };
  if (refusal.reason !== 'subordinate_evaluations') return { ...refusal, proof: null };
  const { limits } = room.options;
  recordEvent(
    room,
    missionLimitExceeded(mission, {
      reason: refusal.reason,
      limit: refusal.reason,
      value: limits.subordinate_evaluations,
      unit: 'count',
    }),
  );
  return { ...refusal, proof: room.proofs.issue(caller.evaluationId) };
}

/** Between its two events. */
async function admitProgram(
  room: MissionSession,
  request: EvaluationRequest,
  name: EvaluationName,
  acquiredLease: AcquiredLease,
): Promise<JsonObject> {
  const { place, source } = request;
  const startedAt = room.options.clock.monotonic();
  room.options.onProgram?.({ evaluationId: name.evaluationId, line: firstLine(source.text) });
  const isOnRecord =
    recordEvent(room, evaluationStarted(name, source)) &&
    (await recordEvidence(room, () => evaluationSource(name, source)));
  const { outcome, scope } = isOnRecord
    ? await run(room, request, name, { lease: acquiredLease, startedAt })
    : { outcome: evidenceLost(room), scope: null };
  const durationMs = elapsed(room, startedAt);
  noteLimit(room, place.mission, outcome);
  recordEvent(
    room,
    evaluationStopped(name, { status: statusOf(outcome, scope), durationMs, stored: storedIn(room, place) }),
  );
  const record = evaluationRecord(
    { evaluationId: name.evaluationId, durationMs, admittedBytes: source.bytes, scope },
    outcome,
  );
  if (room.options.evidence.keepsRecords) await room.produced.remember(name.evaluationId, record);
  return record;
}

/** Characters of a line that people are shown. */
const LINE_LENGTH = 160;

function firstLine(source: string): string {
  const line = /\S[^\r\n]*/.exec(source)?.[0] ?? '';
  return line.slice(0, LINE_LENGTH).toWellFormed();
}

interface Admitted {
  readonly lease: AcquiredLease;
  readonly startedAt: number;
}

interface Ran {
  readonly outcome: EvaluationOutcome;
  readonly scope: ScopeRecord;
}

async function run(
  room: MissionSession,
  request: EvaluationRequest,
  name: EvaluationName,
  { lease: acquired, startedAt }: Admitted,
): Promise<Ran> {
  const {
    isolates,
    options: { clock, broker },
  } = room;
  const { place, caller, source, params, observationCharacters, signal } = request;
  const { mission } = place;
  const bounds = boundsOf(room, caller, startedAt);
  const scope = broker.open({
    evaluationId: name.evaluationId,
    program: source.text,
    deadlineAt: bounds.deadlineAt,
    environment: 'mission',
    mission,
  });
  const tools: MissionEvaluationTools = {
    isolates,
    scope,
    lease: acquired,
    signal,
    time: clock,
    stored: storedIn(room, place),
    left: sharesLeft(room.state().continuations, placeKey(place)),
    onReply: (reply) => noteReply(room, name, reply),
    commit: committing(room, request),
  };
  const outcome = await evaluateInIsolate(
    tools,
    { place, source, data: dataIn(room, place, params), observationCharacters },
    bounds,
  );
  // A second end answers what the first did.
  return { outcome, scope: await scope.end() };
}

/** Commits go on from what was stored when the program was started. */
function committing(room: MissionSession, { place, signal }: EvaluationRequest): MissionEvaluationTools['commit'] {
  const {
    state,
    note,
    options: { runDeadlineAt },
  } = room;
  const mission = placeKey(place);
  const { revision: from } = storedIn(room, place);
  return (continuation, now) => {
    const circumstances = { runClosed: signal.aborted, now, runDeadlineAt, sinkUsable: state().isEventSinkUsable };
    const { state: continuations, refusal } = commitContinuation(state().continuations, {
      mission,
      from,
      continuation,
      circumstances,
    });
    if (refusal === null) note({ event: 'committed', continuations });
    return refusal;
  };
}

function boundsOf(
  { options: { limits, runDeadlineAt } }: MissionSession,
  caller: CallingEvaluation,
  startedAt: number,
): MissionEvaluationBounds {
  return {
    deadlineAt: Math.min(startedAt + limits.evaluation_timeout_ms, caller.deadlineAt, runDeadlineAt),
    timeoutMs: limits.evaluation_timeout_ms,
    loopIterations: limits.evaluation_loop_iterations,
    parallelTimeoutMs: limits.parallel_timeout_ms,
    valueBytes: limits.capability_result_bytes,
    memoryBytes: limits.evaluation_memory_bytes,
    historyBytes: limits.evaluation_history_bytes,
  };
}

async function noteReply(
  room: MissionSession,
  { evaluationId, ...name }: EvaluationName,
  reply: EvaluateReply,
): Promise<void> {
  const isAnalysed = reply.outcome !== 'evaluation_error' || !isFoundBeforeRunning(reply.fault);
  if (isAnalysed)
    await recordEvidence(room, () => evaluationAnalysis({ evaluationId, ...name }, reply.prelude_calls ?? []));
  if (reply.outcome !== 'evaluation_error') return;
  const { reason } = reply.fault;
  if (reason === 'unknown_tool' || reason === 'private_tool_unauthorized') room.options.broker.denied(reason);
  const error = publicError(reply.fault);
  if (error !== null) room.note({ event: 'failed', evaluationId, error });
}

/** A bound that ended the program, for the trace (evidence.md §3, limit-exceeded). */
function noteLimit(room: MissionSession, mission: string, ended: EvaluationOutcome): void {
  if (ended.outcome !== 'evaluation_error') return;
  const { kind } = ended.error;
  const { limits } = room.options;
  if (kind === 'timeout') {
    recordEvent(
      room,
      missionLimitExceeded(mission, {
        reason: kind,
        limit: 'evaluation_timeout_ms',
        value: limits.evaluation_timeout_ms,
        unit: 'ms',
      }),
    );
  }
  if (kind === 'memory_exceeded') {
    recordEvent(
      room,
      missionLimitExceeded(mission, {
        reason: kind,
        limit: 'evaluation_heap_words',
        value: limits.evaluation_heap_words,
        unit: 'count',
      }),
    );
  }
}

function elapsed({ options: { clock } }: MissionSession, since: number): number {
  return Math.max(0, Math.round(clock.monotonic() - since));
}

/** That of the mission, then that of the loop, then the parameters. */
function dataIn(room: MissionSession, place: MissionPlace, params: string | null): Readonly<Record<string, string>> {
  return { ...grantedData(room, place), ...(params === null ? {} : { params }) };
}

/** Status of the stop event: the outcome, or what ended the program for good (evidence.md §3). */
function statusOf({ outcome }: EvaluationOutcome, scope: ScopeRecord | null): string {
  if (scope !== null && scope.terminalHostFailure !== null) return 'capability_unavailable';
  return scope !== null && scope.terminalProviderFailure !== null ? 'provider_error' : outcome;
}

/** What cannot be reported may not happen (evidence.md §4, §6). */
function evidenceLost({ state }: MissionSession): EvaluationOutcome {
  const kind = state().isEventSinkUsable ? 'inspection_sink_error' : 'event_sink_error';
  return {
    outcome: 'evaluation_error',
    error: { kind, reason: kind, details: boundedDetails('the evidence of the run cannot be kept') },
    prints: [],
  };
}
