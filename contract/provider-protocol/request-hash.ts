import { createHash } from 'node:crypto';
import { SerializedJson } from '../json/serialized.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/**
 * What the replay key of a model's request is the digest of: the request, with the digest of each continuation in its
 * place (world.md §1.2). A request without one is itself.
 */
export function hashedRequest(request: SerializedJson<JsonObject>): SerializedJson<JsonObject> {
  const messages = request.value.get('messages');
  if (!isJsonArray(messages) || !messages.some(isCarrying)) return request;
  return SerializedJson.of(new Map<string, JsonValue>([...request.value, ['messages', messages.map(withDigest)]]));
}

function isCarrying(message: JsonValue): boolean {
  return isJsonObject(message) && typeof message.get('continuation') === 'string';
}

function withDigest(message: JsonValue): JsonValue {
  const continuation = isJsonObject(message) ? message.get('continuation') : undefined;
  if (!isJsonObject(message) || typeof continuation !== 'string') return message;
  const digest = createHash('sha256').update(continuation).digest('hex');
  return new Map<string, JsonValue>([...message, ['continuation', `sha256:${digest}`]]);
}
