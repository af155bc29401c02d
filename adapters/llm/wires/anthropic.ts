import { createAnthropic } from '@ai-sdk/anthropic';
import { nodeAt, type VendorWire } from './wire.ts';

/** The Messages API. */
export const ANTHROPIC: VendorWire = {
  model: ({ baseUrl, model, credential, fetch }) =>
    createAnthropic({ baseURL: baseUrl, apiKey: credential, fetch })(model),
  cacheMark: () => ({ anthropic: { cacheControl: { type: 'ephemeral' } } }),
  nativeSchema: { anthropic: { structuredOutputMode: 'outputFormat' } },
  usageStandIn: { usage: { input_tokens: 0, output_tokens: 0 } },
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
};
