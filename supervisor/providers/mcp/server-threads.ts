import type { ServerThreads } from '../../../adapters/pool/servers.ts';
import { tenantThreads } from '../tenant-threads.ts';

/** The threads in which servers of a tenant are spoken to. Their code is read when the first are taken. */
export const serverThreads = tenantThreads<ServerThreads>(async () =>
  (await import('../../../adapters/pool/servers.ts')).serverThreads(),
);
