import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { parseJsonText } from './json-text.ts';

/** A request to a model, whoever the vendor is (providers.md §5.3). */
export interface NeutralRequest {
  readonly system: string | null;
  readonly messages: readonly NeutralMessage[];
  readonly tools: readonly NeutralTool[];
  readonly wantsCache: boolean;
  readonly schema: JsonObject | null;
}

export type NeutralMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | AssistantMessage
  | { readonly role: 'tool'; readonly content: string; readonly toolCallId: string };

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly toolCalls: readonly NeutralCall[];
  /** What the answer that it was made from gave to carry (providers.md §5.8); null without any. */
  readonly continuation: string | null;
}

export interface NeutralCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

export interface NeutralTool {
  readonly name: string;
  readonly description: string | null;
  readonly parameters: JsonObject;
}

/**
 * Null for a message, a call or a tool whose members no vendor could be told; their schema only says that they are
 * objects.
 */
export function readRequest(request: JsonObject): NeutralRequest | null {
  const system = request.get('system') ?? null;
  const schema = request.get('schema') ?? null;
  const messages = listOf(request.get('messages'), readMessage);
  const tools = listOf(request.get('tools'), readTool);
  if (
    messages === null ||
    tools === null ||
    (system !== null && typeof system !== 'string') ||
    (schema !== null && !isJsonObject(schema))
  )
    return null;
  return { system, messages, tools, wantsCache: request.get('cache') === true, schema };
}

function listOf<T>(value: JsonValue | undefined, read: (item: JsonValue) => T | null): readonly T[] | null {
  if (value === undefined || value === null) return [];
  if (!isJsonArray(value)) return null;
  const items = value.map(read);
  return items.every((item) => item !== null) ? items : null;
}

function readMessage(value: JsonValue): NeutralMessage | null {
  if (!isJsonObject(value)) return null;
  const role = value.get('role');
  const content = value.get('content') ?? null;
  if (content !== null && typeof content !== 'string') return null;
  if (role === 'assistant') {
    const toolCalls = listOf(value.get('tool_calls'), readCall);
    const continuation = value.get('continuation');
    return toolCalls === null
      ? null
      : { role, content, toolCalls, continuation: typeof continuation === 'string' ? continuation : null };
  }
  if (content === null) return null;
  if (role === 'system' || role === 'user') return { role, content };
  const toolCallId = value.get('tool_call_id');
  return role === 'tool' && typeof toolCallId === 'string' ? { role, content, toolCallId } : null;
}

function readCall(value: JsonValue): NeutralCall | null {
  if (!isJsonObject(value)) return null;
  const id = value.get('id');
  const called = value.get('function');
  const [name, given] = isJsonObject(called)
    ? [called.get('name'), called.get('arguments')]
    : [value.get('name'), value.get('args')];
  if (typeof id !== 'string' || typeof name !== 'string') return null;
  const args = typeof given === 'string' ? parseJsonText(given) : given;
  // What a model wrote and nobody could read goes back to it as no arguments at all.
  return { id, name, args: isJsonObject(args) ? args : new Map() };
}

function readTool(value: JsonValue): NeutralTool | null {
  const tool = isJsonObject(value) ? value.get('function') : undefined;
  if (!isJsonObject(tool)) return null;
  const name = tool.get('name');
  const description = tool.get('description') ?? null;
  const parameters = tool.get('parameters') ?? new Map();
  return typeof name === 'string' &&
    (description === null || typeof description === 'string') &&
    isJsonObject(parameters)
    ? { name, description, parameters }
    : null;
}
