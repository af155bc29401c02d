import { canonicalJson } from '../../contract/json/canonical.ts';
import type { JsonText } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import type { CapabilityFacts } from '../../contract/provider-protocol/capability.ts';
import { MODEL_CAPABILITY } from '../../contract/provider-protocol/model.ts';

/** What a selection allows of one call: canonical bytes and milliseconds. */
export interface ModelBounds {
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly timeoutMs: number;
}

const INPUT_SCHEMA: JsonText = inputSchema();

/** `llm-request`, as live and as replayed models offer it; the alias is the router's (providers.md §5.3). */
export function modelCapability({ requestBytes, responseBytes, timeoutMs }: ModelBounds): CapabilityFacts<JsonText> {
  return {
    name: MODEL_CAPABILITY,
    description: 'Asks a language model.',
    effect: 'read',
    isModelVisible: false,
    inputSchema: INPUT_SCHEMA,
    outputSchema: null,
    timeoutMs,
    argumentBytes: requestBytes,
    resultBytes: responseBytes,
    inspectionCapture: 'full',
  };
}

/** No key beside these. */
function inputSchema(): JsonText {
  const list = { type: 'array', items: { type: 'object' } };
  const schema = jsonFromPlain({
    type: 'object',
    properties: { system: { type: 'string' }, messages: list, tools: { ...list }, cache: { type: 'boolean' }, schema: { type: 'object' } },
    additionalProperties: false,
  });
  if (schema === undefined) throw new TypeError('a schema is JSON');
  return canonicalJson(schema);
}
