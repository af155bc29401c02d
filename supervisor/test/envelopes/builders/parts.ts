/** Hand-made parts of envelopes: plain data, as a reader of the published interface would write them down. */

export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };
export type Fields = Readonly<Record<string, Plain>>;

export const RUN_REF = 'cmd-7zzzzzzzzzzzzzzzzzzzzzzzzz';
export const DIGEST = `sha256:${'0a'.repeat(32)}`;
export const RUNTIME: Fields = { kind: 'runtime', name: 'svc-runtime' };
export const OCCURRENCE: Fields = { destination: 'mission', index: 31 };

export function head(command: string, status: 'ok' | 'error'): Fields {
  return { schema_version: 5, command, status, run_ref: RUN_REF };
}

export function subject(operation: string, occurrence: Plain): Fields {
  return { kind: 'provider', name: 'tools', operation, occurrence };
}

/** A diagnostic with nothing beyond its code; members given replace these. */
export function diagnostic(phase: string, code: string, message: string, members: Fields = {}): Fields {
  return {
    phase,
    code,
    message,
    source: null,
    path: null,
    span: null,
    subject: null,
    notes: [],
    retryable: false,
    provider_activity: false,
    ...members,
  };
}

const CALLS: Fields = {
  calls: 2,
  missing_usage_calls: 0,
  successful_calls: 2,
  usage_calls: 2,
  usage_overflow: false,
  usage: { input: 10, output: 4, total_cost: { currency: 'USD', microunits: 7 } },
};

export const ALIAS_USAGE: Fields = { alias: 'writer', installation_revision: 'r1', ...CALLS };
const MODEL_USAGE: Fields = { resolved_model: 'openai:gpt-x', ...CALLS };

/** A usage record with something in every member. */
export function usage(members: Fields = {}): Fields {
  return {
    remaining_ms: 1200,
    capability_calls: { 'workflow/llm-request': 2, 'mission/orders.find': 1 },
    subordinate_evaluations: 1,
    evaluations_by_mission: { reader: 1 },
    protocol_errors: 0,
    agent_protocol_errors: 0,
    evaluation_memory_bytes: 64,
    evaluation_history_bytes: 8,
    evaluation_continuation_bytes: 72,
    events_dropped: { 'capability-started': 1, $overflow: 2 },
    capability_refusals: {
      'mission/limit_exceeded/capability_quota': 1,
      [`workflow/unknown/${DIGEST}`]: 1,
      $overflow: 1,
    },
    capability_denials: { capability_denied: 1, $overflow: 1 },
    llm_budget: {
      total_tokens: { state: 'available', limit: 1000, reserved: 0, charged: 14, remaining: 986, refused: 0 },
      cost: {
        state: 'incomplete',
        currency: 'USD',
        limit_microusd: 1,
        reserved_microusd: 0,
        charged_microusd: 1,
        remaining_microusd: 0,
        refused: 3,
      },
    },
    llm_spend: { state: 'available', input: 10, output: 4, total_cost: { currency: 'USD', microunits: 7 } },
    llm_usage_state: 'available',
    llm_usage: [ALIAS_USAGE],
    llm_usage_by_model: [MODEL_USAGE],
    unattributed_model_calls: 0,
    ...members,
  };
}

export const UNAVAILABLE_USAGE = usage({
  llm_budget: { total_tokens: null, cost: null },
  llm_spend: { state: 'empty' },
  llm_usage_state: 'unavailable',
  llm_usage: null,
  llm_usage_by_model: null,
  unattributed_model_calls: null,
});

export const MEMORY: Fields = { bytes: 72, defined_count: 1, history_bytes: 8, history_count: 1, memory_bytes: 64 };
export const LAST_ERROR: Fields = { kind: 'arity_error', message: 'f takes 1 argument, 2 given' };
export const NOT_STARTED: Fields = { state: 'not_started' };
export const INCOMPLETE: Fields = {
  state: 'incomplete',
  usage: null,
  evaluation_memory: null,
  last_evaluation_error: null,
};
export const FINISHED_OK: Fields = {
  state: 'finished',
  outcome: 'ok',
  diagnostic: null,
  usage: usage(),
  evaluation_memory: MEMORY,
  last_evaluation_error: null,
};

export function finishedError(error: Plain, lastError: Plain = null): Fields {
  return {
    state: 'finished',
    outcome: 'error',
    diagnostic: error,
    usage: usage({ llm_spend: { state: 'unpriced', input: 1, output: 0 } }),
    evaluation_memory: MEMORY,
    last_evaluation_error: lastError,
  };
}

export function artifacts(trace: string, inspection: string, result: string): Fields {
  return { trace, inspection, result };
}
export const NO_ARTIFACTS = artifacts('not_requested', 'not_requested', 'not_requested');

export const WARNING: Fields = {
  code: 'model_uncataloged',
  message:
    'the configured model is not an exact catalog entry; pricing, limits, token estimation, and capability detection may be incomplete',
  provider: 'writer',
  model: null,
};

/** A failed run; members given replace these. */
export function runFailure(error: Plain, members: Fields = {}): Fields {
  return {
    ...head('run', 'error'),
    error,
    secondary_errors: [],
    warnings: [],
    artifact_state: NO_ARTIFACTS,
    artifact_class: 'normal',
    execution: NOT_STARTED,
    ...members,
  };
}
