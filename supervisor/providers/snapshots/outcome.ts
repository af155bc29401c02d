import { canonicalJson, type JsonText } from '../../../contract/json/canonical.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { ProviderFailure, ProviderOutcome, ProviderReason } from '../../../contract/provider-protocol/outcome.ts';
import type { AnalysisFault, Answer } from '../../history/analysis/answer.ts';

/**
 * Words that programs are given (evidence.md §7, "Errors"); whatever is not here is `invalid_request`, and details name
 * it.
 */
const REASONS: Partial<Record<AnalysisFault, ProviderReason>> = {
  not_found: 'not_found',
  run_isolated: 'unavailable',
  source_unavailable: 'internal',
  inspection_correlation_missing: 'internal',
};

/** What a query comes to as the answer of a call. */
export function queryOutcome(answer: Answer<JsonObject>, contentHash: string): ProviderOutcome<JsonText> {
  if (answer.ok)
    return {
      kind: 'value',
      value: canonicalJson(new Map([...answer.value, ['content_snapshot_hash', contentHash]])),
      usage: null,
      finish: null,
    };
  return analysisFailure(answer.fault);
}

/** What a query that has no answer comes to. */
export function analysisFailure(fault: AnalysisFault): ProviderFailure {
  const reason = REASONS[fault] ?? 'invalid_request';
  return failure(reason, reason === 'invalid_request' ? fault : null, 'complete_answer');
}

export function failure(
  reason: ProviderReason,
  details: string | null,
  proof: 'not_dispatched' | 'complete_answer',
): ProviderFailure {
  return {
    kind: 'error',
    reason,
    details,
    retryable: false,
    proof,
    isProtocolFault: false,
    usage: null,
    replayMiss: null,
  };
}
