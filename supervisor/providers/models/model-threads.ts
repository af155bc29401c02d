import type { ModelThreads } from '../../../adapters/pool/models.ts';

const byTenant = new Map<string, Promise<ModelThreads>>();
let holders = 0;

/** The threads in which models of a tenant are asked: secrets and answers of one are never in a thread of another. Read when the first is. */
export async function modelThreadsOf(tenant: string): Promise<ModelThreads> {
  const known = byTenant.get(tenant) ?? import('../../../adapters/pool/models.ts').then(({ modelThreads }) => modelThreads());
  byTenant.set(tenant, known);
  return known;
}

/**
 * Holds the threads of this process until what it gives is called: with the last of those who hold them they end, so that a
 * process ends when nobody has anything left to ask.
 */
export function holdModelThreads(): () => Promise<void> {
  holders += 1;
  let isHeld = true;
  return async () => {
    if (isHeld) holders -= 1;
    isHeld = false;
    if (holders > 0) return;
    const ended = [...byTenant.values()];
    byTenant.clear();
    await Promise.all(ended.map(async (threads) => (await threads).close()));
  };
}
