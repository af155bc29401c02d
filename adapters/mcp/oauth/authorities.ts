import type { Network } from '../../../contract/provider-protocol/network.ts';
import type { DialTools } from '../../http/dial.ts';
import type { Authorisation } from '../authorisation.ts';
import type { ClientInfo } from '../protocol/request.ts';
import type { AuthorizationClient } from './ask.ts';
import { grantAuthorisation } from './authorisation.ts';
import { cacheDocuments } from './documents.ts';
import { refusedBy, type OAuthRefusal, type OwnedOAuth } from './declaration.ts';
import { startFlow, type Flow } from './flow.ts';
import { grantKey, type Grants } from './grants.ts';
import { originsOf } from './origins.ts';
import { registeredRedirect, type RegisteredRedirect } from './redirect.ts';

/**
 * How a calling program authorises for itself: people come back to an address of its own, and its client may have a
 * secret.
 */
export interface Registered {
  /** One of those that the declaration names. */
  readonly redirectUri: string;
  /** Null for a public client. */
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
    registered?: Registered,
  ): Promise<{ readonly ok: true; readonly flow: number; readonly url: string } | OAuthRefusal>;
  /**
   * Once that person came back, or the time was over. `arrivedAt`: where, of an address of the calling program. Never
   * rejects.
   */
  finishAuthorisation(flow: number, arrivedAt?: string): Promise<{ readonly ok: true } | OAuthRefusal>;
  /** Ends what waits, also where it is only being begun. */
  cancelAuthorisations(): void;
  /** What authorises the requests to one server. */
  grantOf(oauth: OwnedOAuth, client: ClientInfo, secret: string | null): Authorisation;
}

interface Waiting {
  readonly oauth: OwnedOAuth;
  readonly flow: Flow;
  readonly redirect: RegisteredRedirect | null;
}

/** People who are awaited at once; whoever comes beside them is told to come again. */
const WAITING_MOST = 1000;

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
    beginAuthorisation: async (oauth, client, registered) => {
      const { client: declared } = oauth.declaration;
      const isKnown =
        registered === undefined
          ? declared.secret === null
          : declared.redirectUris.includes(registered.redirectUri) &&
            (declared.secret === null) === (registered.secret === null);
      if (!isKnown || waiting.size >= waitingMost) return refusedBy('authorization_unavailable');
      const redirect = registered === undefined ? null : registeredRedirect(registered.redirectUri);
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
        secret: registered?.secret ?? null,
        redirect,
        now: Date.now,
      });
      if (!flow.ok) return flow;
      count += 1;
      const number = count;
      waiting.set(number, { oauth, flow, redirect });
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
        const grant = { ...finished.grant, generation: (before ?? 0) + 1 };
        return (await grants.replace(key, before, grant)) ? { ok: true } : refusedBy('authorization_unavailable');
      } catch {
        return refusedBy('authorization_unavailable');
      }
    },
    cancelAuthorisations: () => {
      stopped.abort();
      stopped = new AbortController();
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
