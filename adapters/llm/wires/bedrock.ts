import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { listed } from '../continuation/put-back.ts';
import { DEFAULT_REGION } from './region.ts';
import { itemsIn, listItem, nodeAt, PLAIN, textIn, type VendorWire } from './wire.ts';

/** Where Amazon's own models are served by several regions of one geography. */
const GEOGRAPHIES: Readonly<Record<string, string>> = { us: 'us.', eu: 'eu.', ap: 'ap.', ca: 'ca.' };

/** Converse. */
export const BEDROCK: VendorWire = {
  ...PLAIN,
  model: ({ baseUrl, model, credential, region, fetch }) => {
    const place = region ?? DEFAULT_REGION;
    return createAmazonBedrock({ region: place, baseURL: baseUrl.replace('REGION', place), fetch, apiKey: credential })(
      bedrockModel(model, place),
    );
  },
  cacheMark: (model) => (model.includes('anthropic.claude') ? { bedrock: { cachePoint: { type: 'default' } } } : null),
  usagePlaceholder: { usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } },
  usage: (body) => {
    const usage = nodeAt(body, 'usage');
    return {
      input: nodeAt(usage, 'inputTokens'),
      output: nodeAt(usage, 'outputTokens'),
      thinking: null,
      reasoning: null,
      cacheRead: nodeAt(usage, 'cacheReadInputTokens'),
      cacheCreation: nodeAt(usage, 'cacheWriteInputTokens'),
      cost: null,
    };
  },
  verbatim: (answer) => {
    const blocks = itemsIn(nodeAt(answer.body, 'output', 'message', 'content'));
    // Claude signs what it thought, and wants it back; DeepSeek does neither.
    return blocks.some(
      (block) =>
        nodeAt(block, 'reasoningContent', 'reasoningText', 'signature') !== null ||
        nodeAt(block, 'reasoningContent', 'redactedContent') !== null,
    )
      ? blocks.map((block) => listItem(answer, block, textIn(nodeAt(block, 'toolUse', 'toolUseId'))))
      : [];
  },
  notation: { marked: (mark) => JSON.stringify({ text: mark }), written: listed },
};

/** Amazon's own ids are asked for by the geography of the region (providers.md §5.1). */
export function bedrockModel(model: string, region: string): string {
  return model.startsWith('amazon.') ? `${GEOGRAPHIES[region.slice(0, 2)] ?? ''}${model}` : model;
}
