import { readMessage, type Message } from '../../../contract/mcp/message.ts';
import type { GatewayAnswer } from '../http/answers.ts';
import { BODY_BYTES } from '../http/body.ts';
import { rpcError } from './rpc-error.ts';

/** Rows 10 and 11 of gateway.md §3. */
export function messageOf(
  body: Uint8Array,
): { readonly ok: true; readonly message: Message } | { readonly ok: false; readonly answer: GatewayAnswer } {
  const read = readMessage(body, BODY_BYTES);
  return read.ok ? read : { ok: false, answer: rpcError(400, read.id, read.code) };
}
