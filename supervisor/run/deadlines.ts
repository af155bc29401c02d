/** Absolute times are milliseconds of the run's monotonic clock (runtime.md §10). */

export interface RunDeadline {
  readonly at: number;
  /** `run_duration_ms`. */
  readonly limitMs: number;
}

/**
 * The run's one absolute deadline, anchored at the activity boundary (runtime.md §1 step 14); who asked for it may have
 * set an earlier one.
 */
export function anchorRunDeadline(now: number, runDurationMs: number, deadlineAt: number = Infinity): RunDeadline {
  const limitMs = Math.min(runDurationMs, Math.max(0, Math.floor(deadlineAt - now)));
  return { at: now + limitMs, limitMs };
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
