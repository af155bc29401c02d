import { DECISION_CAPABILITY } from '../../../contract/provider-protocol/decision.ts';
import { MODEL_CAPABILITY } from '../../../contract/provider-protocol/model.ts';
import type { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { Capability, Verdict } from '../../calls/broker/capability.ts';
import { checkDecisionRequest, withQuestions } from './decision-request.ts';
import { checkModelRequest, withRequestSchema } from './model-request.ts';

/** What one kind of models is asked, and how its requests and answers are checked. */
export interface RoutedForm {
  readonly name: string;
  /** Of a request as it was submitted, its alias included. */
  readonly check: (input: JsonObject) => Verdict;
  /** The model behind the alias, as one request without the alias finds it. */
  readonly target: (model: Capability, input: SerializedJson<JsonObject>) => Capability;
}

/** The kinds of models, in the order in which a workflow is shown their capabilities (providers.md §5.3, §11). */
export const ROUTED_FORMS: readonly RoutedForm[] = [
  { name: MODEL_CAPABILITY, check: checkModelRequest, target: withRequestSchema },
  { name: DECISION_CAPABILITY, check: checkDecisionRequest, target: withQuestions },
];
