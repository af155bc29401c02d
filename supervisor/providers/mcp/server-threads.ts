import { tenantThreads } from '../tenant-threads.ts';

/** The threads in which servers of tools of a tenant are asked. Read when the first is. */
export const serverThreadsOf = tenantThreads(async () => (await import('../../../adapters/pool/servers.ts')).serverThreads());
