import type { ProviderFailure, ProviderReason } from '../../../contract/provider-protocol/outcome.ts';

/** How a call of a tool can fail, by the word that its `details` report (providers.md §7.5). */
export const CALL_FAILURES = {
  mcp_domain_error: row('domain_error', 'answered'),
  mcp_remote_error: row('domain_error', 'answered'),
  mcp_unsupported_result: row('invalid_result', 'answered'),
  mcp_capability_negotiation_error: row('invalid_result', 'answered', { isProtocolFault: true }),
  mcp_input_required_refused: row('denied', 'answered'),
  mcp_protocol_error: row('invalid_result', 'possibly', { isProtocolFault: true }),
  /** It answered, whatever can be made of it (world.md §2.2). */
  mcp_invalid_result: row('invalid_result', 'answered'),
  mcp_response_exceeded: row('invalid_result', 'possibly'),
  mcp_timeout: row('timeout', 'possibly', { retryable: true }),
  mcp_busy: row('transport_error', 'no', { retryable: true }),
  mcp_transport_error: row('transport_error', 'possibly'),
  /** Over HTTP: the next request has a connection of its own. */
  mcp_http_failed: row('transport_error', 'possibly', { retryable: true, details: 'mcp_transport_error' }),
  mcp_headers_exceeded: row('invalid_request', 'no'),
  mcp_transport_closed: row('transport_error', 'no'),
  mcp_endpoint_connection_refused: row('transport_error', 'no', { retryable: true }),
  mcp_endpoint_name_unresolved: row('transport_error', 'no'),
  mcp_endpoint_tls_failed: row('transport_error', 'no'),
  mcp_authentication_failed: row('authentication_failed', 'possibly'),
  mcp_authorization_required: row('denied', 'possibly'),
  mcp_authorization_unavailable: row('unavailable', 'no', { retryable: true }),
} as const;
export type CallFailure = keyof typeof CALL_FAILURES;

interface Row {
  readonly reason: ProviderReason;
  /**
   * Whether the call came to the server: a whole answer proves what it did, and nothing that left proves that it did
   * not.
   */
  readonly reached: 'answered' | 'possibly' | 'no';
  readonly retryable: boolean;
  readonly isProtocolFault: boolean;
  /** What programs are given, where it is not the word; null where it is. */
  readonly details: string | null;
}

const PROOFS = { answered: 'complete_answer', possibly: null, no: 'not_dispatched' } as const;

/** The failure that a program is given; `changes` where one call proves more than its word. */
export function callFailure(
  word: CallFailure,
  changes: Partial<Pick<ProviderFailure, 'details' | 'proof'>> = {},
): ProviderFailure {
  const { reason, reached, retryable, isProtocolFault, details } = CALL_FAILURES[word];
  return {
    kind: 'error',
    reason,
    details: details ?? word,
    retryable,
    proof: PROOFS[reached],
    isProtocolFault,
    usage: null,
    replayMiss: null,
    ...changes,
  };
}

function row(
  reason: ProviderReason,
  reached: Row['reached'],
  { retryable = false, isProtocolFault = false, details = null }: Partial<Row> = {},
): Row {
  return { reason, reached, retryable, isProtocolFault, details };
}
