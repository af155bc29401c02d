import type { AcquisitionCode } from '../../contract/provider-protocol/session.ts';
import type { ProviderFailure } from '../../contract/provider-protocol/outcome.ts';
import type { Exchanged, TransportFault } from './exchanged.ts';
import { callFailure, type CallFailure } from './protocol/call-failure.ts';

type Failed = Extract<Exchanged, { readonly kind: 'failed' }>;

interface Meaning {
  /** While a server is opened (providers.md §3, table B). */
  readonly code: AcquisitionCode;
  /** While a tool is called (§7.5). */
  readonly word: CallFailure;
}

const MEANINGS: Readonly<Record<TransportFault, Meaning>> = {
  timeout: { code: 'provider_acquisition_timeout', word: 'mcp_timeout' },
  cancelled: { code: 'provider_unavailable', word: 'mcp_transport_error' },
  busy: { code: 'provider_unavailable', word: 'mcp_busy' },
  closed: { code: 'provider_unavailable', word: 'mcp_transport_error' },
  broken: { code: 'provider_unavailable', word: 'mcp_transport_error' },
  malformed: { code: 'provider_protocol_error', word: 'mcp_protocol_error' },
  oversize: { code: 'provider_protocol_error', word: 'mcp_response_exceeded' },
  refused: { code: 'provider_endpoint_connection_refused', word: 'mcp_endpoint_connection_refused' },
  unresolved: { code: 'provider_endpoint_name_unresolved', word: 'mcp_endpoint_name_unresolved' },
  tls: { code: 'provider_endpoint_tls_failed', word: 'mcp_endpoint_tls_failed' },
  unanswered: { code: 'provider_unavailable', word: 'mcp_http_failed' },
  unsendable: { code: 'provider_protocol_error', word: 'mcp_headers_exceeded' },
  released: { code: 'provider_unavailable', word: 'mcp_transport_closed' },
  session_ended: { code: 'provider_unavailable', word: 'mcp_http_failed' },
  unauthenticated: { code: 'authentication_rejected', word: 'mcp_authentication_failed' },
  unauthorised: { code: 'authorization_required', word: 'mcp_authorization_required' },
  grants_unavailable: { code: 'authorization_unavailable', word: 'mcp_authorization_unavailable' },
};

export function acquisitionCode(fault: TransportFault): AcquisitionCode {
  return MEANINGS[fault].code;
}

/**
 * What a program gets for a call that found no answer; a server that is gone is not started again, so that no other
 * attempt finds one.
 */
export function transportFailure({ fault, isSent }: Failed): ProviderFailure {
  return callFailure(MEANINGS[fault].word, isSent ? {} : { proof: 'not_dispatched' });
}
