import { createHash, timingSafeEqual } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
const CREDENTIALS = /^bearer +([^ ].*)$/i;
const [SHORTEST, LONGEST] = [32, 4096];

/** Whether a text may be a bearer (gateway.md §9): 32 to 4096 bytes of the bearer grammar. */
export function isBearerToken(text: string): boolean {
  return text.length >= SHORTEST && text.length <= LONGEST && TOKEN.test(text);
}

/** The bearer of a gateway, which can be compared and no longer read. */
export interface HashedBearer {
  /**
   * Of the value of an Authorization field; takes the same time whatever is given. `isPresent`: whether there was a
   * token to compare.
   */
  check(authorization: string | null): { readonly matches: boolean; readonly isPresent: boolean };
}

/** Keeps the digest alone. */
export function keepBearer(token: string): HashedBearer {
  const digest = digestOf(token);
  return {
    check: (authorization) => {
      const token = CREDENTIALS.exec(authorization ?? '')?.[1] ?? null;
      const isWellFormed = token !== null && isBearerToken(token);
      const matches = timingSafeEqual(digest, digestOf(token ?? ''));
      return { matches: matches && isWellFormed, isPresent: token !== null };
    },
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
