import { randomUUID } from 'node:crypto';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
} from '@ai-sdk/provider';
import { utf8Length } from '../../../contract/json/utf8.ts';
import type { VerbatimItem } from '../continuation/verbatim-item.ts';
import { verbatimMembers, MESSAGE } from './message-members.ts';
import { isRecord, recordOf } from './record.ts';
import { nodeAt, PLAIN, type VendorWire, type WireSettings } from './wire.ts';

/** Ollama's own chat API, which keeps reasoning and counts apart from the answer; the AI SDK has no package for it. */
export const OLLAMA: VendorWire = {
  ...PLAIN,
  model: (settings) => ({ doGenerate: async (options) => generate(settings, options) }),
  cacheMark: () => null,
  usage: (body) => ({
    input: nodeAt(body, 'prompt_eval_count'),
    output: nodeAt(body, 'eval_count'),
    thinking: null,
    reasoning: null,
    cacheRead: null,
    cacheCreation: null,
    cost: null,
  }),
  verbatim: (answer) => verbatimMembers(answer, nodeAt(answer.body, 'message'), ['thinking']),
  notation: MESSAGE,
  finished: (body, items) => withContext(body, items),
};

/** The context that Ollama gives a model on most machines; less is never asked for. */
const CONTEXT_TOKENS_MIN = 4096;
/**
 * Bytes of a request that count as one token. Prose has some four, source code and JSON three, and long numbers may
 * have less; the whole request is counted here, with the names of its members.
 */
const BYTES_A_TOKEN = 2;

/** No more than a model that runs on one's own machine makes of an image. */
const IMAGE_TOKENS = 4096;

/**
 * Asks for a context that holds the prompt and the whole answer, and for an error where there is less. Ollama gives
 * most machines 4096 tokens, fewer than an agent's second turn, and without these members it drops the oldest messages
 * of a longer prompt without a word (docs.ollama.com/context-length). Powers of two: a model is loaded again whenever
 * the size changes, and a conversation that grows should seldom do that. Ollama itself takes no more than the model
 * has.
 */
function withContext(body: string, items: readonly VerbatimItem[]): string {
  const request = recordOf(JSON.parse(body));
  const { options, ...members } = request;
  const settings = recordOf(options);
  const images = (Array.isArray(request['messages']) ? request['messages'] : []).flatMap((message: unknown) => {
    const shown = recordOf(message)['images'];
    return Array.isArray(shown) ? shown.map(String) : [];
  });
  // What a turn brought back is not in the body yet; what an image takes does not follow from its bytes.
  const bytes =
    items.reduce((sum, { json }) => sum + utf8Length(json), utf8Length(body)) -
    images.reduce((sum, data) => sum + data.length, 0);
  const needed = Math.ceil(bytes / BYTES_A_TOKEN) + images.length * IMAGE_TOKENS + Number(settings['num_predict'] ?? 0);
  const context = 2 ** Math.ceil(Math.log2(Math.max(CONTEXT_TOKENS_MIN, needed)));
  return JSON.stringify({ ...members, truncate: false, shift: false, options: { ...settings, num_ctx: context } });
}

async function generate(
  { baseUrl, model, credential, fetch, transform }: WireSettings,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4GenerateResult> {
  const { prompt, tools = [], maxOutputTokens, temperature, topP, seed } = options;
  const body = transform({
    model,
    messages: prompt.flatMap(messagesOf),
    stream: false,
    ...(tools.length > 0 && { tools: tools.flatMap(toolOf) }),
    options: {
      num_predict: maxOutputTokens,
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { top_p: topP }),
      ...(seed !== undefined && { seed }),
    },
  });
  const response = await fetch(`${baseUrl}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    body: JSON.stringify(body),
  });
  return resultOf(await response.json());
}

function messagesOf(message: LanguageModelV4Message): readonly unknown[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [{ role: 'user', content: textsOf(message.content), ...imagesOf(message.content) }];
    case 'assistant': {
      const calls = message.content.flatMap((part) =>
        part.type === 'tool-call' ? [{ function: { name: part.toolName, arguments: part.input } }] : [],
      );
      return [
        {
          role: 'assistant',
          content: textsOf(message.content),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
      ];
    }
    case 'tool':
      return message.content.flatMap((part) =>
        part.type === 'tool-result' && part.output.type === 'text'
          ? [{ role: 'tool', tool_name: part.toolName, content: part.output.value }]
          : [],
      );
  }
}

function textsOf(parts: readonly { readonly type: string; readonly text?: unknown }[]): string {
  return parts.map((part) => (part.type === 'text' && typeof part.text === 'string' ? part.text : '')).join('');
}

function imagesOf(parts: Extract<LanguageModelV4Message, { role: 'user' }>['content']): { readonly images?: string[] } {
  const images = parts.flatMap((part) =>
    part.type === 'file' && part.data.type === 'data' && typeof part.data.data === 'string' ? [part.data.data] : [],
  );
  return images.length === 0 ? {} : { images };
}

function toolOf(tool: NonNullable<LanguageModelV4CallOptions['tools']>[number]): readonly unknown[] {
  if (tool.type !== 'function') return [];
  const { name, description, inputSchema: parameters } = tool;
  return [{ type: 'function', function: { name, ...(description !== undefined && { description }), parameters } }];
}

/** Throws for what is no answer. */
function resultOf(answer: unknown): LanguageModelV4GenerateResult {
  const { message, done_reason: reason } = recordOf(answer);
  if (!isRecord(message)) throw new TypeError('an answer of Ollama has a message');
  const { content, thinking, tool_calls: calls } = message;
  const called = (Array.isArray(calls) ? calls : []).map(callOf);
  const parts: LanguageModelV4Content[] = [
    ...(typeof thinking === 'string' && thinking !== '' ? [{ type: 'reasoning' as const, text: thinking }] : []),
    ...(typeof content === 'string' && content !== '' ? [{ type: 'text' as const, text: content }] : []),
    ...called,
  ];
  return {
    content: parts,
    finishReason: { unified: finishOf(reason, called.length > 0), raw: String(reason) },
    // Counts are read where those of every wire are.
    usage: {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
    warnings: [],
  };
}

function callOf(call: unknown): LanguageModelV4Content {
  const { id, function: called } = recordOf(call);
  const { name, arguments: args } = recordOf(called);
  return {
    type: 'tool-call',
    // Not every version of it gives its calls an id.
    toolCallId: typeof id === 'string' && id !== '' ? id : `call_${randomUUID()}`,
    toolName: typeof name === 'string' ? name : '',
    input: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
  };
}

function finishOf(reason: unknown, hasCalls: boolean): LanguageModelV4FinishReason['unified'] {
  if (reason === 'length') return 'length';
  if (reason !== 'stop') return 'other';
  return hasCalls ? 'tool-calls' : 'stop';
}
