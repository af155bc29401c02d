import { extname, join } from 'node:path';
import { ownerThread } from '../threads/owner-thread.ts';
import type { Owner } from '../threads/owner-thread.ts';
import { poolsByHeap } from '../threads/pools-by-heap.ts';
import type { Connections } from './connections.ts';
import type { ServerTask, ServerTaskAnswer } from './worker/job.ts';
import { serverWorkers } from './workers.ts';
import type { ServerWorkers } from './workers.ts';

/** Beside this file, in the form that this file has: source or built. */
const FORM = extname(import.meta.filename);
const isSource = FORM === '.ts';
const JOB = join(import.meta.dirname, isSource ? 'worker/job.ts' : `mcp-job${FORM}`);
const NETWORK = join(import.meta.dirname, isSource ? 'worker/network.ts' : `mcp-network${FORM}`);

/** Who reads what servers say, and who holds their connections. Opened when the first of them is asked. */
export interface ServerServices {
  /** Workers with heaps of so many words. */
  workers(heapWords: number): ServerWorkers;
  network(): Owner<Connections>;
}

/** The threads of one process, or of one tenant, in which servers of tools are asked. */
export interface ServerThreads extends ServerServices {
  close(): Promise<void>;
}

export function serverThreads(): ServerThreads {
  const pools = poolsByHeap<ServerTask, ServerTaskAnswer>(JOB);
  const network = ownerThread<Connections>(NETWORK);
  return {
    workers: (heapWords) => serverWorkers(pools.get(heapWords)),
    network: () => network.get(),
    close: async () => {
      await pools.close();
      await network.close();
    },
  };
}
