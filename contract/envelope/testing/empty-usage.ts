import type { CostBudget, EvaluationMemory, TokenBudget, Usage } from '../usage.ts';

/**
 * The usage of a run that did nothing yet. `remainingMs`: milliseconds left of the run's duration; the budgets are
 * the effective limits, or null where the run has none.
 */
export function emptyUsage(options: {
  readonly remainingMs: number;
  readonly totalTokens: number | null;
  readonly costMicrousd: number | null;
}): Usage {
  const { remainingMs, totalTokens, costMicrousd } = options;
  return {
    remaining_ms: remainingMs,
    capability_calls: {},
    subordinate_evaluations: 0,
    evaluations_by_mission: {},
    protocol_errors: 0,
    agent_protocol_errors: 0,
    evaluation_memory_bytes: 0,
    evaluation_history_bytes: 0,
    evaluation_continuation_bytes: 0,
    events_dropped: {},
    capability_refusals: {},
    capability_denials: {},
    llm_budget: {
      total_tokens: totalTokens === null ? null : emptyTokenBudget(totalTokens),
      cost: costMicrousd === null ? null : emptyCostBudget(costMicrousd),
    },
    llm_spend: { state: 'empty' },
    llm_usage_state: 'available',
    llm_usage: [],
    llm_usage_by_model: [],
    unattributed_model_calls: 0,
  };
}

/** What missions retain that never committed anything (runtime.md §11); sizes in bytes. */
export function emptyEvaluationMemory(): EvaluationMemory {
  return { bytes: 0, defined_count: 0, history_bytes: 0, history_count: 0, memory_bytes: 0 };
}

function emptyTokenBudget(limit: number): TokenBudget {
  return { state: 'available', limit, reserved: 0, charged: 0, remaining: limit, refused: 0 };
}

function emptyCostBudget(limit: number): CostBudget {
  return {
    state: 'available',
    currency: 'USD',
    limit_microusd: limit,
    reserved_microusd: 0,
    charged_microusd: 0,
    remaining_microusd: limit,
    refused: 0,
  };
}
