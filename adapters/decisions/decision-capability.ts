import { canonicalJson } from '../../contract/json/canonical.ts';
import type { JsonText } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import type { CapabilityFacts } from '../../contract/provider-protocol/capability.ts';
import { DECISION_CAPABILITY } from '../../contract/provider-protocol/decision.ts';
import type { ModelTerms } from '../../contract/provider-protocol/model.ts';
import { microunitsOf } from '../cost.ts';
import type { ModelBounds } from '../llm/model-capability.ts';

/** What one decision may use at most, as its installation declares it; reserved exactly (providers.md §11). */
export interface DecisionBounds {
  /** Dollars, as the decimal text of the host document. */
  readonly maxCost: string;
  readonly maxTokens: number;
}

const INPUT_SCHEMA: JsonText = inputSchema();

/** `decision-request`, as live and as replayed decision models offer it. */
export function decisionCapability({ requestBytes, responseBytes, timeoutMs }: ModelBounds): CapabilityFacts<JsonText> {
  return {
    name: DECISION_CAPABILITY,
    description: 'Decides questions about a state.',
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

/** The reservation of every call; of a price that no usage record holds, the most that one does. */
export function decisionTerms({ maxCost, maxTokens }: DecisionBounds): ModelTerms {
  const microunits = microunitsOf(maxCost);
  return { kind: 'fixed', outputTokens: maxTokens, tokens: maxTokens, costMicrousd: microunits === null ? Number.MAX_SAFE_INTEGER : Number(microunits) };
}

function inputSchema(): JsonText {
  const question = { type: 'object', properties: { type: { type: 'string', enum: ['boolean', 'choice', 'score'] }, instructions: { type: 'string' }, criteria: {} }, required: ['type', 'instructions'], additionalProperties: false };
  const schema = jsonFromPlain({ type: 'object', properties: { state: {}, questions: { type: 'object', additionalProperties: question } }, required: ['questions', 'state'], additionalProperties: false });
  if (schema === undefined) throw new TypeError('a schema is JSON');
  return canonicalJson(schema);
}
