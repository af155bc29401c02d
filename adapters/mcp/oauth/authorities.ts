import type { Network } from '../../../contract/provider-protocol/network.ts';
import type { DialTools } from '../../http/dial.ts';
import type { Authorisation } from '../authorisation.ts';
import type { ClientInfo } from '../protocol/request.ts';
import type { AuthorizationClient } from './ask.ts';
import { grantAuthorisation } from './authorisation.ts';
import { cacheDocuments } from './documents.ts';
import { declaredClient, refusedBy, type OAuthRefusal, type OwnedOAuth } from './declaration.ts';
import { startFlow, type Flow } from './flow.ts';
import { grantKey, type Grants } from './grants.ts';
import { originsOf } from './origins.ts';
import { registeredRedirect, type RegisteredRedirect } from './redirect.ts';
import { revokeGrant, type Revocation } from './revoke.ts';

/** Where people come back to, and what the client proves itself with. */
export interface Beginning {
  /** Of the installation, for anyone who lists grants. */
  readonly name: string;
  /** An address of the calling program, one of those that the declaration names; null for a port of this machine. */
  readonly redirectUri: string | null;
  /** Null for a client that its operator gave none. */
  readonly secret: string | null;
}

/** Authorisations that wait for people, and what they granted. */
export interface Authorities {
  /**
   * Where a person goes, and the number of what waits there. A server that said before which scopes it needs gets those
   * beside the ones that are granted. Never rejects.
   */
  beginAuthorisation(
    oauth: OwnedOAuth,
    client: ClientInfo,
    beginning: Beginning,
  ): Promise<{ readonly ok: true; readonly flow: number; readonly url: string } | OAuthRefusal>;
  /**
   * Once that person came back, or the time was over. `arrivedAt`: where, of an address of the calling program. Never
   * rejects.
   */
  finishAuthorisation(flow: number, arrivedAt?: string): Promise<{ readonly ok: true } | OAuthRefusal>;
  /** Ends what waits, also where it is only being started. */
  cancelAuthorisations(): void;
  /**
   * Ends a grant, here in any case and at its authority if that takes it back; `none`: there is none. `secret`: of a
   * client that its operator gave one. Rejects where the store does.
   */
  endGrant(oauth: OwnedOAuth, secret: string | null): Promise<Revocation | 'none'>;
  /** What authorises the requests to one server. */
  grantOf(oauth: OwnedOAuth, client: ClientInfo, secret: string | null): Authorisation;
}

interface Waiting {
  readonly name: string;
  readonly oauth: OwnedOAuth;
  readonly flow: Flow;
  readonly redirect: RegisteredRedirect | null;
}

/** People who are awaited at once; anyone who comes beside them is asked to come again. */
const WAITING_MOST = 1000;
/** Time for an authority to take a grant back; it ends here all the same. */
const REVOCATION_MS = 10_000;

/**
 * `dialTo`: connections by such a network. `grantsOf`: where the grants of a store are, by its number (providers.md
 * §9).
 */
export function authorities(
  dialTo: (network?: Network) => DialTools,
  grantsOf: (store: number | undefined) => Grants,
  waitingMost: number = WAITING_MOST,
): Authorities {
  const waiting = new Map<number, Waiting>();
  let stopped = new AbortController();
  let count = 0;
  const documents = cacheDocuments(Date.now);
  const wireOf = ({ declaration, network }: OwnedOAuth): AuthorizationClient => ({
    dial: dialTo(network),
    origins: originsOf(declaration),
    documents: documents.of(declaration.fingerprint),
  });
  return {
    beginAuthorisation: async (oauth, client, { name, redirectUri, secret }) => {
      const { client: declared } = oauth.declaration;
      const isKnown =
        (redirectUri === null || declared.redirectUris.includes(redirectUri)) &&
        (declared.secret === null) === (secret === null);
      if (!isKnown || waiting.size >= waitingMost) return refusedBy('authorization_unavailable');
      const redirect = redirectUri === null ? null : registeredRedirect(redirectUri);
      const before = await grantsOf(oauth.store)
        .read(grantKey(oauth))
        .catch(() => 'unavailable' as const);
      // Nobody is asked for what could not be kept.
      if (before === 'unavailable') return refusedBy('authorization_unavailable');
      const needed = before === null || before.needed.length === 0 ? null : [...before.scopes, ...before.needed];
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(oauth.declaration.authorizationTimeoutMs)]);
      const flow = await startFlow(oauth.declaration, needed, signal, {
        wire: wireOf(oauth),
        client,
        secret,
        redirect,
        now: Date.now,
      });
      if (!flow.ok) return flow;
      count += 1;
      const number = count;
      waiting.set(number, { name, oauth, flow, redirect });
      signal.addEventListener('abort', () => waiting.delete(number), { once: true });
      return { ok: true, flow: number, url: flow.url };
    },
    finishAuthorisation: async (number, arrivedAt) => {
      const one = waiting.get(number);
      waiting.delete(number);
      if (one === undefined) return refusedBy('authorization_unavailable');
      if (arrivedAt !== undefined) one.redirect?.arrived(arrivedAt);
      const finished = await one.flow.finish();
      if (!finished.ok) return finished;
      const [key, grants] = [grantKey(one.oauth), grantsOf(one.oauth.store)];
      try {
        const before = (await grants.read(key))?.generation ?? null;
        // What is said of an earlier token is not said of this one.
        const granted = { name: one.name, oauth: one.oauth.declaration };
        const grant = { ...finished.grant, granted, generation: (before ?? 0) + 1 };
        return (await grants.replace(key, before, grant)) ? { ok: true } : refusedBy('authorization_unavailable');
      } catch {
        return refusedBy('authorization_unavailable');
      }
    },
    cancelAuthorisations: () => {
      stopped.abort();
      stopped = new AbortController();
    },
    endGrant: async (oauth, secret) => {
      const [key, grants] = [grantKey(oauth), grantsOf(oauth.store)];
      const grant = await grants.read(key);
      if (grant === null) return 'none';
      const client = grant.registered ?? declaredClient(oauth.declaration.client, secret);
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(REVOCATION_MS)]);
      const revocation = await revokeGrant(grant, client, signal, wireOf(oauth));
      await grants.remove(key, grant.generation);
      return revocation;
    },
    grantOf: (oauth, client, secret) =>
      grantAuthorisation({
        oauth: oauth.declaration,
        key: grantKey(oauth),
        store: grantsOf(oauth.store),
        wire: wireOf(oauth),
        client,
        secret,
        now: Date.now,
      }),
  };
}
