import type { Finish, Usage } from '../script.ts';
import { listOf, memberAt, textOf, textsIn, type Wire } from './wire.ts';

const FINISH: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  error: 'error',
};

/** Anthropic's Messages API. */
export const ANTHROPIC: Wire = {
  name: 'anthropic',
  serves: (path) => path.endsWith('/messages'),
  credentialHeader: 'x-api-key',
  readRequest: (_path, body) => ({
    model: textOf(memberAt(body, 'model')),
    texts: [...textsIn(memberAt(body, 'system')), ...listOf(memberAt(body, 'messages')).flatMap(textsIn)],
    hasTools: listOf(memberAt(body, 'tools')).length > 0,
    hasSchema: memberAt(body, 'output_format') !== undefined || memberAt(body, 'output_config') !== undefined,
  }),
  answer: ({ text, toolCalls = [], finish, usage, override }, { model }, id) => ({
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(text === undefined || text === null ? [] : [{ type: 'text', text }]),
      ...toolCalls.map((call, at) => ({
        type: 'tool_use',
        id: call.id ?? `toolu_${id}_${at}`,
        name: call.name,
        input: call.args,
      })),
    ],
    stop_reason: FINISH[finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')],
    stop_sequence: null,
    ...(usage === null ? {} : { usage: usageOf(usage) }),
    ...override,
  }),
  failure: (status, message) => ({
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'invalid_request_error', message },
  }),
};

function usageOf({ input, output, cacheRead, cacheCreation }: Usage = { input: 12, output: 7 }): unknown {
  return {
    input_tokens: input,
    output_tokens: output,
    ...(cacheRead !== undefined && { cache_read_input_tokens: cacheRead }),
    ...(cacheCreation !== undefined && { cache_creation_input_tokens: cacheCreation }),
  };
}
