import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { parseJsonText } from './json-text.ts';

/** A request to a model, for any vendor (providers.md §5.3). */
export interface NeutralRequest {
  readonly system: string | null;
  readonly messages: readonly NeutralMessage[];
  readonly tools: readonly NeutralTool[];
  readonly wantsCache: boolean;
  readonly schema: JsonObject | null;
}

export type NeutralMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: readonly UserPart[] }
  | AssistantMessage
  | { readonly role: 'tool'; readonly content: string; readonly toolCallId: string };

export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  /** `data`: base64. */
  | { readonly type: 'image'; readonly mediaType: ImageType; readonly data: string };

/** Images that every vendor with models that see takes. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

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
 * Null for a message, a call or a tool whose members no vendor could be sent; their schema only says that they are
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
  if (role === 'user') {
    const parts = typeof content === 'string' ? [textPart(content)] : partsOf(content);
    return parts === null ? null : { role, content: parts };
  }
  if (content !== null && typeof content !== 'string') return null;
  if (role === 'assistant') {
    const toolCalls = listOf(value.get('tool_calls'), readCall);
    const continuation = value.get('continuation');
    return toolCalls === null
      ? null
      : { role, content, toolCalls, continuation: typeof continuation === 'string' ? continuation : null };
  }
  if (content === null) return null;
  if (role === 'system') return { role, content };
  const toolCallId = value.get('tool_call_id');
  return role === 'tool' && typeof toolCallId === 'string' ? { role, content, toolCallId } : null;
}

function partsOf(content: JsonValue): readonly UserPart[] | null {
  return isJsonArray(content) && content.length > 0 ? listOf(content, readPart) : null;
}

function textPart(text: string): UserPart {
  return { type: 'text', text };
}

function readPart(value: JsonValue): UserPart | null {
  if (!isJsonObject(value)) return null;
  const [type, text, named, data] = ['type', 'text', 'media_type', 'data'].map((name) => value.get(name));
  if (type === 'text') return typeof text === 'string' ? textPart(text) : null;
  const mediaType = IMAGE_TYPES.find((one) => one === named);
  return type === 'image' && mediaType !== undefined && isBase64(data) ? { type, mediaType, data } : null;
}

function isBase64(data: JsonValue | undefined): data is string {
  return typeof data === 'string' && data !== '' && Buffer.from(data, 'base64').toString('base64') === data;
}

function readCall(value: JsonValue): NeutralCall | null {
  if (!isJsonObject(value)) return null;
  const id = value.get('id');
  const called = value.get('function');
  const [name, input] = isJsonObject(called)
    ? [called.get('name'), called.get('arguments')]
    : [value.get('name'), value.get('args')];
  if (typeof id !== 'string' || typeof name !== 'string') return null;
  const args = typeof input === 'string' ? parseJsonText(input) : input;
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
