import type { ParallelOptions } from '../../../sandbox/pool/interface.ts';
import type { BranchSlots } from '../broker/call-scope.ts';

/** What `pmap` and `pcalls` of an evaluation may have: slots of the run, and `parallel_timeout_ms` (runtime.md §8). */
export function parallelOptions(branches: BranchSlots, timeoutMs: number): ParallelOptions {
  return { timeoutMs, takeBranches: branches.take, releaseBranches: branches.release };
}
