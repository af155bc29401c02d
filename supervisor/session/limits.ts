import { LIMITS, type LimitName } from '../../contract/limits/catalogue.ts';

/** Bounds of one session; times in milliseconds. */
export interface SessionLimits {
  /** From the opening of the session, time spent at a prompt included. */
  readonly durationMs: number;
  /** Forms that may be evaluated. */
  readonly evaluations: number;
  /** One form. */
  readonly evaluationTimeoutMs: number;
  readonly heapWords: number;
  /** Bytes of one form or script. */
  readonly sourceBytes: number;
  /** Bytes of definitions, and of the last values, that outlive the isolate that they were made in. */
  readonly memoryBytes: number;
  readonly historyBytes: number;
}

/**
 * Limits of a scratch session (cli.md §11): those of an empty workflow. A line loop waits for a person, so it has the
 * installed ceilings of what a session adds up; expressions, scripts and standard input have the defaults.
 */
export function scratchLimits(input: 'given' | 'line-loop'): SessionLimits {
  const bound = input === 'line-loop' ? 'ceiling' : 'default';
  return {
    durationMs: valueOf('run_duration_ms', bound),
    evaluations: valueOf('subordinate_evaluations', bound),
    evaluationTimeoutMs: valueOf('evaluation_timeout_ms', 'default'),
    heapWords: valueOf('workflow_heap_words', 'default'),
    sourceBytes: valueOf('entry_source_bytes', 'default'),
    memoryBytes: valueOf('evaluation_memory_bytes', 'default'),
    historyBytes: valueOf('evaluation_history_bytes', 'default'),
  };
}

function valueOf(name: LimitName, bound: 'default' | 'ceiling'): number {
  const value = LIMITS.find((row) => row.name === name)?.[bound];
  if (value === undefined || value === null) throw new Error(`the limit ${name} has no ${bound}`);
  return value;
}
