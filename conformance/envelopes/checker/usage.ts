import { executionDiagnostic } from './diagnostics.ts';
import {
  MOST,
  NAME,
  amount,
  both,
  closed,
  count,
  either,
  entries,
  is,
  list,
  member,
  name,
  nothing,
  text,
  whole,
  yesOrNo,
  type Check,
} from './shape.ts';

/** Usage and execution records (interface.md). */

const cost = closed({ currency: is('USD'), microunits: amount });
const state = is('available', 'incomplete', 'overrun');
const tokens = closed({
  state,
  limit: whole(1, MOST),
  reserved: is(0),
  charged: amount,
  remaining: amount,
  refused: amount,
});
const dollars = closed({
  state,
  currency: is('USD'),
  limit_microusd: whole(1, MOST),
  reserved_microusd: is(0),
  charged_microusd: amount,
  remaining_microusd: amount,
  refused: amount,
});

const spend = either(
  closed({ state: is('empty', 'incomplete', 'overflow') }),
  closed({ state: is('unpriced'), input: amount, output: amount }),
  closed({ state: is('available'), input: amount, output: amount, total_cost: cost }),
);

const calls = {
  calls: count,
  missing_usage_calls: count,
  successful_calls: count,
  usage_calls: count,
  usage_overflow: yesOrNo,
  usage: closed({}, { cache_creation: amount, cache_read: amount, input: amount, output: amount, total_cost: cost }),
};

export const aliasRows = list(closed({ alias: name, installation_revision: name, ...calls }), 128);
const modelRows = list(closed({ resolved_model: text(1, 256), ...calls }), 128);

const SEGMENT = '(?:[a-z][a-z0-9_]{0,63}|unknown|sha256:[0-9a-f]{64})';

function usageWith(available: boolean): Check {
  return closed({
    remaining_ms: count,
    capability_calls: entries(/^(workflow|mission)\/[a-z][a-z0-9._/-]{0,127}$/, count, 512),
    subordinate_evaluations: count,
    evaluations_by_mission: entries(NAME, count, 512),
    protocol_errors: count,
    agent_protocol_errors: count,
    evaluation_memory_bytes: count,
    evaluation_history_bytes: count,
    evaluation_continuation_bytes: count,
    events_dropped: entries(/^([a-z][a-z0-9-]{0,127}|\$overflow)$/, count, 512),
    capability_refusals: entries(new RegExp(`^((workflow|mission)/${SEGMENT}/${SEGMENT}|\\$overflow)$`), count, 3),
    capability_denials: entries(/^([a-z][a-z0-9_]{0,63}|\$overflow)$/, count, 3),
    llm_budget: closed({ total_tokens: either(nothing, tokens), cost: either(nothing, dollars) }),
    llm_spend: spend,
    llm_usage_state: is(available ? 'available' : 'unavailable'),
    llm_usage: available ? aliasRows : nothing,
    llm_usage_by_model: available ? modelRows : nothing,
    unattributed_model_calls: available ? count : nothing,
  });
}

const usage = either(usageWith(true), usageWith(false));
const memory = closed({
  bytes: count,
  defined_count: count,
  history_bytes: count,
  history_count: count,
  memory_bytes: count,
});

const lastError = closed({
  kind: is(
    'arithmetic_error',
    'type_error',
    'arity_error',
    'unknown_tool',
    'not_callable',
    'loop_limit_exceeded',
    'unsupported_java_class',
    'unsupported_java_member',
    'java_arity_error',
    'java_type_error',
    'java_domain_error',
    'invalid_java_string',
    'java_handler_contract_error',
    'inspect_only_unavailable',
  ),
  message: text(1, 1024),
});

export const notStarted = closed({ state: is('not_started') });
export const incomplete = closed({
  state: is('incomplete'),
  usage: either(nothing, usage),
  evaluation_memory: either(nothing, memory),
  last_evaluation_error: either(nothing, lastError),
});
export const finishedOk = closed({
  state: is('finished'),
  outcome: is('ok'),
  diagnostic: nothing,
  usage,
  evaluation_memory: memory,
  last_evaluation_error: nothing,
});
export const finishedError = closed({
  state: is('finished'),
  outcome: is('error'),
  diagnostic: executionDiagnostic,
  usage,
  evaluation_memory: memory,
  last_evaluation_error: either(nothing, lastError),
});

/** Nothing of an evaluation leaves a private run. */
export const discreet: Check = (value, at, report) => {
  const error = member(value, 'last_evaluation_error');
  if (error !== undefined && error !== null) report.push(`${at}: a private run tells an evaluation error`);
};

export function forClass(artifactClass: unknown, execution: Check): Check {
  return artifactClass === 'private' ? both(execution, discreet) : execution;
}
