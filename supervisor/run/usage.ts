import { emptyUsage } from '../../contract/envelope/usage.ts';
import type { Counts, EvaluationMemory, Usage } from '../../contract/envelope/usage.ts';
import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import type { BrokerCounts } from './broker.ts';

/** Retained sizes over all missions at sealing (runtime.md §11). */
export function evaluationMemory(counts: BrokerCounts): EvaluationMemory {
  const sum = (member: keyof BrokerCounts['memories'][number]): number =>
    counts.memories.reduce((total, memory) => total + memory[member], 0);
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
  readonly limits: EffectiveLimits;
  /** Milliseconds left of the run when it was sealed. */
  readonly remainingMs: number;
  readonly counts: BrokerCounts;
  readonly eventsDropped: Counts;
}

/** The sealed usage record (runtime.md §11), as the envelope shows it. */
export function sealUsage({ limits, remainingMs, counts, eventsDropped }: UsageFacts): Usage {
  const memory = evaluationMemory(counts);
  return {
    ...emptyUsage({
      remainingMs,
      totalTokens: limits.llm_total_tokens,
      costMicrousd: limits.llm_cost_microusd,
    }),
    capability_calls: counts.capabilityCalls,
    subordinate_evaluations: Object.values(counts.evaluationsByMission).reduce((total, granted) => total + granted, 0),
    evaluations_by_mission: counts.evaluationsByMission,
    protocol_errors: counts.protocolErrors,
    agent_protocol_errors: counts.agentProtocolErrors,
    evaluation_memory_bytes: memory.memory_bytes,
    evaluation_history_bytes: memory.history_bytes,
    evaluation_continuation_bytes: memory.bytes,
    events_dropped: eventsDropped,
    capability_refusals: counts.capabilityRefusals,
    capability_denials: counts.capabilityDenials,
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
export function traceUsage(usage: Usage, counts: BrokerCounts): Readonly<Record<string, unknown>> {
  return {
    ...usage,
    capability_calls: { workflow: callsOf(usage, 'workflow/'), mission: callsOf(usage, 'mission/') },
    evaluation_missions: Object.keys(usage.evaluations_by_mission).toSorted(),
    subordinate_source_checks: counts.sourceChecks,
  };
}

function callsOf(usage: Usage, prefix: string): Counts {
  const own = Object.entries(usage.capability_calls).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(own.map(([key, count]) => [key.slice(prefix.length), count]));
}
