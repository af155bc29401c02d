import type { ServerFacts } from './metadata.ts';
import type { OAuthDeclaration } from './declaration.ts';

/** What people granted, plain data. */
export interface Grant {
  /** One more with each token; 1 with the first. */
  readonly generation: number;
  readonly access: string;
  readonly refresh: string | null;
  /** Milliseconds of the clock after which the token is no longer sent. */
  readonly expiresAt: number;
  readonly scopes: readonly string[];
  /** What it was granted by: a refresh that finds anything else is none. */
  readonly server: ServerFacts;
  /** The server refused this token. */
  readonly isRejected: boolean;
  /** Scopes that the server wanted beside these. */
  readonly needed: readonly string[];
}

/**
 * Where grants are kept (providers.md §9, "Store"). The command line keeps them in memory; a calling program may bring one that
 * encrypts what it keeps, and that changes an entry at once or not at all.
 */
export interface GrantStore {
  read(key: string): Promise<Grant | null>;
  /** Puts a grant in the place of the one of that generation, null for none; false where another is there. */
  replace(key: string, generation: number | null, grant: Grant): Promise<boolean>;
  /** Ends the grant of that generation, if it is still there. */
  remove(key: string, generation: number): Promise<void>;
}

export function memoryGrants(): GrantStore {
  const grants = new Map<string, Grant>();
  return {
    read: async (key) => grants.get(key) ?? null,
    replace: async (key, generation, grant) => {
      if ((grants.get(key)?.generation ?? null) !== generation) return false;
      grants.set(key, grant);
      return true;
    },
    remove: async (key, generation) => {
      if (grants.get(key)?.generation === generation) grants.delete(key);
    },
  };
}

/** Whose grant it is: another block, another server or another person's is another one. */
export function grantKey(owner: { readonly tenant: string; readonly principal: string }, { installationId, resource, issuer, client, fingerprint }: OAuthDeclaration): string {
  return JSON.stringify([owner.tenant, owner.principal, installationId, resource, issuer, client.id, fingerprint]);
}
