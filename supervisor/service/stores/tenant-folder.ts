import type { ReservationTools } from '../../evidence/publication/reservation.ts';
import { openSafeDirectory, type SafeDirectory } from '../../evidence/publication/safe-directory.ts';
import { checkTenant } from './artifact-key.ts';
import { StoreError } from './interface.ts';
import { openChild } from './versioned-files.ts';

/** Folders that a tenant has below `<root>/<tenant>`: credentials, the keys that grants are sealed with, and grants. */
export type TenantPart = 'secrets' | 'keys' | 'grants';

/**
 * Opens a folder of a tenant, which is this user's alone as is that of the tenant; null where there is none. Only a
 * part is ever made: a tenant is there because somebody made its folder. Rejects with StoreError for one that others
 * can look into.
 */
export async function openTenantPart(
  tools: ReservationTools,
  root: string,
  { tenant, part, isMade = false }: { readonly tenant: string; readonly part: TenantPart; readonly isMade?: boolean },
): Promise<SafeDirectory | null> {
  checkTenant(tenant);
  const opened = await openSafeDirectory(tools.fileSystem, root);
  if (!opened.ok) throw new StoreError('unavailable');
  const own = await openChild(tools, opened.value, tenant, false);
  return own === null ? null : openChild(tools, own, part, isMade);
}
