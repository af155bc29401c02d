import { extname, join } from 'node:path';
import { ownerThread } from '../threads/owner-thread.ts';
import { poolsByHeap } from '../threads/pools-by-heap.ts';
import type { ModelServices } from './adapter.ts';
import type { Conversations } from './conversations.ts';
import type { ModelTask, ModelTaskAnswer } from './worker/job.ts';
import { modelWorkers } from './workers.ts';

/** Beside this file, in the form that this file has: source or built. */
const FORM = extname(import.meta.filename);
const isSource = FORM === '.ts';
const JOB = join(import.meta.dirname, isSource ? 'worker/job.ts' : `llm-job${FORM}`);
const NETWORK = join(import.meta.dirname, isSource ? 'worker/network.ts' : `llm-network${FORM}`);

/** The threads of one process, or of one tenant, in which models are asked. */
export interface ModelThreads extends ModelServices {
  close(): Promise<void>;
}

export function modelThreads(): ModelThreads {
  const pools = poolsByHeap<ModelTask, ModelTaskAnswer>(JOB);
  const network = ownerThread<Conversations>(NETWORK);
  return {
    workers: (heapWords) => modelWorkers(pools.get(heapWords)),
    network: () => network.get(),
    close: async () => {
      await pools.close();
      await network.close();
    },
  };
}
