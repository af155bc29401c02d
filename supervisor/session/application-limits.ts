import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import type { ResolvedLimits } from '../documents/limits/resolve.ts';
import type { SessionLimits } from './limits.ts';

/**
 * A person thinks between two forms: of what a session adds up, a manifest that says nothing has all that its host
 * allows (cli.md §11).
 */
const INTERACTIVE = ['run_duration_ms', 'subordinate_evaluations', 'normal_event_count', 'normal_event_bytes'] as const;

/** The limits of an application, for a session of so typed forms. */
export function interactiveLimits(resolved: ResolvedLimits): ResolvedLimits {
  const { values, origins, ceilings } = resolved;
  const raised = INTERACTIVE.filter((name) => origins[name] !== 'manifest').map((name) => [
    name,
    ceilings[name] ?? values[name],
  ]);
  return { ...resolved, values: { ...values, ...Object.fromEntries(raised) } };
}

/** What bounds a session in the workflow of an application, or in one of its missions. */
export function sessionLimits(limits: EffectiveLimits, environment: 'workflow' | 'mission'): SessionLimits {
  const isMission = environment === 'mission';
  return {
    durationMs: limits.run_duration_ms,
    evaluations: limits.subordinate_evaluations,
    evaluationTimeoutMs: isMission ? limits.evaluation_timeout_ms : limits.workflow_timeout_ms,
    heapWords: isMission ? limits.evaluation_heap_words : limits.workflow_heap_words,
    sourceBytes: isMission ? limits.subordinate_source_bytes : limits.entry_source_bytes,
    memoryBytes: limits.evaluation_memory_bytes,
    historyBytes: limits.evaluation_history_bytes,
  };
}
