import type { Finish, Usage } from '../script.ts';
import { listOf, memberAt, textsIn, type Wire } from './wire.ts';

const FINISH: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'content_filtered',
  error: 'error',
};

/** Amazon Bedrock's Converse. The signature is taken as it comes: what is checked is who may know of it. */
export const BEDROCK: Wire = {
  name: 'bedrock',
  serves: (path) => path.endsWith('/converse'),
  credentialHeader: 'authorization',
  readRequest: (path, body) => ({
    model: decodeURIComponent(/\/model\/([^/]+)\/converse$/.exec(path)?.[1] ?? ''),
    texts: [...textsIn(memberAt(body, 'system')), ...listOf(memberAt(body, 'messages')).flatMap(textsIn)],
    hasTools: listOf(memberAt(memberAt(body, 'toolConfig'), 'tools')).length > 0,
    hasSchema: memberAt(body, 'outputConfig') !== undefined,
  }),
  answer: ({ text, toolCalls = [], finish, usage, override }, _asked, id) => ({
    metrics: { latencyMs: 1 },
    output: {
      message: {
        role: 'assistant',
        content: [
          ...(text === undefined || text === null ? [] : [{ text }]),
          ...toolCalls.map((call, at) => ({
            toolUse: { toolUseId: call.id ?? `tooluse_${id}_${at}`, name: call.name, input: call.args },
          })),
        ],
      },
    },
    stopReason: FINISH[finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')],
    ...(usage === null ? {} : { usage: usageOf(usage) }),
    ...override,
  }),
  failure: (_status, message) => ({ message }),
};

function usageOf({ input, output, cacheRead, cacheCreation }: Usage = { input: 12, output: 7 }): unknown {
  const total = typeof input === 'number' && typeof output === 'number' ? input + output : undefined;
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: total,
    ...(cacheRead !== undefined && { cacheReadInputTokens: cacheRead }),
    ...(cacheCreation !== undefined && { cacheWriteInputTokens: cacheCreation }),
  };
}
