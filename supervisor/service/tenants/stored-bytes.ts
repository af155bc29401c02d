import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of the artifacts that tenants left (gateway.md §18). */
export interface StoredBytes {
  /** What there was when it was first asked for, and what was added since. */
  of(tenant: string): Promise<number>;
  add(tenant: string, bytes: number): void;
}

/**
 * `rootOf`: directory of the artifacts of a tenant; one that is not there, or cannot be read, holds nothing. Null: they
 * are in a store, and what was there before is not counted.
 */
export function storedBytes(rootOf: (tenant: string) => string | null): StoredBytes {
  const found = new Map<string, Promise<number>>();
  const added = new Map<string, number>();
  return {
    async of(tenant) {
      const before = found.get(tenant) ?? countBytesBelow(rootOf(tenant));
      found.set(tenant, before);
      return (await before) + (added.get(tenant) ?? 0);
    },
    add(tenant, bytes) {
      // What is there when it is first looked at counts then.
      if (found.has(tenant)) added.set(tenant, (added.get(tenant) ?? 0) + bytes);
    },
  };
}

async function countBytesBelow(directory: string | null): Promise<number> {
  if (directory === null) return 0;
  try {
    const names = await readdir(directory, { recursive: true, withFileTypes: true });
    let total = 0;
    for (const entry of names) {
      if (entry.isFile()) total += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
    }
    return total;
  } catch {
    return 0;
  }
}
