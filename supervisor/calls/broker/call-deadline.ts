/** When one call ends, and whose bound that is (runtime.md §5 step 8). */
export interface CallDeadline {
  readonly at: number;
  readonly bound: 'installation' | 'llm_request_timeout_ms' | 'caller' | 'run';
  /** Milliseconds of that bound from the call's start. */
  readonly limitMs: number;
}
