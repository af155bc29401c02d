/** Bytes of inputs that wait, over all tenants and of each (gateway.md §18). */
export interface QueuedBytes {
  /** Null: they are held until `release`. Else whose bound they are beyond. */
  hold(tenant: string, bytes: number, ownMost: number | null): 'tenant_quota' | 'queue_full' | null;
  release(tenant: string, bytes: number): void;
}

/** `most`: over all tenants. */
export function queuedBytes(most: number): QueuedBytes {
  const byTenant = new Map<string, number>();
  let total = 0;
  return {
    hold(tenant, bytes, ownMost) {
      const own = byTenant.get(tenant) ?? 0;
      if (ownMost !== null && own + bytes > ownMost) return 'tenant_quota';
      if (total + bytes > most) return 'queue_full';
      byTenant.set(tenant, own + bytes);
      total += bytes;
      return null;
    },
    release(tenant, bytes) {
      const left = (byTenant.get(tenant) ?? 0) - bytes;
      if (left > 0) byTenant.set(tenant, left);
      else byTenant.delete(tenant);
      total -= bytes;
    },
  };
}
