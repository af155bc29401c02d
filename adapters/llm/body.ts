import type { ModelDeclaration } from './declaration.ts';
import { effortOf } from './reasoning/effort.ts';
import { thinksWith } from './reasoning/models.ts';
import type { Route } from './route.ts';
import { isRecord } from './wires/record.ts';

type Body = Record<string, unknown>;

/**
 * The last change of a body of chat completions or of Ollama: what its vendor wants otherwise than its library writes
 * it. `members`: those that say how much to think, and that one call is enough.
 */
export function bodyTransform(
  route: Route,
  {
    params,
    schemaMode,
    cache,
    routing,
    server,
  }: Pick<ModelDeclaration, 'params' | 'schemaMode' | 'cache' | 'routing' | 'server'>,
  members: Body,
): (body: Body) => Body {
  const { vendor, model } = route;
  if (route.wire === 'ollama') return (body) => ({ ...body, ...members });
  const needsThought = vendor.prefix === 'deepseek' && thinksWith(route, effortOf(params.reasoning_effort));
  return ({ max_tokens: outputTokens, ...body }) => ({
    ...body,
    [server?.outputLimitMember ?? vendor.outputLimitMember]: outputTokens,
    ...members,
    ...(needsThought && withThoughts(body)),
    ...(schemaMode === 'json_object' &&
      body['response_format'] !== undefined && { response_format: { type: 'json_object' } }),
    ...(vendor.prefix === 'openrouter' && { usage: { include: true } }),
    ...(routing !== null && vendor.prefix === 'openrouter' && { provider: routing }),
    ...(cache && vendor.cache === 'openrouter' && model.startsWith('anthropic/') && cachedByAnthropic(body)),
  });
}

/**
 * DeepSeek refuses a message with calls that has no member for thought. It is empty in a message of another model, or
 * of a turn without any: what a turn of its own thought is put back as it came.
 */
function withThoughts({ messages }: Body): Body {
  if (!Array.isArray(messages)) return {};
  return {
    messages: messages.map((message: unknown) =>
      isRecord(message) && message['tool_calls'] !== undefined && message['reasoning_content'] === undefined
        ? { ...message, reasoning_content: '' }
        : message,
    ),
  };
}

/**
 * OpenRouter passes cache control on to Anthropic alone: it is on the last system message, and nobody else may serve
 * the request.
 */
function cachedByAnthropic(body: Body): Body {
  const { messages } = body;
  const provider = { only: ['anthropic'], allow_fallbacks: false };
  if (!Array.isArray(messages)) return { provider };
  const last = messages.findLastIndex((message) => roleOf(message) === 'system');
  return {
    provider,
    messages: messages.map((message: unknown, at) => (at === last ? withCacheControl(message) : message)),
  };
}

function roleOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null ? Reflect.get(message, 'role') : undefined;
}

function withCacheControl(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('content' in message)) return message;
  return { ...message, content: [{ type: 'text', text: message.content, cache_control: { type: 'ephemeral' } }] };
}
