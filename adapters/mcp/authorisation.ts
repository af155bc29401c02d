import type { IncomingHttpHeaders } from 'node:http';
import type { TransportFault } from './exchanged.ts';
import type { Headers } from './protocol/request-headers.ts';

/** What a request may be sent with. */
export interface Allowed {
  readonly ok: true;
  readonly headers: Headers;
  /** Those in the headers that only this thread knows: no answer may repeat them. */
  readonly tokens: readonly string[];
}

/** What authorises requests to one server. */
export interface Authorisation {
  /** Asked before each request. Never rejects. */
  allow(signal: AbortSignal): Promise<Allowed | { readonly ok: false; readonly fault: TransportFault }>;
  /**
   * Called when the server refused with 401 or 403 what was allowed; what its caller learns of it, once it is kept.
   * Never rejects.
   */
  refused(allowed: Allowed, status: 401 | 403, headers: IncomingHttpHeaders): Promise<TransportFault>;
  /** Which addresses may be spoken to; null for every one (providers.md §8, §9). */
  readonly admits: ((address: string) => boolean) | null;
}

/** Credentials that do not change, or none: their endpoint is the operator's own word. */
export function staticAuthorisation(headers: Headers): Authorisation {
  return {
    allow: async () => ({ ok: true, headers, tokens: [] }),
    refused: async () => 'unauthenticated',
    admits: null,
  };
}
