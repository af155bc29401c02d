import { DECISION_CAPABILITY } from '../../contract/provider-protocol/decision.ts';
import type { ModelTerms } from '../../contract/provider-protocol/model.ts';
import { microunitsOf } from '../cost.ts';
import { requestCapability } from '../request-capability.ts';

/** What one decision may use at most, as its installation declares it; reserved exactly (providers.md §11). */
export interface DecisionBounds {
  /** Dollars, as the decimal text of the host document. */
  readonly maxCost: string;
  readonly maxTokens: number;
}

const QUESTION = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['boolean', 'choice', 'score'] },
    instructions: { type: 'string' },
    criteria: {},
  },
  required: ['type', 'instructions'],
  additionalProperties: false,
};

/** `decision-request`, as live and as replayed decision models offer it. */
export const decisionCapability = requestCapability({
  name: DECISION_CAPABILITY,
  description: 'Decides questions about a state.',
  input: {
    type: 'object',
    properties: { state: {}, questions: { type: 'object', additionalProperties: QUESTION } },
    required: ['questions', 'state'],
    additionalProperties: false,
  },
});

/** The reservation of every call; of a price that no usage record holds, the most that one does. */
export function decisionTerms({ maxCost, maxTokens }: DecisionBounds): ModelTerms {
  const microunits = microunitsOf(maxCost);
  return {
    kind: 'fixed',
    outputTokens: maxTokens,
    tokens: maxTokens,
    costMicrousd: microunits === null ? Number.MAX_SAFE_INTEGER : Number(microunits),
  };
}
