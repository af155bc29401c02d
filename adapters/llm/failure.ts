import type { ProviderFailure, ProviderReason } from '../../contract/provider-protocol/outcome.ts';
import { PROXY_UNAVAILABLE } from '../http/proxy-failure.ts';

/** What a failed exchange is reported as (providers.md §5.6). */
export interface Classified {
  readonly reason: ProviderReason;
  readonly retryable: boolean;
}

const BY_STATUS: ReadonlyMap<number, Classified> = new Map([
  [401, { reason: 'authentication_failed', retryable: false }],
  [402, { reason: 'payment_required', retryable: false }],
  [403, { reason: 'denied', retryable: false }],
  [404, { reason: 'not_found', retryable: false }],
  [408, { reason: 'timeout', retryable: true }],
  [409, { reason: 'invalid_request', retryable: true }],
  [425, { reason: 'invalid_request', retryable: true }],
  [429, { reason: 'rate_limited', retryable: true }],
]);

/** How OpenRouter and its kind say that a model cannot be asked with tools, and vLLM that it reads no calls of them. */
const NO_TOOLS =
  /no endpoints? found that supports? tool use|does not support (?:tools|tool use|tool calling|function calling)|requires --enable-auto-tool-choice/i;

/** A status that is no success; `message` is the vendor's own. */
export function classifyStatus(status: number, message: string | null, hasTools: boolean): Classified {
  if ((status === 404 || status === 400) && hasTools && message !== null && NO_TOOLS.test(message))
    return { reason: 'tool_calling_unsupported', retryable: false };
  const known = BY_STATUS.get(status);
  if (known !== undefined) return known;
  if (status >= 400 && status < 500) return { reason: 'invalid_request', retryable: false };
  return { reason: 'unavailable', retryable: status >= 500 && status < 600 };
}

const TIMEOUTS: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ESOCKETTIMEDOUT',
]);
/** Refused, or closed while something was still awaited. */
const CLOSED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'ECONNABORTED',
  'UND_ERR_CLOSED',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  PROXY_UNAVAILABLE,
]);
/** A transport that failed, by the code of its error. */
export function classifyTransport(code: string | null): Classified {
  if (code !== null && TIMEOUTS.has(code)) return { reason: 'timeout', retryable: true };
  if (code !== null && CLOSED.has(code)) return { reason: 'transport_error', retryable: true };
  return { reason: 'transport_error', retryable: false };
}

/** Codes of a connection that was refused, or that closed while something was still awaited. */
const UNANSWERED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'ECONNABORTED',
  PROXY_UNAVAILABLE,
]);
/** Whether a transport that failed before a status may be tried again (world.md §1.4). */
export function isUnanswered(code: string | null): boolean {
  return code !== null && UNANSWERED.has(code);
}

/** A failure of which nothing is proven. */
export function failed(reason: ProviderReason, retryable: boolean, details: string | null): ProviderFailure {
  return {
    kind: 'error',
    reason,
    details,
    retryable,
    proof: null,
    isProtocolFault: false,
    usage: null,
    replayMiss: null,
  };
}
