import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../../contract/json/value.ts';

/** Seconds that a document is fresh where it says nothing, and at most (providers.md §9, "Freshness"). */
const STANDARD_S = 60;
const MOST_S = 3600;
/** Documents that are kept at a time; the one that was kept longest ago goes first. */
const STORED = 64;

/** Metadata of one declaration that are asked for again only once they are no longer fresh. */
export interface Documents {
  /** Null where it has to be asked for. */
  fresh(address: string): JsonObject | null;
  /** For as long as its headers allow, which may be not at all. */
  keep(address: string, document: JsonObject, headers: IncomingHttpHeaders): void;
}

export interface CachedDocuments {
  /** Of one declaration, by its fingerprint: what one may know is not shown to another. */
  of(fingerprint: string): Documents;
}

/** `now`: milliseconds. */
export function cacheDocuments(now: () => number): CachedDocuments {
  const cache = new Map<string, { readonly document: JsonObject; readonly until: number }>();
  return {
    of: (fingerprint) => {
      const keyOf = (address: string): string => `${fingerprint} ${address}`;
      return {
        fresh: (address) => {
          const found = cache.get(keyOf(address));
          return found !== undefined && now() < found.until ? found.document : null;
        },
        keep: (address, document, headers) => {
          const key = keyOf(address);
          cache.delete(key);
          const seconds = freshSeconds(headers);
          if (seconds <= 0) return;
          cache.set(key, { document, until: now() + seconds * 1000 });
          const [oldest] = cache.keys();
          if (cache.size > STORED && oldest !== undefined) cache.delete(oldest);
        },
      };
    },
  };
}

/** Seconds; what cannot be read is not fresh. */
function freshSeconds({ 'cache-control': control = '', age = '0' }: IncomingHttpHeaders): number {
  const directives = new Map(
    control.split(',').map((directive): [string, string] => {
      const [name = '', value = ''] = directive.split('=').map((part) => part.trim());
      return [name.toLowerCase(), value.replace(/^"(.*)"$/, '$1')];
    }),
  );
  if (directives.has('no-store') || directives.has('no-cache')) return 0;
  const [most, old] = [directives.get('max-age') ?? String(STANDARD_S), age].map(secondsIn);
  return most === undefined || old === undefined ? 0 : Math.min(most, MOST_S) - old;
}

function secondsIn(text: string): number | undefined {
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}
