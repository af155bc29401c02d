/** Threads of one kind in which the providers of a tenant are asked. */
interface Threads {
  close(): Promise<void>;
}

/** Every kind, with those of its threads that run, by tenant. */
const kinds: Map<string, Promise<Threads>>[] = [];
let holders = 0;

/**
 * The threads of a kind, apart by tenant: secrets and answers of one are never in a thread of another. `open` is called when the
 * first provider of a tenant is asked.
 */
export function tenantThreads<T extends Threads>(open: () => Promise<T>): (tenant: string) => Promise<T> {
  const byTenant = new Map<string, Promise<T>>();
  kinds.push(byTenant);
  return (tenant) => {
    const known = byTenant.get(tenant) ?? open();
    byTenant.set(tenant, known);
    return known;
  };
}

/**
 * Holds the threads of this process until what it gives is called: with the last of those who hold them they end, so that a
 * process ends when nobody has anything left to ask.
 */
export function holdProviderThreads(): () => Promise<void> {
  holders += 1;
  let isHeld = true;
  return async () => {
    if (isHeld) holders -= 1;
    isHeld = false;
    if (holders > 0) return;
    const ended = kinds.flatMap((byTenant) => [...byTenant.values()]);
    for (const byTenant of kinds) byTenant.clear();
    await Promise.all(ended.map(async (threads) => (await threads).close()));
  };
}
