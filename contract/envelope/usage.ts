/** What a run used: the usage record and evaluation memory of run envelopes (interface.md §1.2.8). */

/** Counts by name. Keys: `workflow/NAME` and `mission/NAME`, mission names, event kinds, or denial kinds. */
export type Counts = Readonly<Record<string, number>>;

export const BUDGET_STATES = ['available', 'incomplete', 'overrun'] as const;
/** Whether what a budget counts is known: all of it, not all, or more than was granted. */
export type BudgetState = (typeof BUDGET_STATES)[number];

/** Sealed: nothing is reserved any more. Token counts. */
export interface TokenBudget {
  readonly state: BudgetState;
  readonly limit: number;
  readonly reserved: 0;
  readonly charged: number;
  readonly remaining: number;
  readonly refused: number;
}

/** Sealed: nothing is reserved any more. Millionths of a dollar. */
export interface CostBudget {
  readonly state: BudgetState;
  readonly currency: 'USD';
  readonly limit_microusd: number;
  readonly reserved_microusd: 0;
  readonly charged_microusd: number;
  readonly remaining_microusd: number;
  readonly refused: number;
}

/** Money, in millionths of a dollar, rounded up. */
export interface Cost {
  readonly currency: 'USD';
  readonly microunits: number;
}

/** What all model calls of a run used together: tokens, and money where every call had a price (runtime.md §11). */
export type Spend =
  | { readonly state: 'empty' | 'incomplete' | 'overflow' }
  | { readonly state: 'unpriced'; readonly input: number; readonly output: number }
  | { readonly state: 'available'; readonly input: number; readonly output: number; readonly total_cost: Cost };

/** What one call, or several, used; a count that nobody reported is absent, which is not 0 (providers.md §5.5). */
export interface TokenUsage {
  readonly cache_creation?: number;
  readonly cache_read?: number;
  readonly input?: number;
  readonly output?: number;
  readonly total_cost?: Cost;
}

interface CallCounts {
  readonly calls: number;
  readonly missing_usage_calls: number;
  readonly successful_calls: number;
  readonly usage_calls: number;
  readonly usage_overflow: boolean;
  readonly usage: TokenUsage;
}

/** Calls of one installation. */
export interface AliasUsage extends CallCounts {
  readonly alias: string;
  readonly installation_revision: string;
}

/** Calls that one model answered, by the name that its server reported. */
export interface ModelUsage extends CallCounts {
  readonly resolved_model: string;
}

/** Detail of model calls, or none where the events that would prove it are incomplete (runtime.md §11). */
export type ModelDetail =
  | {
      readonly llm_usage_state: 'available';
      readonly llm_usage: readonly AliasUsage[];
      readonly llm_usage_by_model: readonly ModelUsage[];
      readonly unattributed_model_calls: number;
    }
  | {
      readonly llm_usage_state: 'unavailable';
      readonly llm_usage: null;
      readonly llm_usage_by_model: null;
      readonly unattributed_model_calls: null;
    };

/** What a run used (interface.md §1.2.8): milliseconds, bytes and counts, none beyond 2^53 - 1. */
export type Usage = ModelDetail & {
  readonly remaining_ms: number;
  readonly capability_calls: Counts;
  readonly subordinate_evaluations: number;
  readonly evaluations_by_mission: Counts;
  readonly protocol_errors: number;
  readonly agent_protocol_errors: number;
  readonly evaluation_memory_bytes: number;
  readonly evaluation_history_bytes: number;
  readonly evaluation_continuation_bytes: number;
  readonly events_dropped: Counts;
  readonly capability_refusals: Counts;
  readonly capability_denials: Counts;
  readonly llm_budget: { readonly total_tokens: TokenBudget | null; readonly cost: CostBudget | null };
  readonly llm_spend: Spend;
};

/** What missions retain: UTF-8 bytes, and counts of definitions and of history (runtime.md §11). */
export interface EvaluationMemory {
  readonly bytes: number;
  readonly defined_count: number;
  readonly history_bytes: number;
  readonly history_count: number;
  readonly memory_bytes: number;
}

/** Bounds of the usage record (interface.md §1.8). */
export const USAGE_BOUNDS = {
  integer: Number.MAX_SAFE_INTEGER,
  counts: 512,
  refusals: 3,
  rows: 128,
  resolvedModelLength: 256,
} as const;
