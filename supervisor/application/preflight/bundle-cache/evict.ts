import type { OpenDirectory } from '../../../evidence/publication/file-system.ts';
import { isEntryName } from './entry.ts';

/** Bundles that are kept at most, and their bytes together. */
export interface CacheBounds {
  readonly entries: number;
  readonly bytes: number;
}

export const CACHE_BOUNDS: CacheBounds = { entries: 256, bytes: 128 * 1024 * 1024 };

/** Names that are looked at in one go: what else lies there is not ours. */
const MAX_NAMES = 4096;
/** A file that is still being written is younger than that. */
const STALE_MS = 3_600_000;

const STAGING_NAME = /^\.[0-9a-f]{24}\.new$/;

interface CacheEntry {
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: number;
}

/**
 * Removes the oldest entries until the bounds hold, and what writers left that were ended in mid-write. `newest` stays,
 * and its time says what is old: no clock but the file system's own takes part. Only names that the cache gives are
 * ever removed.
 */
export async function evict(directory: OpenDirectory, newest: string, bounds: CacheBounds): Promise<void> {
  const listed = await directory.names(MAX_NAMES);
  const present = await directory.entry(newest);
  if (!listed.ok || !present.ok) return;
  const others: CacheEntry[] = [];
  for (const name of listed.value) {
    if (name === newest || !(isEntryName(name) || STAGING_NAME.test(name))) continue;
    const status = await directory.entry(name);
    if (status.ok) others.push({ name, size: status.value.size, modifiedAt: status.value.modifiedAt });
  }
  const isStale = ({ name, modifiedAt }: CacheEntry): boolean =>
    STAGING_NAME.test(name) && modifiedAt < present.value.modifiedAt - STALE_MS;
  for (const { name } of others.filter(isStale)) await directory.removeFile(name);
  let entries = 1;
  let bytes = present.value.size;
  const newestFirst = others.filter(({ name }) => isEntryName(name)).toSorted(byAge);
  for (const { name, size } of newestFirst) {
    entries += 1;
    bytes += size;
    if (entries > bounds.entries || bytes > bounds.bytes) await directory.removeFile(name);
  }
}

function byAge(left: CacheEntry, right: CacheEntry): number {
  return right.modifiedAt - left.modifiedAt || (left.name < right.name ? -1 : 1);
}
