import { systemDial } from '../../http/dial.ts';
import type { DialTools } from '../../http/dial.ts';
import type { Authorisation } from '../authorisation.ts';
import type { ClientInfo } from '../protocol/request.ts';
import { grantAuthorisation } from './authorisation.ts';
import { refusedBy } from './declaration.ts';
import type { OAuthRefusal, OwnedOAuth } from './declaration.ts';
import { beginFlow } from './flow.ts';
import type { Flow } from './flow.ts';
import { grantKey, memoryGrants } from './grants.ts';
import type { GrantStore } from './grants.ts';
import { originsOf } from './origins.ts';

/** Authorisations that wait for people, and what they granted. */
export interface Authorities {
  /** Where a person goes, and the number of what waits there. Never rejects. */
  beginAuthorisation(oauth: OwnedOAuth, client: ClientInfo): Promise<{ readonly ok: true; readonly flow: number; readonly url: string } | OAuthRefusal>;
  /** Once that person came back, or the time was over. Never rejects. */
  finishAuthorisation(flow: number): Promise<{ readonly ok: true } | OAuthRefusal>;
  /** Ends what waits, also where it is only being begun. */
  cancelAuthorisations(): void;
  /** What authorises the requests to one server. */
  grantOf(oauth: OwnedOAuth, client: ClientInfo, secret: string | null): Authorisation;
}

interface Waiting {
  readonly oauth: OwnedOAuth;
  readonly flow: Flow;
}

/** Keeps grants in a store, in memory unless another is given (providers.md §9). */
export function authorities(dial: DialTools = systemDial(), store: GrantStore = memoryGrants()): Authorities {
  const waiting = new Map<number, Waiting>();
  let stopped = new AbortController();
  let count = 0;
  const wireOf = ({ declaration }: OwnedOAuth): { readonly dial: DialTools; readonly origins: ReturnType<typeof originsOf> } => ({ dial, origins: originsOf(declaration) });
  return {
    beginAuthorisation: async (oauth, client) => {
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(oauth.declaration.authorizationTimeoutMs)]);
      const flow = await beginFlow(oauth.declaration, null, signal, { wire: wireOf(oauth), client, secret: null, now: Date.now });
      if (!flow.ok) return flow;
      count += 1;
      waiting.set(count, { oauth, flow });
      return { ok: true, flow: count, url: flow.url };
    },
    finishAuthorisation: async (number) => {
      const one = waiting.get(number);
      waiting.delete(number);
      if (one === undefined) return refusedBy('authorization_unavailable');
      const finished = await one.flow.finish();
      if (!finished.ok) return finished;
      const key = grantKey(one.oauth);
      const before = await store.read(key);
      return (await store.replace(key, before?.generation ?? null, finished.grant)) ? { ok: true } : refusedBy('authorization_unavailable');
    },
    cancelAuthorisations: () => {
      stopped.abort();
      stopped = new AbortController();
    },
    grantOf: (oauth, client, secret) => grantAuthorisation({ oauth: oauth.declaration, key: grantKey(oauth), store, wire: wireOf(oauth), client, secret, now: Date.now }),
  };
}
