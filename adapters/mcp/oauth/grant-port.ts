import * as Comlink from 'comlink';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { GrantStore } from '../../../contract/provider-protocol/grant-store.ts';
import { threadEndpoint } from '../../threads/thread-endpoint.ts';
import type { Remote } from '../../threads/owner-thread.ts';
import { memoryGrants, type Grants } from './grants.ts';
import { storedGrants } from './stored-grants.ts';

/** The end of a store in another thread. */
export type GrantPort = MessagePort;

/** Opens a store of this thread to another. It keeps nobody from ending. */
export function grantPort(store: GrantStore): GrantPort {
  const { port1, port2 } = new MessageChannel();
  const grantStore: GrantStore = {
    read: async (key) => store.read(key),
    replace: async (key, generation, grant) => store.replace(key, generation, grant),
    remove: async (key, generation) => store.remove(key, generation),
    lock: async (key) => (await store.lock?.(key)) ?? true,
    unlock: async (key) => store.unlock?.(key),
  };
  Comlink.expose(grantStore, threadEndpoint(port1));
  port1.unref();
  return Comlink.transfer(port2, [port2]);
}

/** The stores that a thread was given, by their numbers, and its own memory. */
export interface GrantStores {
  add(store: number, port: GrantPort): void;
  /** `undefined`: those in memory. */
  readonly grantsOf: (store: number | undefined) => Grants;
}

/** Of a store that a thread before this one was given. */
const LOST: Grants = storedGrants({ read: failUnset, replace: failUnset, remove: failUnset });

async function failUnset(): Promise<never> {
  throw new Error('a store is given before it is used');
}

export function grantStores(): GrantStores {
  const memory = memoryGrants();
  const storesByNumber = new Map<number, Grants>();
  return {
    add: (store, port) => {
      const remote: Remote<GrantStore> = Object(Comlink.wrap<GrantStore>(threadEndpoint(port)));
      storesByNumber.set(store, storedGrants(remote));
    },
    grantsOf: (store) => (store === undefined ? memory : (storesByNumber.get(store) ?? LOST)),
  };
}
