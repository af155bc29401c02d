import { extname, join } from 'node:path';
import { ownerThread, type Owner } from '../threads/owner-thread.ts';
import { poolsByHeap } from '../threads/pools-by-heap.ts';
import type { GrantStore } from '../../contract/provider-protocol/grant-store.ts';
import type { ServerConnections } from './connections.ts';
import { grantPort } from './oauth/grant-port.ts';
import type { ServerTask, ServerTaskAnswer } from './worker/job.ts';
import { serverWorkers, type ServerWorkers } from './workers.ts';

/** Beside this file, in the form that this file has: source or built. */
const FORM = extname(import.meta.filename);
const isSource = FORM === '.ts';
const JOB = join(import.meta.dirname, isSource ? 'worker/job.ts' : `mcp-job${FORM}`);
const PROGRAM_FOLDER = isSource ? join(import.meta.dirname, '../../dist') : import.meta.dirname;
const NETWORK = join(import.meta.dirname, isSource ? 'worker/network.ts' : `mcp-network${FORM}`);

/** Who reads what servers say, and who holds their connections. Opened when the first of them is asked. */
export interface ServerServices {
  /** Workers with heaps of so many words. */
  workers(heapWords: number): ServerWorkers;
  network(): Owner<ServerConnections>;
  /** The number by which the network knows a store of the calling program. */
  storeNumber(store: GrantStore): number;
}

/** The threads of one process, or of one tenant, in which servers of tools are asked. */
export interface ServerThreads extends ServerServices {
  close(): Promise<void>;
}

let stores = 0;

export function serverThreads(): ServerThreads {
  const known = new WeakMap<Owner<ServerConnections>, Map<GrantStore, number>>();
  const pools = poolsByHeap<ServerTask, ServerTaskAnswer>(JOB);
  const network = ownerThread<ServerConnections>(NETWORK);
  return {
    workers: (heapWords) => serverWorkers(pools.get(heapWords), PROGRAM_FOLDER),
    network: () => network.get(),
    storeNumber: (store) => {
      const owner = network.get();
      const numbers = known.get(owner) ?? new Map<GrantStore, number>();
      known.set(owner, numbers);
      const before = numbers.get(store);
      if (before !== undefined) return before;
      stores += 1;
      numbers.set(store, stores);
      // Whatever is asked later is read later.
      void owner.remote.keepGrants(stores, grantPort(store));
      return stores;
    },
    close: async () => {
      await pools.close();
      await network.close();
    },
  };
}
