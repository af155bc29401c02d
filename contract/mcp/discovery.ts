import { plainJson } from './plain-json.ts';

/** The set is fixed while the process lives; a client need not ask again for half a minute. */
export const LIST_CACHE = { ttlMs: 30_000, cacheScope: 'private' } as const;

/** What `server/discover` answers; without `instructions`: there are none. */
export function discovery(versions: readonly string[], server: string, instructions?: string): string {
  const said = instructions === undefined ? '' : `"instructions":${plainJson(instructions)},`;
  return `{"_meta":${server},"cacheScope":"${LIST_CACHE.cacheScope}","capabilities":{"tools":{}},${said}"resultType":"complete","supportedVersions":${plainJson(versions)},"ttlMs":${LIST_CACHE.ttlMs}}`;
}
