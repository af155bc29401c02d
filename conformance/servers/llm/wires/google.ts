import type { Finish, Usage } from '../script.ts';
import { listOf, memberAt, textsIn, type Wire } from './wire.ts';

const FINISH: Readonly<Record<Finish, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
  error: 'OTHER',
};

/** Gemini's generateContent. */
export const GOOGLE: Wire = {
  name: 'google',
  serves: (path) => path.endsWith(':generateContent'),
  credentialHeader: 'x-goog-api-key',
  readRequest: (path, body) => ({
    model: /\/models\/([^/:]+):generateContent$/.exec(path)?.[1] ?? null,
    texts: [...textsIn(memberAt(body, 'systemInstruction')), ...listOf(memberAt(body, 'contents')).flatMap(textsIn)],
    hasTools: listOf(memberAt(body, 'tools')).length > 0,
    hasSchema:
      memberAt(memberAt(body, 'generationConfig'), 'responseSchema') !== undefined ||
      memberAt(memberAt(body, 'generationConfig'), 'responseJsonSchema') !== undefined,
  }),
  answer: ({ text, toolCalls = [], finish, usage, override }, { model }, id) => ({
    responseId: `response-${id}`,
    modelVersion: model,
    candidates: [
      {
        index: 0,
        content: {
          role: 'model',
          parts: [
            ...(text === undefined || text === null ? [] : [{ text }]),
            ...toolCalls.map((call) => ({ functionCall: { name: call.name, args: call.args } })),
          ],
        },
        finishReason: FINISH[finish ?? 'stop'],
      },
    ],
    ...(usage === null ? {} : { usageMetadata: usageOf(usage) }),
    ...override,
  }),
  failure: (status, message) => ({ error: { code: status, message, status: 'INVALID_ARGUMENT' } }),
};

function usageOf({ input, output, cacheRead }: Usage = { input: 12, output: 7 }): unknown {
  const total = typeof input === 'number' && typeof output === 'number' ? input + output : undefined;
  return {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: total,
    ...(cacheRead !== undefined && { cachedContentTokenCount: cacheRead }),
  };
}
