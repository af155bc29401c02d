import type { ModelThreads } from '../../../adapters/pool/models.ts';
import { tenantThreads } from './tenant-threads.ts';
import type { HeldThreads } from './tenant-threads.ts';

const threads = tenantThreads<ModelThreads>(async () => (await import('../../../adapters/pool/models.ts')).modelThreads());
let holders = 0;

/**
 * The threads in which models of a tenant are asked: secrets and answers of one are never in a thread of another. Their code is
 * read when the first are taken; who takes them gives them back.
 */
export function takeModelThreads(tenant: string): Promise<HeldThreads<ModelThreads>> {
  return threads.take(tenant);
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
    if (holders === 0) await threads.close();
  };
}
