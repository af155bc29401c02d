import type { Counts, EvaluationMemory, Usage } from '../../../contract/envelope/usage.ts';
import { remainingOf, sealedCost, sealedTokens, type Budget } from '../../calls/ledger/budget.ts';
import type { RunCounts } from './run-counts.ts';

/** Retained sizes over all missions at sealing (runtime.md §11). */
export function evaluationMemory({ memories }: Pick<RunCounts, 'memories'>): EvaluationMemory {
  const sum = (member: keyof RunCounts['memories'][number]): number =>
    memories.reduce((total, memory) => total + memory[member], 0);
  const memoryBytes = sum('memory_bytes');
  const historyBytes = sum('history_bytes');
  return {
    bytes: memoryBytes + historyBytes,
    defined_count: sum('defined_count'),
    history_bytes: historyBytes,
    history_count: sum('history_count'),
    memory_bytes: memoryBytes,
  };
}

export interface UsageFacts {
  /** Milliseconds left of the run when it was sealed. */
  readonly remainingMs: number;
  readonly counts: RunCounts;
  readonly eventsDropped: Counts;
}

/** Lost events of these would have proven a model call; `$overflow` may have been one of them (runtime.md §11). */
const PROVING_EVENTS = ['capability-started', 'capability-stopped', '$overflow'];

/** The sealed usage record (runtime.md §11), as the envelope shows it. */
export function sealUsage({ remainingMs, counts, eventsDropped }: UsageFacts): Usage {
  const { tokens, cost, models } = counts;
  const usage: Usage = {
    ...counters(counts, remainingMs),
    events_dropped: eventsDropped,
    llm_budget: {
      total_tokens: tokens === null ? null : sealedTokens(tokens),
      cost: cost === null ? null : sealedCost(cost),
    },
    llm_spend: counts.spend,
    ...models,
  };
  return PROVING_EVENTS.some((type) => type in eventsDropped) ? withoutModelDetail(usage) : usage;
}

function counters(counts: RunCounts, remainingMs: number) {
  const memory = evaluationMemory(counts);
  return {
    remaining_ms: remainingMs,
    capability_calls: counts.capabilityCalls,
    subordinate_evaluations: Object.values(counts.evaluationsByMission).reduce((total, granted) => total + granted, 0),
    evaluations_by_mission: counts.evaluationsByMission,
    protocol_errors: counts.protocolErrors,
    agent_protocol_errors: counts.agentProtocolErrors,
    evaluation_memory_bytes: memory.memory_bytes,
    evaluation_history_bytes: memory.history_bytes,
    evaluation_continuation_bytes: memory.bytes,
    capability_refusals: counts.capabilityRefusals,
    capability_denials: counts.capabilityDenials,
  };
}

/** The same while the run goes on, with what is reserved at this instant: what `runtime-usage` gives. */
export function usageSnapshot(counts: RunCounts, remainingMs: number): Readonly<Record<string, unknown>> {
  return {
    ...counters(counts, remainingMs),
    llm_budget: {
      total_tokens: counts.tokens === null ? null : openTokens(counts.tokens),
      cost: counts.cost === null ? null : openCost(counts.cost),
    },
    llm_spend: counts.spend,
    ...counts.models,
    ...kernelFacts(counts, false),
  };
}

/** What programs and traces see beside the counters of the envelope (agent-library.md §2, evidence.md §3). */
function kernelFacts(
  { evaluationsByMission, sourceChecks, isEvaluating }: RunCounts,
  isClosed: boolean,
): Readonly<Record<string, unknown>> {
  return {
    'closed?': isClosed,
    'evaluation_busy?': isEvaluating,
    evaluation_missions: Object.keys(evaluationsByMission).toSorted(),
    subordinate_source_checks: sourceChecks,
  };
}

function openTokens(budget: Budget) {
  const { state, limit, reserved, charged, refused } = budget;
  return { state, limit, reserved, charged, remaining: remainingOf(budget), refused };
}

function openCost(budget: Budget) {
  const { state, limit, reserved, charged, refused } = budget;
  return {
    state,
    currency: 'USD',
    limit_microusd: limit,
    reserved_microusd: reserved,
    charged_microusd: charged,
    remaining_microusd: remainingOf(budget),
    refused,
  };
}

/** Detail of model calls is known only from a complete terminal batch (runtime.md §11, llm_usage_state). */
export function withoutModelDetail(usage: Usage): Usage {
  return {
    ...usage,
    llm_usage_state: 'unavailable',
    llm_usage: null,
    llm_usage_by_model: null,
    unattributed_model_calls: null,
  };
}

/** The same record as `run-stopped` carries it (evidence.md §3, "run-stopped usage"). */
export function traceUsage(usage: Usage, counts: RunCounts): Readonly<Record<string, unknown>> {
  return {
    ...usage,
    capability_calls: { workflow: callsOf(usage, 'workflow/'), mission: callsOf(usage, 'mission/') },
    ...kernelFacts(counts, true),
  };
}

function callsOf(usage: Usage, prefix: string): Counts {
  const own = Object.entries(usage.capability_calls).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(own.map(([key, count]) => [key.slice(prefix.length), count]));
}
