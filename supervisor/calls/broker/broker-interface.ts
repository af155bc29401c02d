import type { CallScope, CallingEvaluation } from './call-scope.ts';
import type { Denial, IssuedRefusal, RunEnding } from './run-ending.ts';

/**
 * The face between what evaluates programs (the run's workflow, the kernel's missions) and what serves their calls.
 * The broker runs the pipeline of runtime.md §5 over the ledger; the kernel answers the routes of §6 and is called
 * through the same pipeline.
 */
export interface Broker {
  /** One evaluation that may call. Its calls are refused as `stale_evaluation` once it has ended. */
  open(evaluation: CallingEvaluation): CallScope;
  /**
   * Refusals that this run really issued: what the failure of a workflow with exactly this value means (runtime.md §7);
   * null for every other value. `json` is canonical JSON of the failed value.
   */
  issued(json: string): IssuedRefusal | null;
  /** Counts one evaluation that was stopped before it ran, for what it named (runtime.md §5, "Accounting"). */
  denied(reason: Denial): void;
  /** Ends the run: nothing is granted from here on and no program goes on. Only the first reason counts. */
  stop(ending: RunEnding): void;
  /** Why the run was ended from inside; null while it goes on, or ends in another way. */
  ending(): RunEnding | null;
}
