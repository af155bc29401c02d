import type { ApprovalRequest } from '../../../contract/approval.ts';
import type { CallPlaces } from '../../../contract/call-place.ts';
import type { Effect, EffectGate } from '../../../contract/effect.ts';
import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import type { RunClock } from '../../platform/run-clock/run-clock.ts';
import { limitExceeded, type LimitFacts, type TraceEvent } from '../../evidence/event.ts';
import type { InspectionRecord } from '../../evidence/inspection/writer.ts';
import type { RecordOutcome } from '../../evidence/recorder.ts';
import { refusalKey } from '../../evidence/rejection.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ModelUsageFold } from '../../evidence/model-usage.ts';
import type { ApprovalDesk } from '../approvals/desk.ts';
import type { CallAnswer } from './envelope.ts';
import type { CallingEvaluation } from './call-scope.ts';
import type { IssuedRefusal, RunEnding } from './run-ending.ts';
import type { IssuedRefusals } from './issued.ts';
import type { FailedCalls } from './failed-calls.ts';
import type { RecordedFailures } from './provider-failures.ts';

/** What all calls of one run share. */
export interface CallRun {
  readonly ledger: Ledger;
  readonly limits: EffectiveLimits;
  readonly runDeadlineAt: number;
  readonly clock: RunClock;
  readonly events: { record(event: TraceEvent): RecordOutcome };
  readonly inspection: { readonly isRequested: boolean; record(record: InspectionRecord): Promise<boolean> };
  readonly models: ModelUsageFold;
  readonly issued: IssuedRefusals;
  readonly failures: RecordedFailures;
  /** What people read about calls that failed. */
  readonly failed: FailedCalls;
  /** Aborted when the run is closed. */
  readonly signal: AbortSignal;
  /** Whether a call with this effect may leave now, beyond what the run itself knows. Never rejects. */
  readonly effectGate: EffectGate | null;
  /** Where calls that need a person's yes are asked about; null: nobody can be asked. */
  readonly approvals: ApprovalDesk | null;
  /** Keys of limits that the trace already has. */
  readonly reportedLimits: Set<string>;
  /** Names the next call in trace and inspection, the only join between the two (evidence.md §2). */
  newCapabilityId(): string;
  stop(ending: RunEnding): void;
  /** A provider may have been reached. */
  reached(): void;
}

/** One evaluation that calls, or one parallel branch of it, and what its record needs of its calls. */
export interface EvaluationCaller {
  readonly evaluation: CallingEvaluation;
  /** Its name in the ledger. */
  readonly key: string;
  /** Aborted when it ends, and when the run is closed. */
  readonly signal: AbortSignal;
  /** The parallel branch, from 1 in input order; null outside of one. */
  readonly branch: ApprovalRequest['branch'];
  /** Where its program makes the call that is being answered; null where nobody can say, or it is gone. */
  readonly locate: () => Promise<CallPlaces | null>;
  /** Shared by an evaluation and its parallel branches. */
  readonly record: CallerRecord;
}

export interface CallerRecord {
  readonly effects: Set<Effect>;
  terminalProviderFailure: { readonly reason: string } | null;
  terminalHostFailure: { readonly reason: string } | null;
}

export const RUN_CLOSED: CallAnswer = { kind: 'closed', reason: 'run_closed' };

export function missionOf({ evaluation }: EvaluationCaller): string | null {
  return evaluation.mission;
}

export function ownerOf({ evaluation }: EvaluationCaller): {
  readonly environment: 'workflow' | 'mission';
  readonly mission_name?: string;
} {
  return evaluation.environment === 'mission'
    ? { environment: 'mission', mission_name: evaluation.mission }
    : { environment: 'workflow' };
}

/** Milliseconds that a worker needs to learn that it is too late (runtime.md §5 step 4). */
const VALIDATION_MARGIN_MS = 25;

export function validationMs(run: CallRun, { evaluation }: EvaluationCaller): number {
  return Math.min(evaluation.deadlineAt, run.runDeadlineAt) - VALIDATION_MARGIN_MS - run.clock.monotonic();
}

/** What an error says beyond its envelope. */
export interface Consequence {
  /** A limit that stopped the call; reported once a run. */
  readonly limit?: LimitFacts;
  readonly issued?: IssuedRefusal;
}

/**
 * Answers with an error of an installed capability or of a counted route: counts it, remembers what is terminal, and
 * ends the run with the protocol error that is one too many (runtime.md §5, "Accounting").
 */
export function rejected(
  run: CallRun,
  caller: EvaluationCaller,
  answer: CallAnswer,
  { limit, issued }: Consequence = {},
): CallAnswer {
  if (answer.kind !== 'error') return answer;
  const { error, envelope } = answer;
  const { environment } = caller.evaluation;
  run.ledger.countRefusal(refusalKey(environment, error.kind, error.reason));
  if (environment === 'mission' && error.kind === 'capability_unavailable')
    caller.record.terminalHostFailure ??= { reason: error.reason };
  if (limit !== undefined) reportLimit(run, limit);
  if (issued !== undefined) run.issued.remember(envelope, issued);
  return error.kind === 'protocol_error' ? countedProtocolError(run, answer) : answer;
}

/** The answer itself, or the end of the run with the error that is one too many. */
export function countedProtocolError(run: CallRun, answer: CallAnswer): CallAnswer {
  if (run.ledger.protocolError() === 'counted') return answer;
  const { protocol_errors: limit } = run.limits;
  reportLimit(run, { reason: 'protocol_errors', limit: 'protocol_errors', limit_value: limit });
  run.stop({ kind: 'protocol_errors', limit });
  return RUN_CLOSED;
}

function reportLimit(run: CallRun, limit: LimitFacts): void {
  const key = JSON.stringify(limit);
  if (run.reportedLimits.has(key)) return;
  run.reportedLimits.add(key);
  emit(run, limitExceeded(limit));
}

/** False: a private run cannot go on, and has been ended. */
export function emit(run: CallRun, event: TraceEvent): boolean {
  if (run.events.record(event) !== 'refused') return true;
  run.stop({ kind: 'event_sink' });
  return false;
}

/** False: the inspection is lost, and the run has been ended. */
export async function recordInspection(
  run: CallRun,
  record: () => InspectionRecord | Promise<InspectionRecord>,
): Promise<boolean> {
  if (!run.inspection.isRequested || (await run.inspection.record(await record()))) return true;
  run.stop({ kind: 'inspection_sink' });
  return false;
}

/** The same of several; after one that was refused none is offered. */
export async function keepAll(run: CallRun, records: () => Promise<readonly InspectionRecord[]>): Promise<boolean> {
  if (!run.inspection.isRequested) return true;
  for (const record of await records()) if (!(await recordInspection(run, () => record))) return false;
  return true;
}
