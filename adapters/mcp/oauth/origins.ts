import { isPublicAddress } from '../../http/public-address.ts';
import type { OAuthDeclaration } from './declaration.ts';

/** Whom a declaration lets be spoken to (providers.md §9, "Origins"). */
export interface Origins {
  /** What its addresses must be; undefined for an origin that is not to be spoken to. */
  admits(url: URL): ((address: string) => boolean) | undefined;
}

const anywhere = (): boolean => true;

/** Its resource, its issuer, and what the operator adds; only a private origin may have private addresses. */
export function originsOf({
  resource,
  issuer,
  additionalOrigins,
  privateOrigins,
}: Pick<OAuthDeclaration, 'resource' | 'issuer' | 'additionalOrigins' | 'privateOrigins'>): Origins {
  const known = new Set([new URL(resource).origin, new URL(issuer).origin, ...additionalOrigins]);
  const inside = new Set(privateOrigins);
  return {
    admits: (url) => {
      if (inside.has(url.origin)) return anywhere;
      return known.has(url.origin) && url.protocol === 'https:' ? isPublicAddress : undefined;
    },
  };
}
