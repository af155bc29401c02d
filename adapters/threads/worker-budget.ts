import { availableParallelism } from 'node:os';

/** Workers of one kind and tenant, as far as a budget knows them. */
export interface BudgetedPool {
  /** Threads that there are now, at work or idle. */
  workers(): number;
  isIdle(): boolean;
  /** Ends the threads of a pool that is idle; the next task starts others. */
  endIdle(): void;
}

/** Idle workers of pools that are used no longer end by themselves; many pools in use at once are what this bounds. */
export interface WorkerBudget {
  /** A pool has started a task: beyond the bound, the idle ones that were used longest ago are ended. */
  used(pool: BudgetedPool): void;
  remove(pool: BudgetedPool): void;
}

export function workerBudget(most: number): WorkerBudget {
  /** The one that was used longest ago first. */
  const pools = new Set<BudgetedPool>();
  return {
    used: (pool) => {
      pools.delete(pool);
      pools.add(pool);
      let count = 0;
      for (const each of pools) {
        count += each.workers();
        // Its workers ended by themselves; it is known again when it is used.
        if (each !== pool && each.workers() === 0) pools.delete(each);
      }
      for (const each of pools) {
        if (count <= most) break;
        if (each === pool || !each.isIdle()) continue;
        count -= each.workers();
        pools.delete(each);
        each.endIdle();
      }
    },
    remove: (pool) => {
      pools.delete(pool);
    },
  };
}

/**
 * Of a process, over all its tenants. One with the library of a vendor takes some 45 MB, and some 150 ms to start:
 * enough that six tenants with models and tools keep one of each, and that every processor has two.
 */
export const PROCESS_WORKERS = Math.max(12, 2 * availableParallelism());

export const processWorkers = workerBudget(PROCESS_WORKERS);
