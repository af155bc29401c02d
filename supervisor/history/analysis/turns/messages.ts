import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../contract/json/canonical.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../../contract/json/value.ts';
import { members, objectOf, findText } from '../members.ts';

/** What the conversation so far hashes to, after each message: `chain[n]` is for the first n. */
export function chainOf(messages: JsonArray): readonly string[] {
  const chain = [START];
  for (const message of messages) chain.push(extended(chain.at(-1) ?? START, message));
  return chain;
}

const START = createHash('sha256').update('svc.conversation.v1\0').digest('base64');

export function extended(chain: string, message: JsonValue): string {
  return createHash('sha256')
    .update(chain)
    .update(canonicalJson(normalised(message)))
    .digest('base64');
}

export function messagesOf(request: JsonObject | undefined): JsonArray {
  const messages = request?.get('messages');
  return isJsonArray(messages) ? messages : [];
}

/** The message that an answer becomes; null of an answer that is an error, or whose value was not kept. */
export function assistantOf(result: JsonObject | undefined): JsonObject | null {
  const value = result?.get('status') === 'ok' ? objectOf(result, 'value') : undefined;
  if (value === undefined) return null;
  const calls = value.get('tool_calls');
  const message = members({
    role: 'assistant',
    content: value.get('content'),
    tool_calls: isJsonArray(calls) && calls.length > 0 ? calls : undefined,
  });
  return normalised(message);
}

/** Beside tool calls, blank content is none; nothing else is made alike. */
function normalised<V extends JsonValue>(message: V): V;
function normalised(message: JsonValue): JsonValue {
  if (!isJsonObject(message) || message.get('role') !== 'assistant') return message;
  const calls = message.get('tool_calls');
  const content = message.get('content');
  const isBlank = content === undefined || content === null || (typeof content === 'string' && content.trim() === '');
  return isJsonArray(calls) && calls.length > 0 && isBlank ? new Map([...message, ['content', null]]) : message;
}

/** Programs among the tool calls of an answer, in their order. */
export function programsIn(assistant: JsonObject | null): readonly string[] {
  const calls = assistant?.get('tool_calls');
  if (!isJsonArray(calls)) return [];
  return calls.flatMap((call) => {
    const program = isJsonObject(call) ? findText(objectOf(call, 'args'), 'program') : undefined;
    return program === undefined ? [] : [program];
  });
}
