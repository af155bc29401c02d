/** Absolute times are milliseconds of the run's monotonic clock (runtime.md §10). */

export interface RunDeadline {
  readonly at: number;
  /** `run_duration_ms`. */
  readonly limitMs: number;
}

/** The run's one absolute deadline, anchored at the activity boundary (runtime.md §1 step 14). */
export function anchorRunDeadline(now: number, runDurationMs: number): RunDeadline {
  return { at: now + runDurationMs, limitMs: runDurationMs };
}

export interface WorkflowDeadline {
  readonly at: number;
  /** The limit that stops the workflow at that instant. */
  readonly bound: 'run_duration_ms' | 'workflow_timeout_ms';
  /** Milliseconds of that limit. */
  readonly limitMs: number;
}

/** Of workflow time and run time the nearer one; the run's only when it is strictly nearer (runtime.md §9). */
export function workflowDeadline(run: RunDeadline, now: number, workflowTimeoutMs: number): WorkflowDeadline {
  const own = now + workflowTimeoutMs;
  return run.at < own
    ? { at: run.at, bound: 'run_duration_ms', limitMs: run.limitMs }
    : { at: own, bound: 'workflow_timeout_ms', limitMs: workflowTimeoutMs };
}
