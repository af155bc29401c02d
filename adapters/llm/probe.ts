import type { ProbeAnswer, ProbeCode } from '../../contract/provider-protocol/checks.ts';
import type { ProviderFailure, ProviderReason } from '../../contract/provider-protocol/outcome.ts';
import type { OpenModel } from './open-model.ts';

/** One short message, one token, no tools (providers.md §12). */
const REQUEST = '{"messages":[{"content":"ping","role":"user"}]}';
const OUTPUT_LIMIT = { value: 1, bindings: ['application_limit'] } as const;
/** The whole step has a deadline of its own; this one only sees that nothing is left behind it. */
const LONGEST_MS = 30_000;

const BY_REASON: Readonly<Partial<Record<ProviderReason, ProbeCode>>> = {
  authentication_failed: 'authentication_rejected',
  denied: 'authentication_rejected',
  rate_limited: 'connectivity_rate_limited',
  not_found: 'connectivity_rejected',
  payment_required: 'connectivity_rejected',
  tool_calling_unsupported: 'connectivity_rejected',
  invalid_result: 'connectivity_protocol_error',
  usage_unavailable: 'connectivity_outcome_unknown',
};

/** Asks a model whether it answers; `signal` ends the question. */
export async function probeFinding(model: OpenModel, signal: AbortSignal): Promise<ProbeAnswer> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const { outcome, attempts = [] } = await model.ask(REQUEST, OUTPUT_LIMIT, bounded);
  if (outcome.kind === 'value') return { finding: null, isDispatched: true, usage: outcome.usage };
  const said = attempts.at(-1)?.said ?? null;
  if (outcome.kind !== 'error')
    return { finding: 'connectivity_protocol_error', isDispatched: true, usage: null, said };
  const { reason, usage, proof } = outcome;
  return { finding: BY_REASON[reason] ?? unlisted(outcome), isDispatched: proof !== 'not_dispatched', usage, said };
}

/**
 * Any other 4xx is a refusal, and a redirect no answer; what may be retried is a server that is not there, or not well.
 */
function unlisted({ reason, retryable, proof }: ProviderFailure): ProbeCode {
  if (proof !== 'complete_answer') return 'connectivity_unavailable';
  if (reason === 'unavailable') return retryable ? 'connectivity_unavailable' : 'connectivity_protocol_error';
  return 'connectivity_rejected';
}
