import { tenantThreads } from '../tenant-threads.ts';

/** The threads in which models of a tenant are asked. Read when the first is. */
export const modelThreadsOf = tenantThreads(async () => (await import('../../../adapters/pool/models.ts')).modelThreads());
