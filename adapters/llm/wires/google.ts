import { createGoogle } from '@ai-sdk/google';
import { nodeAt, type VendorWire } from './wire.ts';

/** Gemini's generateContent. */
export const GOOGLE: VendorWire = {
  model: ({ baseUrl, model, credential, fetch }) =>
    createGoogle({ baseURL: baseUrl, apiKey: credential, fetch })(model),
  cacheMark: () => null,
  nativeSchema: {},
  usageStandIn: null,
  usage: (body) => {
    const usage = nodeAt(body, 'usageMetadata');
    return {
      input: nodeAt(usage, 'promptTokenCount'),
      output: nodeAt(usage, 'candidatesTokenCount'),
      thinking: nodeAt(usage, 'thoughtsTokenCount'),
      reasoning: null,
      cacheRead: nodeAt(usage, 'cachedContentTokenCount'),
      cacheCreation: null,
      cost: null,
    };
  },
};
