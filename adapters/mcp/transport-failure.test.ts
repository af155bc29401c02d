import { expect } from 'chai';
import type { ProviderReason } from '../../contract/provider-protocol/outcome.ts';
import type { AcquisitionCode } from '../../contract/provider-protocol/session.ts';
import type { TransportFault } from './exchanged.ts';
import { callFailure, type CallFailure } from './protocol/call-failure.ts';
import { acquisitionCode, transportFailure } from './transport-failure.ts';

/** Whether a write that failed so is in doubt: nothing proves what came of it. */
const isInDoubt = ({ proof }: { readonly proof: string | null }): boolean => proof === null;

describe('failures of a call (providers.md §7.5)', () => {
  const rows: Readonly<
    Record<CallFailure, readonly [reason: ProviderReason, retryable: boolean, isInDoubt: boolean, isTerminal: boolean]>
  > = {
    mcp_domain_error: ['domain_error', false, false, false],
    mcp_remote_error: ['domain_error', false, false, false],
    mcp_unsupported_result: ['invalid_result', false, false, false],
    mcp_capability_negotiation_error: ['invalid_result', false, false, true],
    mcp_input_required_refused: ['denied', false, false, false],
    mcp_protocol_error: ['invalid_result', false, true, true],
    mcp_invalid_result: ['invalid_result', false, false, false],
    mcp_response_exceeded: ['invalid_result', false, true, false],
    mcp_timeout: ['timeout', true, true, false],
    mcp_transport_error: ['transport_error', false, true, false],
    mcp_busy: ['transport_error', true, false, false],
    mcp_http_failed: ['transport_error', true, true, false],
    mcp_headers_exceeded: ['invalid_request', false, false, false],
    mcp_transport_closed: ['transport_error', false, false, false],
    mcp_endpoint_connection_refused: ['transport_error', true, false, false],
    mcp_endpoint_name_unresolved: ['transport_error', false, false, false],
    mcp_endpoint_tls_failed: ['transport_error', false, false, false],
    mcp_authentication_failed: ['authentication_failed', false, true, false],
    mcp_authorization_required: ['denied', false, true, false],
    mcp_authorization_unavailable: ['unavailable', true, false, false],
  };
  const words: readonly CallFailure[] = [
    'mcp_domain_error',
    'mcp_remote_error',
    'mcp_unsupported_result',
    'mcp_capability_negotiation_error',
    'mcp_input_required_refused',
    'mcp_protocol_error',
    'mcp_invalid_result',
    'mcp_response_exceeded',
    'mcp_timeout',
    'mcp_transport_error',
    'mcp_busy',
    'mcp_http_failed',
    'mcp_headers_exceeded',
    'mcp_transport_closed',
    'mcp_endpoint_connection_refused',
    'mcp_endpoint_name_unresolved',
    'mcp_endpoint_tls_failed',
    'mcp_authentication_failed',
    'mcp_authorization_required',
    'mcp_authorization_unavailable',
  ];
  for (const word of words) {
    it(word, () => {
      const failure = callFailure(word);
      expect(failure.details).to.equal(word === 'mcp_http_failed' ? 'mcp_transport_error' : word);
      expect([failure.reason, failure.retryable, isInDoubt(failure), failure.isProtocolFault]).to.deep.equal(
        rows[word],
      );
    });
  }
});

describe('what no answer came of (providers.md §3, table B; §7.5)', () => {
  const rows: readonly (readonly [TransportFault, AcquisitionCode, CallFailure])[] = [
    ['timeout', 'provider_acquisition_timeout', 'mcp_timeout'],
    ['cancelled', 'provider_unavailable', 'mcp_transport_error'],
    ['busy', 'provider_unavailable', 'mcp_busy'],
    ['session_ended', 'provider_unavailable', 'mcp_http_failed'],
    ['closed', 'provider_unavailable', 'mcp_transport_error'],
    ['broken', 'provider_unavailable', 'mcp_transport_error'],
    ['malformed', 'provider_protocol_error', 'mcp_protocol_error'],
    ['oversize', 'provider_protocol_error', 'mcp_response_exceeded'],
    ['refused', 'provider_endpoint_connection_refused', 'mcp_endpoint_connection_refused'],
    ['unresolved', 'provider_endpoint_name_unresolved', 'mcp_endpoint_name_unresolved'],
    ['tls', 'provider_endpoint_tls_failed', 'mcp_endpoint_tls_failed'],
    ['unanswered', 'provider_unavailable', 'mcp_http_failed'],
    ['unsendable', 'provider_protocol_error', 'mcp_headers_exceeded'],
    ['released', 'provider_unavailable', 'mcp_transport_closed'],
    ['unauthenticated', 'authentication_rejected', 'mcp_authentication_failed'],
    ['unauthorised', 'authorization_required', 'mcp_authorization_required'],
    ['grants_unavailable', 'authorization_unavailable', 'mcp_authorization_unavailable'],
  ];
  for (const [fault, code, word] of rows) {
    it(fault, () => {
      const failed = { kind: 'failed', fault, isSent: true, stderr: null } as const;
      expect(acquisitionCode(fault)).to.equal(code);
      expect(transportFailure(failed)).to.deep.equal(callFailure(word));
      expect(
        isInDoubt(transportFailure({ ...failed, isSent: false })),
        'of what was not sent nothing is in doubt',
      ).to.equal(false);
    });
  }
});
