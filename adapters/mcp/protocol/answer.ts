import { valueOf } from '../../../contract/json/node.ts';
import { parseJson } from '../../../contract/json/parse.ts';
import {
  isJsonArray,
  isJsonInteger,
  isJsonObject,
  type JsonInteger,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { hasExactly, isText } from './members.ts';
import { MESSAGE_BYTES_IN, MESSAGE_DEPTH } from './revision.ts';

/** The answer to one request, as JSON-RPC has it; null for anything that is none (providers.md §7.1, "Answers"). */
export type Answer =
  | { readonly kind: 'result'; readonly result: JsonObject }
  /** `supported`: revisions that it says are spoken instead (`error.data.supported`); null where it names none. */
  | { readonly kind: 'error'; readonly code: JsonInteger; readonly supported: readonly JsonValue[] | null }
  | null;

const ERROR_MESSAGE_BYTES = 4096;

/** Reads the answer to the request of that id out of one message. */
export function readServerAnswer(bytes: Uint8Array, id: number): Answer {
  const parsed = parseJson(bytes, { bytes: MESSAGE_BYTES_IN, depth: MESSAGE_DEPTH, nodes: Number.MAX_SAFE_INTEGER });
  const message = parsed.ok ? valueOf(parsed.root) : null;
  if (!isJsonObject(message) || message.get('jsonrpc') !== '2.0' || message.get('id') !== id) return null;
  if (message.has('error'))
    return hasExactly(message, ['jsonrpc', 'id', 'error']) ? errorOf(message.get('error')) : null;
  const result = message.get('result');
  return hasExactly(message, ['jsonrpc', 'id', 'result']) && isJsonObject(result) ? { kind: 'result', result } : null;
}

function errorOf(error: ReturnType<JsonObject['get']>): Answer {
  if (!isJsonObject(error) || !hasExactly(error, ['code', 'message'], ['data'])) return null;
  const code = error.get('code');
  if (!isJsonInteger(code) || !isText(error.get('message'), 0, ERROR_MESSAGE_BYTES)) return null;
  const data = error.get('data');
  const supported = isJsonObject(data) ? data.get('supported') : undefined;
  return { kind: 'error', code, supported: isJsonArray(supported) ? supported : null };
}
