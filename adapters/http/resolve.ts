import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Addresses of a host name, or of a literal address that one. Rejects where there is none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** As the system resolves names. */
export const resolveBySystem: Resolve = async (host) => {
  const literal = literalAddress(host);
  if (literal !== null) return [literal];
  const found = await lookup(host, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
};

/** The address that a URL's host writes out; null for a name. */
export function literalAddress(host: string): string | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return isIP(bare) === 0 ? null : bare;
}
