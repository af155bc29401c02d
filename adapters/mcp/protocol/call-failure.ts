import type { ProviderFailure, ProviderReason } from '../../../contract/provider-protocol/outcome.ts';

/** How a call of a tool can fail, by the word that its `details` tell (providers.md §7.5). */
export const CALL_FAILURES = {
  mcp_domain_error: row('domain_error', 'answered'),
  mcp_remote_error: row('domain_error', 'answered'),
  mcp_unsupported_result: row('invalid_result', 'answered'),
  mcp_capability_negotiation_error: row('invalid_result', 'answered', { isProtocolFault: true }),
  mcp_input_required_refused: row('denied', 'answered'),
  mcp_protocol_error: row('invalid_result', 'possibly', { isProtocolFault: true }),
  mcp_invalid_result: row('invalid_result', 'possibly'),
  mcp_response_exceeded: row('invalid_result', 'possibly'),
  mcp_timeout: row('timeout', 'possibly', { retryable: true }),
  mcp_busy: row('transport_error', 'no', { retryable: true }),
  mcp_transport_error: row('transport_error', 'possibly'),
} as const;
export type CallFailure = keyof typeof CALL_FAILURES;

interface Row {
  readonly reason: ProviderReason;
  /** Whether the call came to the server: a whole answer proves what it did, and nothing that left proves that it did not. */
  readonly reached: 'answered' | 'possibly' | 'no';
  readonly retryable: boolean;
  readonly isProtocolFault: boolean;
}

const PROOFS = { answered: 'complete_answer', possibly: null, no: 'not_dispatched' } as const;

/** The failure that a program is told; `changes` where one call proves more than its word. */
export function callFailure(word: CallFailure, changes: Partial<Pick<ProviderFailure, 'details' | 'proof'>> = {}): ProviderFailure {
  const { reason, reached, retryable, isProtocolFault } = CALL_FAILURES[word];
  return { kind: 'error', reason, details: word, retryable, proof: PROOFS[reached], isProtocolFault, usage: null, replayMiss: null, ...changes };
}

function row(reason: ProviderReason, reached: Row['reached'], { retryable = false, isProtocolFault = false }: Partial<Row> = {}): Row {
  return { reason, reached, retryable, isProtocolFault };
}
