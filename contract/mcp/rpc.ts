import { canonicalJson, canonicalString } from '../json/canonical.ts';
import { plainJson } from './plain-json.ts';

/** A text of 1 to 256 bytes, or a safe integer; null where a request has none that can be used. */
export type RequestId = string | number | null;

/** Error numbers of JSON-RPC, of the protocol, and our own, which lie outside of both (gateway.md §3). */
export const RPC = {
  parse: -32_700,
  invalid: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  headerMismatch: -32_020,
  version: -32_022,
  busy: -31_999,
  unavailable: -31_998,
} as const;
/** The number of an error, as a message carries it. */
export type RpcCode = (typeof RPC)[keyof typeof RPC];

const MESSAGES: Readonly<Record<RpcCode, string>> = {
  [RPC.parse]: 'the body is not JSON as the gateway admits it',
  [RPC.invalid]: 'the body is not one JSON-RPC request',
  [RPC.method]: 'there is no such method',
  [RPC.params]: 'the parameters break the rules of the method',
  [RPC.internal]: 'an internal error occurred',
  [RPC.headerMismatch]: 'a header is missing, doubled or unlike the body',
  [RPC.version]: 'this version of the protocol is not served',
  [RPC.busy]: 'the gateway is busy; come again',
  [RPC.unavailable]: 'the gateway cannot take this call now',
};

/** Why, in closed words. */
export const REASONS = [
  'request_capacity_exhausted',
  'run_capacity_exhausted',
  'draining',
  'tool_unavailable',
  'writes_fenced',
  'artifact_unavailable',
  'duplicate_in_progress',
  'keys_exhausted',
  'keys_unavailable',
  'idempotency_key',
  'unknown_tool',
  'arguments',
  'state_invalid',
  'cursor',
  'meta',
  'name',
  'parameter_header',
  'protocol_header',
  'timeout',
] as const;
/** One of the closed words that say why a request was refused. */
export type Reason = (typeof REASONS)[number];

/** `data` of an error: a reason, or what the protocol wants said. */
export type ErrorData =
  | { readonly reason: Reason }
  | { readonly supported: readonly string[]; readonly requested: string };

/**
 * The text of an error message; without an id where the request has none that can be used. `message`: in the words of
 * another server than the gateway.
 */
export function errorText(id: RequestId, code: RpcCode, data?: ErrorData, message: string = MESSAGES[code]): string {
  return plainJson({
    jsonrpc: '2.0',
    ...(id === null ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  });
}

/** The text of a result; `result` is canonical JSON. */
export function resultText(id: RequestId, result: string): string {
  return `{"id":${typeof id === 'string' ? canonicalString(id) : canonicalJson(id)},"jsonrpc":"2.0","result":${result}}`;
}

/** The result of such a text. */
export function resultOf(id: RequestId, text: string): string {
  return text.slice(resultText(id, '').length - 1, -1);
}
