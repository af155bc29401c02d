import { randomBytes } from 'node:crypto';
import type { RunResult, RunWitness } from '../../service/embedding/types.ts';
import type { QuestionCounts } from '../../code/asking/run-questions.ts';
import type { Audit } from '../audit/audit.ts';
import { intentLine, outcomeLine, type AuditedCall, type CallOutcome } from '../audit/record.ts';
import { isUncleaned, type ToolCallEnd, type RunEnded } from './outcome.ts';

/** Where calls that may write are put on record (gateway.md §11). */
export interface CallAudit extends Pick<Audit, 'append' | 'isFenced'> {
  /** Name of the binding that every caller shows. */
  readonly principal: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: () => string;
}

interface AuditedFacts {
  readonly toolName: string;
  readonly contentDigest: string;
  readonly runRef: string;
  readonly isDisconnected: () => boolean;
  /** How its questions ended. */
  readonly approvals: () => QuestionCounts;
  readonly endedAs: (end: RunEnded) => ToolCallEnd;
}

/** One call on record. */
export interface OneAudited {
  readonly witness: RunWitness;
  /** `not_begun`: nothing ran, since it could not be put on record; `not_ended`: how it ended is on no record. */
  readonly state: () => 'on_record' | 'not_begun' | 'not_ended';
}

/** The intent is durable before the run begins, and how it ended before its place is free. */
export function auditedCall(
  audit: CallAudit,
  { toolName, contentDigest, runRef, isDisconnected: isClosed, approvals, endedAs }: AuditedFacts,
): OneAudited {
  const call: AuditedCall = {
    call_id: randomBytes(16).toString('hex'),
    run_ref: runRef,
    tool_name: toolName,
    application_content_digest: contentDigest,
    started_at: audit.timestamp(),
    principal: audit.principal,
  };
  let state: ReturnType<OneAudited['state']> = 'on_record';
  return {
    state: () => state,
    witness: {
      begins: async () => {
        // Who is gone by now left while the call waited: none of it runs, and there is nothing to record.
        const isDurable = !isClosed() && (await audit.append(intentLine(call)));
        if (!isDurable) state = 'not_begun';
        return isDurable;
      },
      ended: async (end) => {
        const isDurable = await audit.append(
          outcomeLine(
            call,
            { ...outcomeOf(end, endedAs), disconnected: isClosed(), ...approvalCounts(approvals()) },
            audit.timestamp(),
          ),
        );
        if (!isDurable) state = 'not_ended';
      },
    },
  };
}

/** A call that asked nobody has no such member. */
function approvalCounts(approvals: QuestionCounts): Pick<CallOutcome, 'approvals'> {
  return approvals.allowed + approvals.denied + approvals.expired === 0 ? {} : { approvals };
}

function outcomeOf(end: RunResult, endedAs: AuditedFacts['endedAs']): Omit<CallOutcome, 'disconnected'> {
  if (end.kind === 'refused')
    return {
      outcome_code: 'admission_unavailable',
      dispatch_state: 'false',
      write_effects_may_have_occurred: false,
      cleanup_status: 'complete',
    };
  const {
    effects,
    envelope: { execution },
  } = end;
  const hasStarted = execution.state !== 'not_started';
  return {
    outcome_code: endedAs(end).outcome,
    dispatch_state: effects === 'indeterminate' ? 'unknown' : hasStarted ? 'true' : 'false',
    write_effects_may_have_occurred: effects === 'write_possible' || effects === 'indeterminate',
    cleanup_status: isUncleaned(end) ? 'uncertain' : 'complete',
  };
}
