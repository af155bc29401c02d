import { extname, join } from 'node:path';
import { ownerThread } from '../threads/owner-thread.ts';
import { taskPool } from '../threads/task-pool.ts';
import type { TaskPool } from '../threads/task-pool.ts';
import type { ModelServices } from './adapter.ts';
import type { Conversations } from './conversations.ts';
import type { ModelTask, ModelTaskAnswer } from './worker/job.ts';
import { modelWorkers } from './workers.ts';

/** Beside this file, in the form that this file has: source or built. */
const FORM = extname(import.meta.filename);
const isSource = FORM === '.ts';
const JOB = join(import.meta.dirname, isSource ? 'worker/job.ts' : `model-job${FORM}`);
const NETWORK = join(import.meta.dirname, isSource ? 'worker/network.ts' : `model-network${FORM}`);

/** The threads of one process, or of one tenant, in which models are asked. */
export interface ModelThreads extends ModelServices {
  close(): Promise<void>;
}

export function modelThreads(): ModelThreads {
  const pools = new Map<number, TaskPool<ModelTask, ModelTaskAnswer>>();
  const network = ownerThread<Conversations>(NETWORK);
  return {
    workers: (heapWords) => {
      const pool = pools.get(heapWords) ?? taskPool<ModelTask, ModelTaskAnswer>({ file: JOB, heapWords });
      pools.set(heapWords, pool);
      return modelWorkers(pool);
    },
    network: () => network.get(),
    close: async () => {
      await Promise.all([...pools.values()].map(async (pool) => pool.close()));
      pools.clear();
      await network.close();
    },
  };
}
