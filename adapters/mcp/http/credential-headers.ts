import type { Credentials } from '../../../contract/provider-protocol/credentials.ts';
import type { StaticAuth } from '../declaration.ts';
import { isSendable, type Headers } from '../protocol/request-headers.ts';

/** Of headers that the host document configures (providers.md §7.2). */
const HEADERS_MAX = 32;
const HEADER_BYTES_MAX = 16_384;

/** Bytes that a header can carry, and no end of one. */
const CARRIED = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The headers that carry an installation's credentials, each as it was given; null where a header cannot carry one
 * (providers.md §4).
 */
export function credentialHeaders(auth: readonly StaticAuth[], credentials: Credentials): Headers | null {
  const headers: Record<string, string> = {};
  for (const one of auth) {
    const secret = credentials.get(one.credential)?.reveal();
    if (secret === undefined || !CARRIED.test(secret)) return null;
    const [name, value] =
      one.scheme === 'api_key'
        ? [one.header.toLowerCase(), secret]
        : ['authorization', `${SCHEMES[one.scheme]} ${secret}`];
    headers[name] = value;
  }
  return isSendable(headers, HEADERS_MAX, HEADER_BYTES_MAX) ? headers : null;
}

const SCHEMES = { bearer: 'Bearer', basic: 'Basic' } as const;
