import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { nodeAt, type VendorWire } from './wire.ts';

/** Chat completions. */
export const OPENAI: VendorWire = {
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
  nativeSchema: {},
  usageStandIn: null,
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
};
