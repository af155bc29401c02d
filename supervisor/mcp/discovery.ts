import { plainJson } from './plain-json.ts';

/** The set is fixed while the process lives; a client need not ask again for half a minute. */
export const LIST_CACHE = { ttlMs: 30_000, cacheScope: 'private' } as const;

/** What `server/discover` answers. */
export function discovery(versions: readonly string[], server: string): string {
  return `{"_meta":${server},"cacheScope":"${LIST_CACHE.cacheScope}","capabilities":{"tools":{}},"resultType":"complete","supportedVersions":${plainJson(versions)},"ttlMs":${LIST_CACHE.ttlMs}}`;
}
