import type { ModelDeclaration } from './declaration.ts';
import type { Route } from './route.ts';

type Body = Record<string, unknown>;

/** The last change of a chat completions body: what its vendor wants otherwise than its library writes it. */
export function bodyTransform(
  { vendor, model }: Route,
  { params, schemaMode, cache, routing }: Pick<ModelDeclaration, 'params' | 'schemaMode' | 'cache' | 'routing'>,
  maxTokens: number,
): (body: Body) => Body {
  return ({ max_tokens: written, ...body }) => ({
    ...body,
    [vendor.outputLimitMember]: written ?? maxTokens,
    ...(params.reasoning_effort !== undefined && { reasoning_effort: params.reasoning_effort }),
    ...(schemaMode === 'json_object' &&
      body['response_format'] !== undefined && { response_format: { type: 'json_object' } }),
    ...(vendor.prefix === 'openrouter' && { usage: { include: true } }),
    ...(routing !== null && vendor.prefix === 'openrouter' && { provider: routing }),
    ...(cache && vendor.cache === 'openrouter' && model.startsWith('anthropic/') && cachedByAnthropic(body)),
  });
}

/**
 * OpenRouter passes cache control on to Anthropic alone: it stands on the last system message, and nobody else may
 * serve the request.
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
