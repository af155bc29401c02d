import { taskPool, type TaskPool } from './task-pool.ts';

/** Sizes of heaps for which a pool is kept: a tenant's documents choose them, and one or two are the rule. */
export const POOL_SIZES_MAX = 8;

/** Pools whose workers do the same tasks and have heaps of different sizes. */
export interface PoolsByHeap<Task, Answer> {
  /** Workers with heaps of so many words. */
  get(heapWords: number): TaskPool<Task, Answer>;
  close(): Promise<void>;
}

/**
 * Of so many sizes the pools are kept. Beyond them the one that was asked for longest ago is forgotten: who holds it
 * uses it on, and its workers end by themselves when they are asked nothing.
 */
export function poolsByHeap<Task, Answer>(
  file: string,
  open: typeof taskPool<Task, Answer> = taskPool,
): PoolsByHeap<Task, Answer> {
  const pools = new Map<number, TaskPool<Task, Answer>>();
  return {
    get: (heapWords) => {
      const pool = pools.get(heapWords) ?? open({ file, heapWords });
      pools.delete(heapWords);
      pools.set(heapWords, pool);
      for (const oldest of pools.keys()) {
        if (pools.size <= POOL_SIZES_MAX) break;
        pools.delete(oldest);
      }
      return pool;
    },
    close: async () => {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map(async (pool) => pool.close()));
    },
  };
}
