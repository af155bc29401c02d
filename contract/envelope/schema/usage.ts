import { NAME } from '../../diagnostics/grammar.ts';
import { EVALUATION_ERROR_KINDS, EVALUATION_ERROR_LENGTH_MAX } from '../execution.ts';
import { BUDGET_STATES, USAGE_BOUNDS } from '../usage.ts';
import { EXECUTION_DIAGNOSTIC } from './diagnostics.ts';
import {
  BOOLEAN,
  COUNT,
  NULL,
  anyOf,
  array,
  constant,
  integer,
  map,
  object,
  oneOfValues,
  orNull,
  pattern,
  reference,
  string,
  type SchemaNode,
} from './nodes.ts';

/** Usage and execution records in the schema (interface.md §1.2.8, §1.2.6). */

const AMOUNT = integer(0, USAGE_BOUNDS.integer);
const LIMIT = integer(1, USAGE_BOUNDS.integer);
const COST = object({ currency: constant('USD'), microunits: AMOUNT });

const CAPABILITY_KEY = '(?:workflow|mission)/[a-z][a-z0-9._/-]{0,127}';
const EVENT_KEY = '[a-z][a-z0-9-]{0,127}|\\$overflow';
const DENIAL_KEY = '[a-z][a-z0-9_]{0,63}|\\$overflow';
const REFUSAL_SEGMENT = '(?:[a-z][a-z0-9_]{0,63}|unknown|sha256:[0-9a-f]{64})';
const REFUSAL_KEY = `(?:workflow|mission)/${REFUSAL_SEGMENT}/${REFUSAL_SEGMENT}|\\$overflow`;

const TOKEN_BUDGET = object({
  state: oneOfValues(BUDGET_STATES),
  limit: LIMIT,
  reserved: constant(0),
  charged: AMOUNT,
  remaining: AMOUNT,
  refused: AMOUNT,
});

const COST_BUDGET = object({
  state: oneOfValues(BUDGET_STATES),
  currency: constant('USD'),
  limit_microusd: LIMIT,
  reserved_microusd: constant(0),
  charged_microusd: AMOUNT,
  remaining_microusd: AMOUNT,
  refused: AMOUNT,
});

const SPEND = anyOf([
  object({ state: oneOfValues(['empty', 'incomplete', 'overflow']) }),
  object({ state: constant('unpriced'), input: AMOUNT, output: AMOUNT }),
  object({ state: constant('available'), input: AMOUNT, output: AMOUNT, total_cost: COST }),
]);

const CALLS = {
  calls: COUNT,
  missing_usage_calls: COUNT,
  successful_calls: COUNT,
  usage_calls: COUNT,
  usage_overflow: BOOLEAN,
  usage: object({}, { cache_creation: AMOUNT, cache_read: AMOUNT, input: AMOUNT, output: AMOUNT, total_cost: COST }),
};

const ROWS = { maxItems: USAGE_BOUNDS.rows };
export const ALIAS_ROWS = array(reference('alias_usage'), ROWS);

const SHARED = {
  remaining_ms: COUNT,
  capability_calls: map(CAPABILITY_KEY, COUNT, USAGE_BOUNDS.counts),
  subordinate_evaluations: COUNT,
  evaluations_by_mission: map(NAME, COUNT, USAGE_BOUNDS.counts),
  protocol_errors: COUNT,
  agent_protocol_errors: COUNT,
  evaluation_memory_bytes: COUNT,
  evaluation_history_bytes: COUNT,
  evaluation_continuation_bytes: COUNT,
  events_dropped: map(EVENT_KEY, COUNT, USAGE_BOUNDS.counts),
  capability_refusals: map(REFUSAL_KEY, COUNT, USAGE_BOUNDS.refusals),
  capability_denials: map(DENIAL_KEY, COUNT, USAGE_BOUNDS.refusals),
  llm_budget: object({ total_tokens: orNull(TOKEN_BUDGET), cost: orNull(COST_BUDGET) }),
  llm_spend: SPEND,
};

const LAST_ERROR = object({
  kind: oneOfValues(EVALUATION_ERROR_KINDS),
  message: string(1, EVALUATION_ERROR_LENGTH_MAX),
});

const USAGE = reference('usage');
const MEMORY = reference('evaluation_memory');

export const NOT_STARTED = object({ state: constant('not_started') });

/** `lastError`: null on private runs, the record or null on normal ones. */
function incomplete(lastError: SchemaNode): SchemaNode {
  return object({
    state: constant('incomplete'),
    usage: orNull(USAGE),
    evaluation_memory: orNull(MEMORY),
    last_evaluation_error: lastError,
  });
}

export const FINISHED_OK = object({
  state: constant('finished'),
  outcome: constant('ok'),
  diagnostic: NULL,
  usage: USAGE,
  evaluation_memory: MEMORY,
  last_evaluation_error: NULL,
});

function finishedError(lastError: SchemaNode): SchemaNode {
  return object({
    state: constant('finished'),
    outcome: constant('error'),
    diagnostic: EXECUTION_DIAGNOSTIC,
    usage: USAGE,
    evaluation_memory: MEMORY,
    last_evaluation_error: lastError,
  });
}

/** What each artifact class lets a run say about its execution. */
export function executions(artifactClass: 'normal' | 'private') {
  const lastError = artifactClass === 'private' ? NULL : orNull(reference('evaluation_error'));
  const schemaNodes = [NOT_STARTED, incomplete(lastError)];
  return { begun: anyOf(schemaNodes), any: anyOf([...schemaNodes, FINISHED_OK, finishedError(lastError)]) };
}

export const USAGE_DEFINITIONS: Readonly<Record<string, SchemaNode>> = {
  alias_usage: object({ alias: pattern(NAME), installation_revision: pattern(NAME), ...CALLS }),
  model_usage: object({ resolved_model: string(1, USAGE_BOUNDS.resolvedModelLength), ...CALLS }),
  usage: anyOf([
    object({
      ...SHARED,
      llm_usage_state: constant('available'),
      llm_usage: ALIAS_ROWS,
      llm_usage_by_model: array(reference('model_usage'), ROWS),
      unattributed_model_calls: COUNT,
    }),
    object({
      ...SHARED,
      llm_usage_state: constant('unavailable'),
      llm_usage: NULL,
      llm_usage_by_model: NULL,
      unattributed_model_calls: NULL,
    }),
  ]),
  evaluation_memory: object({
    bytes: COUNT,
    defined_count: COUNT,
    history_bytes: COUNT,
    history_count: COUNT,
    memory_bytes: COUNT,
  }),
  evaluation_error: LAST_ERROR,
};
