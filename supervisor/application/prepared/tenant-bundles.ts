import type { BundleStore } from '../preflight/bundle-store.ts';
import { memoryBundleStore } from '../preflight/memory-bundle-store.ts';

/** Tenants whose bundles are remembered; those that prepared nothing for the longest time are forgotten first. */
const TENANTS_MAX = 16;
/** Of code for each of them: one bundle of the largest size, or many of the usual one. */
const TENANT_BYTES = 8_000_000;

/**
 * Bundles that applications of the same tenant share: one that is prepared again with another host document, or with
 * components that an earlier one had, starts no process to compile them. Nothing is shared between tenants, not even
 * room (gateway.md §17).
 */
export class TenantBundles {
  readonly #tenants = new Map<string, BundleStore>();

  /** For one application: what it compiled stays its own, whatever the tenant's other applications push out. */
  storeFor(tenant: string): BundleStore {
    const shared = this.#tenants.get(tenant) ?? memoryBundleStore(TENANT_BYTES);
    // To the young end.
    this.#tenants.delete(tenant);
    this.#tenants.set(tenant, shared);
    const [oldest] = this.#tenants.keys();
    if (this.#tenants.size > TENANTS_MAX && oldest !== undefined) this.#tenants.delete(oldest);
    return layerStores(memoryBundleStore(), shared);
  }
}

/** One application never waits for the compiler of another, which has a deadline of its own. */
function layerStores(own: BundleStore, shared: BundleStore): BundleStore {
  return {
    ...own,
    find: async (name) => {
      const known = await own.find(name);
      if (known !== null) return known;
      const found = await shared.find(name);
      if (found !== null) await own.keep(name, found);
      return found;
    },
    keep: async (name, reply) => {
      await own.keep(name, reply);
      await shared.keep(name, reply);
    },
  };
}
