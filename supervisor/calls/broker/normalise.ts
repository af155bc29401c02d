import { SerializedJson } from '../../../contract/json/serialized.ts';
import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import {
  DETAILS_LENGTH_MAX,
  type ModelThought,
  type ProviderOutcome,
} from '../../../contract/provider-protocol/outcome.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import type { LimitFacts } from '../../evidence/event.ts';
import type { AdmittedCall } from './admission.ts';
import { ownerOf, type CallRun, type EvaluationCaller } from './call-run.ts';
import type { Verdict } from './capability.ts';
import type { DispatchEnd } from './dispatch.ts';
import { errorAnswer, okAnswer, type CallAnswer } from './envelope.ts';
import type { IssuedRefusal } from './run-ending.ts';

/** What a call came to, before its budgets are settled. */
export interface Normalised {
  readonly answer: CallAnswer;
  readonly limit: LimitFacts | null;
  readonly issued: IssuedRefusal | null;
}

/** Whether a writing call may have had its effect although it failed. */
interface Doubt {
  readonly isSent: boolean;
  /** The provider proved that nothing was sent, or that its answer is whole. */
  readonly isProven: boolean;
}

/** Step 14, with the retry and mutation rules of runtime.md §5. */
export async function normalise(
  run: CallRun,
  caller: EvaluationCaller,
  call: AdmittedCall,
  end: DispatchEnd,
  isSent: boolean,
): Promise<Normalised> {
  const alias = call.model?.alias ?? null;
  const failed = (
    kind: string,
    reason: string,
    { retryable = false, details = null, isProven = false, retryAfterMs = null }: FailureFacts = {},
  ): CallAnswer => {
    const isIndeterminate = isInDoubt(caller, call, { isSent, isProven });
    return errorAnswer(kind, reason, {
      retryable: retryable && !isIndeterminate,
      details,
      isIndeterminate,
      model: alias,
      retryAfterMs,
    });
  };
  const plain = (answer: CallAnswer): Normalised => ({ answer, limit: null, issued: null });
  if (end.kind === 'cancelled') return plain(failed('limit_exceeded', 'run_closed'));
  if (end.kind === 'deadline') return timedOut(caller, call, failed);
  const { outcome } = end;
  switch (outcome.kind) {
    case 'value':
      return acceptValue(run, caller, call, outcome, failed);
    case 'error': {
      const details = outcome.details === null ? null : outcome.details.slice(0, DETAILS_LENGTH_MAX).toWellFormed();
      const answer = failed('provider_error', outcome.reason, {
        retryable: outcome.retryable,
        details,
        isProven: outcome.proof !== null,
        retryAfterMs: outcome.retryAfterMs ?? null,
      });
      return {
        answer,
        limit: null,
        issued: outcome.replayMiss === null ? findLoss(call) : { kind: 'replay_miss', ...outcome.replayMiss },
      };
    }
    case 'fault':
      return { answer: failed('provider_error', outcome.reason), limit: null, issued: findLoss(call) };
    case 'invalid_return':
      return plain(failed('invalid_result', 'invalid_provider_return'));
    case 'too_large':
      return tooLarge(run, caller, call, failed);
  }
}

/** The loss of its provider, which an error of the call then names (providers.md §3). */
function findLoss({ capability }: AdmittedCall): IssuedRefusal | null {
  const place = capability.lost?.() ?? null;
  return place === null ? null : { kind: 'provider_lost', ...place };
}

interface FailureFacts {
  readonly retryable?: boolean;
  readonly details?: JsonValue;
  readonly isProven?: boolean;
  readonly retryAfterMs?: number | null;
}

type Failed = (kind: string, reason: string, facts?: FailureFacts) => CallAnswer;

function isInDoubt(
  { evaluation }: EvaluationCaller,
  { capability }: AdmittedCall,
  { isSent, isProven }: Doubt,
): boolean {
  return evaluation.environment === 'mission' && capability.effect !== 'read' && isSent && !isProven;
}

/** A bound of the call itself is a time-out that may be tried again; the run's own end is not. */
function timedOut(caller: EvaluationCaller, { name, model, deadline }: AdmittedCall, failed: Failed): Normalised {
  const { bound, limitMs } = deadline;
  if (bound === 'run') return { answer: failed('limit_exceeded', 'run_deadline'), limit: null, issued: null };
  const reason = model === null ? 'provider_timeout' : 'llm_request_timeout';
  const limit =
    bound === 'caller'
      ? null
      : { ...ownerOf(caller), name, reason, limit: bound === 'installation' ? 'timeout_ms' : bound, limit_ms: limitMs };
  return { answer: failed('timeout', reason, { retryable: true }), limit, issued: null };
}

function tooLarge(
  run: CallRun,
  caller: EvaluationCaller,
  { name, capability }: AdmittedCall,
  failed: Failed,
): Normalised {
  const limit = {
    ...ownerOf(caller),
    name,
    reason: 'provider_result_limit',
    limit: 'capability_result_bytes',
    limit_value: resultBytes(run, capability),
  };
  return { answer: failed('result_exceeded', 'provider_result_limit'), limit, issued: null };
}

function resultBytes({ limits }: CallRun, capability: { readonly resultBytes: number }): number {
  return Math.min(limits.capability_result_bytes, capability.resultBytes);
}

/** The least that an answer's check is given, however late the answer came. */
const RESULT_CHECK_MS = 25;

async function acceptValue(
  run: CallRun,
  caller: EvaluationCaller,
  call: AdmittedCall,
  { value, thought }: Extract<ProviderOutcome<SerializedJson>, { kind: 'value' }>,
  failed: Failed,
): Promise<Normalised> {
  const bytes = Buffer.byteLength(await value.text(EVENT_LOOP_PACE));
  if (bytes > resultBytes(run, call.capability)) return tooLarge(run, caller, call, failed);
  const timeoutMs = Math.max(RESULT_CHECK_MS, call.deadline.at - run.clock.monotonic());
  const verdict = await call.capability.checkResult(value, timeoutMs);
  const answers = {
    valid: () => okAnswer(named(value, call.model?.alias ?? null, carriedTo(caller, thought))),
    // It answered, whatever can be made of it (world.md §2.2).
    invalid: () =>
      failed('invalid_result', 'output_schema_mismatch', { details: mismatchDetails(verdict), isProven: true }),
    unavailable: () => failed('capability_unavailable', 'output_validation_unavailable'),
  } as const;
  return { answer: answers[verdict.status](), limit: null, issued: null };
}

/**
 * What a workflow can ask a model to mend (world.md §1.7). Tools are not asked again: of theirs nothing is reported.
 */
function mismatchDetails(verdict: Verdict): JsonValue {
  if (verdict.status !== 'invalid' || verdict.text === undefined) return null;
  return new Map<string, JsonValue>([
    ['violations', verdict.violations],
    ['text', verdict.text],
  ]);
}

/** What the vendor wants to have back (world.md §1.2): a workflow passes it on, and no mission sees it. */
function carriedTo({ evaluation }: EvaluationCaller, thought: ModelThought | undefined): string | null {
  return evaluation.environment === 'workflow' ? (thought?.continuation ?? null) : null;
}

/** A model's answer says which alias gave it (providers.md §5.3); anything else stays as it is. */
function named(answered: SerializedJson, alias: string | null, continuation: string | null): SerializedJson {
  const { value } = answered;
  if (alias === null || !isJsonObject(value)) return answered;
  const carried = continuation === null ? [] : [['continuation', continuation] as const];
  return SerializedJson.of(new Map<string, JsonValue>([...value, ...carried, ['model', alias]]));
}

/** Whether a failure ends the evaluation of a mission, remembered though it is caught (runtime.md §5). */
export function isTerminal(outcome: ProviderOutcome<SerializedJson>): boolean {
  return outcome.kind === 'error' && (outcome.reason === 'denied' || outcome.isProtocolFault);
}
