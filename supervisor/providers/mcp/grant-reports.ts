import type { OwnedOAuth } from '../../../adapters/pool/servers.ts';
import type { GrantStore, StoredGrant } from '../../../contract/provider-protocol/grant-store.ts';
import { serverThreads } from './server-threads.ts';

/** What is reported about a grant that a store keeps. Plain data; none of it is secret. */
export interface GrantReport {
  /** Alias that it was given under. */
  readonly name: string;
  readonly endpoint: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** Milliseconds of the clock; its token is renewed before, where that can be. */
  readonly expiresAt: number;
  readonly isRenewable: boolean;
  readonly isRejected: boolean;
  /** Name of the credential that its client proves itself with; null for a client without one. */
  readonly secretName: string | null;
  /** What it was granted for, to end it. */
  readonly declaration: OwnedOAuth['declaration'];
}

/** What became of a grant at its authority. */
export type Revocation = 'revoked' | 'unsupported' | 'failed';

/** Null for one that does not say what it was granted for. */
export async function readGrantReport(stored: StoredGrant): Promise<GrantReport | null> {
  const { readGrant } = await import('../../../adapters/pool/servers.ts');
  const grant = readGrant(stored);
  if (grant?.granted === undefined || grant.granted === null) return null;
  const { name, oauth } = grant.granted;
  return {
    name,
    endpoint: oauth.resource,
    issuer: oauth.issuer,
    scopes: grant.scopes,
    expiresAt: grant.expiresAt,
    isRenewable: grant.refresh !== null,
    isRejected: grant.isRejected,
    secretName: oauth.client.secret,
    declaration: oauth,
  };
}

export interface EndingGrant {
  readonly store: GrantStore;
  readonly tenant: string;
  readonly principal: string;
  /** Of a client that its operator gave one. */
  readonly secret: string | null;
}

/** Ends a grant, here in any case and at its authority if that takes it back. Rejects where the store does. */
export async function endStoredGrant(
  { declaration }: GrantReport,
  { store, tenant, principal, secret }: EndingGrant,
): Promise<Revocation> {
  const { endGrant } = await import('../../../adapters/pool/servers.ts');
  return serverThreads.use(tenant, async (threads) => {
    const ended = await endGrant(
      threads,
      { tenant, principal, declaration, store: threads.storeNumber(store) },
      secret,
    );
    // Another command ended it first: there is nothing left to take back.
    return ended === 'none' ? 'unsupported' : ended === 'lost' ? 'failed' : ended;
  });
}
