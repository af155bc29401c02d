import { createHash } from 'node:crypto';
import type { GrantKey } from '../../../contract/provider-protocol/grant-store.ts';
import type { ServerFacts } from './metadata.ts';
import type { KnownClient, OAuthDeclaration, OwnedOAuth } from './declaration.ts';

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
  /** What its tokens are for; null: the endpoint, in a grant that was kept before this was noted. */
  readonly resource: string | null;
  /** The client that registered itself for it; null for the one of the declaration. */
  readonly registered: KnownClient | null;
  /** What it was granted for, for anyone who has no host document; null where that was not noted. */
  readonly granted: { readonly name: string; readonly oauth: OAuthDeclaration } | null;
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
  /** Whether nobody else, of any process, changes this grant until `unlock`; asked again where somebody does. */
  lock(key: GrantKey): Promise<boolean>;
  unlock(key: GrantKey): Promise<void>;
}

/** Those of one process alone, whose refreshes wait for each other: those of a command, of a program without store. */
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
    lock: async () => true,
    unlock: async () => undefined,
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
