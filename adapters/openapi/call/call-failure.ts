import type { ProviderFailure, ProviderReason } from '../../../contract/provider-protocol/outcome.ts';
import type { AcquisitionCode } from '../../../contract/provider-protocol/session.ts';
import type { NotOpened, TransportFault } from '../../mcp/exchanged.ts';
import { refused, type Unopened } from '../../mcp/refused.ts';
import type { ApiExchanged } from '../../mcp/api/exchange.ts';

interface Row {
  readonly reason: ProviderReason;
  /**
   * Whether the call came to the server: a whole answer proves what it did, and nothing that left proves that it did
   * not.
   */
  readonly reached: 'answered' | 'possibly' | 'no';
  readonly retryable: boolean;
}

/** How a call of an operation can fail, by the word that its `details` report (providers.md §7.9). */
const CALL_FAILURES = {
  /** A status that says no. */
  openapi_refused: { reason: 'domain_error', reached: 'answered', retryable: false },
  /** One that may be another a little later. */
  openapi_unavailable: { reason: 'domain_error', reached: 'possibly', retryable: true },
  openapi_invalid_argument: { reason: 'invalid_request', reached: 'no', retryable: false },
  openapi_headers_exceeded: { reason: 'invalid_request', reached: 'no', retryable: false },
  openapi_invalid_result: { reason: 'invalid_result', reached: 'answered', retryable: false },
  openapi_response_exceeded: { reason: 'invalid_result', reached: 'possibly', retryable: false },
  openapi_timeout: { reason: 'timeout', reached: 'possibly', retryable: true },
  openapi_transport_error: { reason: 'transport_error', reached: 'possibly', retryable: true },
  openapi_transport_closed: { reason: 'transport_error', reached: 'no', retryable: false },
  openapi_endpoint_connection_refused: { reason: 'transport_error', reached: 'no', retryable: true },
  openapi_endpoint_name_unresolved: { reason: 'transport_error', reached: 'no', retryable: false },
  openapi_endpoint_tls_failed: { reason: 'transport_error', reached: 'no', retryable: false },
  openapi_authentication_failed: { reason: 'authentication_failed', reached: 'possibly', retryable: false },
  openapi_authorization_required: { reason: 'denied', reached: 'possibly', retryable: false },
  openapi_authorization_unavailable: { reason: 'unavailable', reached: 'no', retryable: true },
} as const satisfies Readonly<Record<string, Row>>;
type CallFailure = keyof typeof CALL_FAILURES;

const PROOFS = { answered: 'complete_answer', possibly: null, no: 'not_dispatched' } as const;

/** The failure that a program is given; `changes` where one call proves or says more than its word. */
export function operationFailure(
  word: CallFailure,
  changes: Partial<Pick<ProviderFailure, 'details' | 'proof'>> = {},
): ProviderFailure {
  const { reason, reached, retryable }: Row = CALL_FAILURES[word];
  return {
    kind: 'error',
    reason,
    details: word,
    retryable,
    proof: PROOFS[reached],
    isProtocolFault: false,
    usage: null,
    replayMiss: null,
    ...changes,
  };
}

interface Meaning {
  /** While an API is opened (providers.md §3, table B). */
  readonly code: AcquisitionCode;
  /** While an operation is called. */
  readonly word: CallFailure;
  /** For people; null where the word says nothing that they could act on. */
  readonly said: string | null;
}

const OTHER: Meaning = { code: 'provider_unavailable', word: 'openapi_transport_error', said: null };

const MEANINGS: Readonly<Record<TransportFault, Meaning>> = {
  timeout: { code: 'provider_acquisition_timeout', word: 'openapi_timeout', said: null },
  cancelled: OTHER,
  session_ended: OTHER,
  busy: OTHER,
  closed: OTHER,
  broken: OTHER,
  malformed: OTHER,
  unanswered: { ...OTHER, said: 'the connection failed' },
  oversize: { code: 'provider_protocol_error', word: 'openapi_response_exceeded', said: 'the answer is too long' },
  refused: {
    code: 'provider_endpoint_connection_refused',
    word: 'openapi_endpoint_connection_refused',
    said: 'connection refused',
  },
  unresolved: {
    code: 'provider_endpoint_name_unresolved',
    word: 'openapi_endpoint_name_unresolved',
    said: 'name not found',
  },
  tls: { code: 'provider_endpoint_tls_failed', word: 'openapi_endpoint_tls_failed', said: 'TLS: the handshake failed' },
  unsendable: { code: 'provider_protocol_error', word: 'openapi_headers_exceeded', said: null },
  released: { code: 'provider_unavailable', word: 'openapi_transport_closed', said: null },
  unauthenticated: { code: 'authentication_rejected', word: 'openapi_authentication_failed', said: 'HTTP 401' },
  unauthorised: { code: 'authorization_required', word: 'openapi_authorization_required', said: null },
  grants_unavailable: { code: 'authorization_unavailable', word: 'openapi_authorization_unavailable', said: null },
};

/** Why an API, or its document, could not be reached. */
export function notOpened({ fault, said }: NotOpened): Unopened {
  const words = said ?? MEANINGS[fault].said;
  return refused(MEANINGS[fault].code, null, words === null ? null : { said: words });
}

/** What a program gets for a call that found no answer, and what people are shown. */
export function unansweredCall({ fault, isSent, said }: Extract<ApiExchanged, { readonly kind: 'failed' }>): {
  readonly failure: ProviderFailure;
  readonly said: string | null;
} {
  const meaning = MEANINGS[fault];
  const failure = operationFailure(meaning.word, isSent ? {} : { proof: 'not_dispatched' });
  return { failure, said: said ?? meaning.said };
}
