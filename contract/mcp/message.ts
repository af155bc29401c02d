import { documentLimits, parseJson } from '../json/parse.ts';
import { valueOf } from '../json/node.ts';
import { utf8Length } from '../json/utf8.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { RPC, type RequestId } from './rpc.ts';

/** One request or notification, whose parameters nobody has looked at. */
export interface Message {
  /** Null: a notification. */
  readonly id: RequestId;
  readonly method: string;
  /** Null where there are none. */
  readonly params: JsonObject | null;
}

/** What was answered to a request. */
export interface PeerResponse {
  readonly id: string | number;
  /** Absent: it is an error. */
  readonly result?: JsonValue;
}

const ID_BYTES = 256;

/** A message, or the error that answers what is none. */
export type ReadMessage =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly id: RequestId; readonly code: typeof RPC.parse | typeof RPC.invalid };

/** Reads one message of at most so many bytes. */
export function readMessage(bytes: Uint8Array, limit: number): ReadMessage {
  const parsed = parseJson(bytes, documentLimits(limit));
  if (!parsed.ok) return { ok: false, id: null, code: RPC.parse };
  const root = valueOf(parsed.root);
  if (!isJsonObject(root)) return { ok: false, id: null, code: RPC.invalid };
  const id = requestId(root.get('id'));
  const [method, params] = [root.get('method'), root.get('params')];
  const isRequest =
    root.get('jsonrpc') === '2.0' &&
    typeof method === 'string' &&
    (params === undefined || isJsonObject(params)) &&
    (id !== null || !root.has('id'));
  if (!isRequest) return { ok: false, id, code: RPC.invalid };
  return { ok: true, message: { id, method, params: params ?? null } };
}

/** Bytes as what a client answered to a request of the server; null for anything else. */
export function readResponse(bytes: Uint8Array, limit: number): PeerResponse | null {
  const parsed = parseJson(bytes, documentLimits(limit));
  const root = parsed.ok ? valueOf(parsed.root) : undefined;
  if (!isJsonObject(root) || root.has('method') || root.get('jsonrpc') !== '2.0') return null;
  const id = requestId(root.get('id'));
  const [result, error] = [root.get('result'), root.get('error')];
  if (id === null || (result === undefined) === (error === undefined)) return null;
  return { id, ...(result === undefined ? {} : { result }) };
}

function requestId(value: JsonValue | undefined): RequestId {
  if (typeof value === 'string') return value !== '' && utf8Length(value) <= ID_BYTES ? value : null;
  return typeof value === 'number' ? value : null;
}
