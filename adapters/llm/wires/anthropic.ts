import { createAnthropic } from '@ai-sdk/anthropic';
import { listed } from '../continuation/put-back.ts';
import { itemsIn, listItem, nodeAt, PLAIN, textIn, type VendorWire } from './wire.ts';

/** Blocks that programs are given whole, so that nothing else has to be carried for them. */
const PLAIN_BLOCKS: ReadonlySet<string | null> = new Set(['text', 'tool_use']);

/** The Messages API. */
export const ANTHROPIC: VendorWire = {
  ...PLAIN,
  model: ({ baseUrl, model, credential, fetch }) =>
    createAnthropic({ baseURL: baseUrl, apiKey: credential, fetch })(model),
  cacheMark: () => ({ anthropic: { cacheControl: { type: 'ephemeral' } } }),
  nativeSchema: () => ({ anthropic: { structuredOutputMode: 'outputFormat' } }),
  usagePlaceholder: { usage: { input_tokens: 0, output_tokens: 0 } },
  usage: (body) => {
    const usage = nodeAt(body, 'usage');
    return {
      input: nodeAt(usage, 'input_tokens'),
      output: nodeAt(usage, 'output_tokens'),
      thinking: null,
      reasoning: null,
      cacheRead: nodeAt(usage, 'cache_read_input_tokens'),
      cacheCreation: nodeAt(usage, 'cache_creation_input_tokens'),
      cost: null,
    };
  },
  verbatim: (answer) => {
    const blocks = itemsIn(nodeAt(answer.body, 'content'));
    return blocks.every((block) => PLAIN_BLOCKS.has(textIn(nodeAt(block, 'type'))))
      ? []
      : blocks.map((block) =>
          listItem(answer, block, textIn(nodeAt(block, 'type')) === 'tool_use' ? textIn(nodeAt(block, 'id')) : null),
        );
  },
  notation: { marked: (mark) => JSON.stringify({ type: 'text', text: mark }), written: listed },
};
