import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { JsonNode } from '../../../contract/json/node.ts';
import { verbatimMembers, MESSAGE } from './message-members.ts';
import { isRecord, recordOf } from './record.ts';
import { itemsIn, nodeAt, PLAIN, textIn, type VendorWire } from './wire.ts';

/** Chat completions. */
export const CHAT: VendorWire = {
  ...PLAIN,
  model: ({ baseUrl, model, credential, fetch, transform }) =>
    createOpenAICompatible({
      name: 'openai',
      baseURL: baseUrl,
      apiKey: credential,
      fetch,
      supportsStructuredOutputs: true,
      transformRequestBody: transform,
    }).chatModel(model),
  cacheMark: () => null,
  nativeSchema: (isStrict) => ({ openai: { strictJsonSchema: isStrict } }),
  usage: (body) => {
    const usage = nodeAt(body, 'usage');
    return {
      input: nodeAt(usage, 'prompt_tokens'),
      output: nodeAt(usage, 'completion_tokens'),
      thinking: null,
      reasoning: nodeAt(usage, 'completion_tokens_details', 'reasoning_tokens'),
      cacheRead: nodeAt(usage, 'prompt_tokens_details', 'cached_tokens'),
      cacheCreation: nodeAt(usage, 'prompt_tokens_details', 'cache_write_tokens'),
      cost: nodeAt(usage, 'cost'),
    };
  },
  readable: (text) => {
    if (!text.includes('"thinking"')) return text;
    const answer = recordOf(JSON.parse(text));
    const { choices } = answer;
    return Array.isArray(choices) ? JSON.stringify({ ...answer, choices: choices.map(withPlainContent) }) : text;
  },
  refusals: (body) => {
    const refusal = textIn(nodeAt(messageIn(body), 'refusal'));
    return refusal === null || refusal === '' ? [] : [refusal];
  },
  verbatim: (answer, { carried }) => verbatimMembers(answer, messageIn(answer.body), carried),
  notation: MESSAGE,
};

function messageIn(body: JsonNode): JsonNode | null {
  return nodeAt(itemsIn(nodeAt(body, 'choices'))[0] ?? null, 'message');
}

/** A choice whose content is a text, with its thought apart from it: Mistral writes both as one list. */
function withPlainContent(choice: unknown): unknown {
  const message = recordOf(choice)['message'];
  const content = recordOf(message)['content'];
  if (!isRecord(choice) || !isRecord(message) || !Array.isArray(content)) return choice;
  const thinking = content.filter(isThinking).flatMap((chunk) => chunk['thinking']);
  const text = textsOf(content.filter((chunk) => !isThinking(chunk)));
  return {
    ...choice,
    message: { ...message, content: text, ...(thinking.length > 0 && { reasoning_content: textsOf(thinking) }) },
  };
}

function isThinking(chunk: unknown): chunk is Record<string, unknown> {
  return isRecord(chunk) && chunk['type'] === 'thinking';
}

function textsOf(chunks: readonly unknown[]): string {
  return chunks
    .map((chunk) => recordOf(chunk)['text'])
    .filter((text) => typeof text === 'string')
    .join('');
}
