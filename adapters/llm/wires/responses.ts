import { createOpenAI } from '@ai-sdk/openai';
import { listed } from '../continuation/put-back.ts';
import { recordOf } from './record.ts';
import { itemsIn, listItem, nodeAt, PLAIN, textIn, type VendorWire } from './wire.ts';

/** Least `max_output_tokens` that OpenAI takes. */
const OUTPUT_TOKENS_MIN = 16;

/** OpenAI's Responses. */
export const RESPONSES: VendorWire = {
  ...PLAIN,
  model: ({ baseUrl, model, credential, fetch }) =>
    createOpenAI({ baseURL: baseUrl, apiKey: credential, fetch }).responses(model),
  cacheMark: () => null,
  nativeSchema: (isStrict) => ({ openai: { strictJsonSchema: isStrict } }),
  usage: (body) => {
    const usage = nodeAt(body, 'usage');
    return {
      input: nodeAt(usage, 'input_tokens'),
      output: nodeAt(usage, 'output_tokens'),
      thinking: null,
      reasoning: nodeAt(usage, 'output_tokens_details', 'reasoning_tokens'),
      cacheRead: nodeAt(usage, 'input_tokens_details', 'cached_tokens'),
      cacheCreation: nodeAt(usage, 'input_tokens_details', 'cache_write_tokens'),
      cost: null,
    };
  },
  usagePlaceholder: { usage: { input_tokens: 0, output_tokens: 0 } },
  readable: (text) => {
    if (!text.includes('"refusal"')) return text;
    const answer = recordOf(JSON.parse(text));
    const { output } = answer;
    return Array.isArray(output) ? JSON.stringify({ ...answer, output: output.map(withReadableContent) }) : text;
  },
  refusals: (body) =>
    itemsIn(nodeAt(body, 'output'))
      .flatMap((item) => itemsIn(nodeAt(item, 'content')))
      .flatMap((part) => textIn(nodeAt(part, 'refusal')) ?? []),
  // Everything that the model put out is put in again, as the vendor says.
  verbatim: (answer) => {
    const items = itemsIn(nodeAt(answer.body, 'output'));
    const isPlain = items.every((item) => textIn(nodeAt(item, 'type')) === 'message' && nodeAt(item, 'phase') === null);
    return isPlain
      ? []
      : items.map((item) =>
          listItem(
            answer,
            item,
            textIn(nodeAt(item, 'type')) === 'function_call' ? textIn(nodeAt(item, 'call_id')) : null,
          ),
        );
  },
  notation: { marked: (mark) => JSON.stringify({ role: 'assistant', content: mark }), written: listed },
  outputTokensMin: OUTPUT_TOKENS_MIN,
};

/** The library knows no other part of a message than a text. */
function withReadableContent(item: unknown): unknown {
  const message = recordOf(item);
  const { content } = message;
  return Array.isArray(content) ? { ...message, content: content.map(readablePart) } : item;
}

function readablePart(part: unknown): unknown {
  const { type, refusal } = recordOf(part);
  return type === 'refusal' ? { type: 'output_text', text: refusal, annotations: [], logprobs: [] } : part;
}
