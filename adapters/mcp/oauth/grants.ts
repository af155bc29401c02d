import { createHash } from 'node:crypto';
import type { GrantKey } from '../../../contract/provider-protocol/grant-store.ts';
import type { ServerFacts } from './metadata.ts';
import type { OwnedOAuth } from './declaration.ts';

/** What people granted, plain data. */
export interface OAuthGrant {
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

/** Where grants are kept (providers.md §9, "Store"). Rejects where that is not available. */
export interface Grants {
  read(key: GrantKey): Promise<OAuthGrant | null>;
  /** Puts a grant in the place of the one of that generation, null for none; false where another is there. */
  replace(key: GrantKey, generation: number | null, grant: OAuthGrant): Promise<boolean>;
  /** Ends the grant of that generation, if it is still there. */
  remove(key: GrantKey, generation: number): Promise<void>;
}

/** Those of a command, and of a calling program that brings no store. */
export function memoryGrants(): Grants {
  const grants = new Map<string, OAuthGrant>();
  return {
    read: async (key) => grants.get(nameOf(key)) ?? null,
    replace: async (key, generation, grant) => {
      if ((grants.get(nameOf(key))?.generation ?? null) !== generation) return false;
      grants.set(nameOf(key), grant);
      return true;
    },
    remove: async (key, generation) => {
      if (grants.get(nameOf(key))?.generation === generation) grants.delete(nameOf(key));
    },
  };
}

/** Whose grant it is: another block, another server or another person's is another one. */
export function grantKey({
  tenant,
  principal,
  declaration: { installationId, resource, issuer, client, fingerprint },
}: OwnedOAuth): GrantKey {
  const id = createHash('sha256')
    .update(JSON.stringify([installationId, resource, issuer, client.id, fingerprint]))
    .digest('hex');
  return { tenant, principal, id };
}

/** One text for one key. */
export function nameOf({ tenant, principal, id }: GrantKey): string {
  return JSON.stringify([tenant, principal, id]);
}
