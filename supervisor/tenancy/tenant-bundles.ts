import type { BundleStore } from '../preflight/bundle-store.ts';
import { memoryBundleStore } from '../preflight/memory-bundle-store.ts';

/** Tenants whose bundles are kept; those that asked longest ago are forgotten. */
const TENANTS = 64;

/**
 * Bundles of earlier runs of this process, apart by tenant: what the host of one made of a source is never given to another,
 * whatever the source, and how much one keeps takes nothing from the others.
 */
export function tenantBundles(open: () => BundleStore = memoryBundleStore, tenants: number = TENANTS): (tenant: string) => BundleStore {
  const stores = new Map<string, BundleStore>();
  return (tenant) => {
    const store = stores.get(tenant) ?? open();
    stores.delete(tenant);
    stores.set(tenant, store);
    for (const oldest of stores.keys()) {
      if (stores.size <= tenants) break;
      stores.delete(oldest);
    }
    return store;
  };
}
