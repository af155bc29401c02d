import type { Finish, Usage } from '../script.ts';
import { argumentsText, listOf, memberAt, textOf, textsIn, type Wire } from './wire.ts';

const FINISH: Readonly<Record<Finish, string>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
  error: 'error',
};

/** Chat completions, as OpenAI, OpenRouter, Groq and servers of their kind speak them. */
export const OPENAI: Wire = {
  name: 'openai',
  serves: (path) => path.endsWith('/chat/completions'),
  credentialHeader: 'authorization',
  readRequest: (_path, body) => ({
    model: textOf(memberAt(body, 'model')),
    texts: listOf(memberAt(body, 'messages')).flatMap(textsIn),
    hasTools: listOf(memberAt(body, 'tools')).length > 0,
    hasSchema: memberAt(body, 'response_format') !== undefined,
  }),
  answer: ({ text, toolCalls = [], finish, usage, override }, { model }, id) => ({
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 1_750_000_000,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text ?? null,
          ...(toolCalls.length > 0 && {
            tool_calls: toolCalls.map((call, at) => ({
              id: call.id ?? `call_${id}_${at}`,
              type: 'function',
              function: { name: call.name, arguments: argumentsText(call.args) },
            })),
          }),
        },
        finish_reason: FINISH[finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')],
      },
    ],
    ...(usage === null ? {} : { usage: usageOf(usage) }),
    ...override,
  }),
  failure: (status, message) => ({ error: { message, type: 'invalid_request_error', code: status } }),
};

function usageOf({ input, output, cacheRead, cost }: Usage = { input: 12, output: 7 }): unknown {
  const total = typeof input === 'number' && typeof output === 'number' ? input + output : undefined;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total,
    ...(cacheRead !== undefined && { prompt_tokens_details: { cached_tokens: cacheRead } }),
    ...(cost !== undefined && { cost }),
  };
}
