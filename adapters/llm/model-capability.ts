import { MODEL_CAPABILITY } from '../../contract/provider-protocol/model.ts';
import { requestCapability } from '../request-capability.ts';

const LIST = { type: 'array', items: { type: 'object' } };

/** `llm-request`, as live and as replayed models offer it; the alias is the router's (providers.md §5.3). */
export const modelCapability = requestCapability({
  name: MODEL_CAPABILITY,
  description: 'Asks a language model.',
  input: {
    type: 'object',
    properties: {
      system: { type: 'string' },
      messages: LIST,
      tools: LIST,
      cache: { type: 'boolean' },
      schema: { type: 'object' },
    },
    additionalProperties: false,
  },
});
