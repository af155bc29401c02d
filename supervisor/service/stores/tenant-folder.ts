import type { ReservationTools } from '../../publication/reservation.ts';
import { openSafeDirectory, type SafeDirectory } from '../../publication/safe-directory.ts';
import { checkTenant } from './artifact-key.ts';
import { StoreError } from './interface.ts';
import { openChild } from './versioned-files.ts';

/** Folders that a tenant has below `<root>/<tenant>`: credentials, the keys that grants are sealed with, and grants. */
export type TenantPart = 'secrets' | 'keys' | 'grants';

const OPEN_TO_OTHERS = 0o077;

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

/**
 * A file of a tenant that is this user's alone; null where there is none. Rejects with StoreError for one that others
 * can read.
 */
export async function readOwnFile(
  { fileSystem }: ReservationTools,
  { directory }: SafeDirectory,
  name: string,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const entry = await directory.entry(name);
  if (!entry.ok && entry.errno === 'ENOENT') return null;
  const isOwn =
    entry.ok &&
    entry.value.kind === 'file' &&
    entry.value.owner === fileSystem.userId &&
    (entry.value.mode & OPEN_TO_OTHERS) === 0;
  const read = isOwn ? await directory.readFile(name, maxBytes) : null;
  if (read === null || !read.ok) throw new StoreError('unavailable');
  return read.value;
}
