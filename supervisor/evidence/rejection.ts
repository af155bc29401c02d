import { digestOf } from './fingerprint.ts';

/**
 * Why a call was refused or failed, as a trace may say it: listed words in clear, others fingerprinted (evidence.md
 * §4).
 */
export interface Rejection {
  readonly kind?: string;
  readonly kind_fingerprint?: string;
  readonly reason?: string;
  readonly reason_fingerprint?: string;
}

const KINDS: ReadonlySet<string> = new Set(
  words(`
  capability_denied capability_unavailable event_sink_error inspection_sink_error invalid_annotation invalid_result
  limit_exceeded protocol_error provider_error result_exceeded timeout`),
);

const INVALID = words(`
  agent_config_failure agent_outcome_failure agent_protocol_error capability_description_request
  capability_list_request capability_search_request kernel_check_source_request kernel_eval_request
  llm_provider_failure mission_inventory_request mission_model_context_request result_contract_failure
  result_contract_request runtime_limit_failure runtime_remaining_request runtime_usage_request runtime_wait_request
  workflow_annotation workspace_request`);

const REASONS: ReadonlySet<string> = new Set([
  ...words(`
    admission_unavailable ambiguous_arguments approval_denied approval_expired approval_unavailable argument_exceeded
    authentication_failed capability_absent capability_quota capacity_exhausted denied domain_error event_sink_error
    exception exit input_validation_failed input_validation_unavailable inspection_sink_error internal
    invalid_arguments invalid_model_alias invalid_provider_return invalid_request invalid_result live_provider_tasks
    llm_cost_microusd llm_output_authorization_invalid llm_request_timeout llm_total_tokens model_alias_required
    not_found output_schema_mismatch output_validation_unavailable payment_required protocol_errors provider_exit
    provider_heap_exceeded provider_result_limit provider_timeout rate_limited reservation_attestation_unavailable
    reservation_bound_exceeded reservation_held resolver_unavailable run_closed run_deadline stale_evaluation
    structured_output_unsupported throw timeout tool_calling_unsupported transport_error unavailable unknown_mission
    unknown_model_alias unknown_phase_return_contract usage_unavailable`),
  ...INVALID.map((subject) => `invalid_${subject}`),
]);

const WORD = /^[a-z][a-z0-9_]{0,63}$/;

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

export function rejectionFacts(kind: string, reason: string): Rejection {
  return { ...fact('kind', kind, KINDS), ...fact('reason', reason, REASONS) };
}

/** A text that is no word at all is not even fingerprinted. */
function fact(member: 'kind' | 'reason', word: string, listed: ReadonlySet<string>): Rejection {
  if (listed.has(word)) return { [member]: word };
  return WORD.test(word) ? { [`${member}_fingerprint`]: digestOf(`capability-${member}:${word}`) } : {};
}

/** Key of a refusal in the usage record: `<environment>/<kind>/<reason>` (runtime.md §5, "Accounting"). */
export function refusalKey(environment: 'workflow' | 'mission', kind: string, reason: string): string {
  return `${environment}/${segment('kind', kind, KINDS)}/${segment('reason', reason, REASONS)}`;
}

function segment(member: 'kind' | 'reason', word: string, listed: ReadonlySet<string>): string {
  if (listed.has(word)) return word;
  return WORD.test(word) ? digestOf(`capability-${member}:${word}`) : 'unknown';
}
