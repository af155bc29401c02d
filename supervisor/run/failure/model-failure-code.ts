import type { DiagnosticCode } from '../../../contract/diagnostics/diagnostic.ts';

/** Codes of model failures by the class that their provider gave (runtime.md §7, providers.md §5.6). */
const CODES: ReadonlyMap<string, DiagnosticCode> = new Map<string, DiagnosticCode>([
  ['authentication_failed', 'llm_authentication_failed'],
  ['payment_required', 'llm_payment_required'],
  ['rate_limited', 'llm_rate_limited'],
  ['tool_calling_unsupported', 'llm_tool_calling_unsupported'],
  ['not_found', 'llm_model_not_found'],
  ['denied', 'llm_access_denied'],
  ['timeout', 'llm_timeout'],
  ['usage_unavailable', 'llm_usage_unavailable'],
]);

/** A request that another attempt may pass is no invalid one. */
export function modelFailureCode(reason: string, retryable: boolean): DiagnosticCode {
  const known = CODES.get(reason) ?? (reason === 'invalid_request' && !retryable ? 'llm_request_invalid' : undefined);
  return known ?? (retryable ? 'llm_provider_unavailable' : 'llm_provider_failed');
}
