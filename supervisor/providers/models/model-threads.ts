import type { ModelThreads } from '../../../adapters/pool/models.ts';
import { tenantThreads } from '../tenant-threads.ts';

/** The threads in which models of a tenant are asked. Their code is read when the first are taken. */
export const modelThreads = tenantThreads<ModelThreads>(async () =>
  (await import('../../../adapters/pool/models.ts')).modelThreads(),
);
