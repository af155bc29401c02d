import { setTimeout as pause } from 'node:timers/promises';
import { waitUntilAborted } from '../../../system/until-aborted.ts';
import type { Allowed, Authorisation } from '../authorisation.ts';
import type { ClientInfo } from '../protocol/request.ts';
import type { AuthorizationClient } from './ask.ts';
import { readChallenge } from './challenge.ts';
import { declaredClient, type OAuthDeclaration } from './declaration.ts';
import { discoverAuthority } from './discover.ts';
import { makeGrant } from './flow.ts';
import type { GrantKey } from '../../../contract/provider-protocol/grant-store.ts';
import { nameOf, type OAuthGrant, type Grants } from './grants.ts';
import { isSameAuthority } from './metadata.ts';
import { scopesFor } from './scopes.ts';
import { askTokens } from './tokens.ts';

export interface GrantUse {
  readonly oauth: OAuthDeclaration;
  readonly key: GrantKey;
  readonly store: Grants;
  readonly wire: AuthorizationClient;
  readonly client: ClientInfo;
  /** Of a confidential client. */
  readonly secret: string | null;
  readonly now: () => number;
}

/** Grants that are being refreshed, by their key: anyone who comes meanwhile waits for the one that is at it. */
const leaders = new WeakMap<Grants, Map<string, Promise<OAuthGrant | null>>>();

const SKEW_LEAST_MS = 1000;
const SKEW_MOST_MS = 30_000;

/** Authorises requests with what a person granted, renewed before it ends (providers.md §9, "Refresh"). */
export function grantAuthorisation(use: GrantUse): Authorisation {
  const { oauth, key, store, wire, now } = use;
  const skew = Math.min(SKEW_MOST_MS, Math.max(SKEW_LEAST_MS, oauth.unknownExpiryTtlMs / 10));
  const isUsable = (grant: OAuthGrant): boolean => !grant.isRejected && grant.expiresAt - now() > skew;
  /** Which generation a request was allowed by. */
  const generations = new WeakMap<Allowed, number>();
  const url = new URL(oauth.resource);

  /** Null where there is none. Rejects where nobody knows. */
  async function current(signal: AbortSignal): Promise<OAuthGrant | null> {
    const grant = await store.read(key);
    return grant === null || isUsable(grant) ? grant : leadBrowser(use, grant, signal);
  }

  return {
    allow: async (signal) => {
      const grant = await current(signal).catch(() => 'unavailable' as const);
      if (grant === 'unavailable') return { ok: false, fault: 'grants_unavailable' };
      if (grant === null) return { ok: false, fault: 'unauthorised' };
      const allowed: Allowed = {
        ok: true,
        headers: { authorization: `Bearer ${grant.access}` },
        tokens: [grant.access],
      };
      generations.set(allowed, grant.generation);
      return allowed;
    },
    refused: async (allowed, status, headers) => {
      const generation = generations.get(allowed) ?? 0;
      const challenge = status === 401 ? null : readChallenge(headers);
      if (status === 401) await change(store, key, generation, (grant) => ({ ...grant, isRejected: true }));
      else if (challenge?.error === 'insufficient_scope')
        await change(store, key, generation, (grant) => ({ ...grant, needed: challenge.scopes ?? [] }));
      else return 'unanswered';
      return 'unauthorised';
    },
    admits: wire.origins.admits(url) ?? (() => false),
  };
}

async function change(
  store: Grants,
  key: GrantKey,
  generation: number,
  to: (grant: OAuthGrant) => OAuthGrant,
): Promise<void> {
  const grant = await store.read(key).catch(() => null);
  if (grant?.generation === generation) await store.replace(key, generation, to(grant)).catch(() => false);
}

/** One refresh of a grant at a time, for everybody who needs it; null where it came to its end. */
async function leadBrowser(use: GrantUse, grant: OAuthGrant, signal: AbortSignal): Promise<OAuthGrant | null> {
  const byKey = leaders.get(use.store) ?? new Map<string, Promise<OAuthGrant | null>>();
  leaders.set(use.store, byKey);
  const name = nameOf(use.key);
  const leading =
    byKey.get(name) ??
    refreshAlone(use, grant, AbortSignal.timeout(use.oauth.authorizationTimeoutMs)).finally(() => byKey.delete(name));
  byKey.set(name, leading);
  // Anyone who leaves does not take it away from the others.
  return waitUntilAborted(leading, signal, null);
}

/** How long another process is waited for before it is asked again whether it is done. */
const LOCK_PAUSE_MS = 50;

/** While no other process does; one that did so before leaves nothing to do. Rejects where the store does. */
async function refreshAlone(use: GrantUse, grant: OAuthGrant, signal: AbortSignal): Promise<OAuthGrant | null> {
  const { store, key } = use;
  while (!(await store.lock(key))) await pause(LOCK_PAUSE_MS, undefined, { signal, ref: false });
  try {
    const stored = await store.read(key);
    if (stored === null || stored.generation !== grant.generation) return stored;
    return await refreshGrant(use, stored, signal);
  } finally {
    await store.unlock(key);
  }
}

async function refreshGrant(
  { oauth, key, store, wire, client, secret, now }: GrantUse,
  grant: OAuthGrant,
  signal: AbortSignal,
): Promise<OAuthGrant | null> {
  const ended = async (): Promise<null> => {
    await store.remove(key, grant.generation);
    return null;
  };
  if (grant.refresh === null) return ended();
  const found = await discoverAuthority(oauth, client, null, signal, wire);
  // Nothing was sent: it may be found another time.
  if (!found.ok) return found.code === 'connectivity_unavailable' ? null : ended();
  const resource = grant.resource ?? oauth.resource;
  if (!isSameAuthority(found.server, grant.server) || found.resource !== resource) return ended();
  const known = grant.registered ?? declaredClient(oauth.client, secret);
  const members = {
    grant_type: 'refresh_token',
    refresh_token: grant.refresh,
    ...(grant.scopes.length > 0 && { scope: grant.scopes.join(' ') }),
    resource,
  };
  const tokens = await askTokens(
    {
      endpoint: grant.server.tokenEndpoint,
      client: known,
      members,
      scopes: scopesFor(oauth.scopeCeiling, grant.scopes, grant.scopes),
    },
    signal,
    wire,
  );
  if (!tokens.ok) return tokens.endsGrant ? ended() : null;
  // A public client whose token stays the same cannot know that somebody else uses it.
  if (known.secret === null && (tokens.refresh === null || tokens.refresh === grant.refresh)) return ended();
  const next: OAuthGrant = {
    ...grant,
    ...makeGrant({ ...tokens, refresh: tokens.refresh ?? grant.refresh }, oauth, now()),
    generation: grant.generation + 1,
  };
  return (await store.replace(key, grant.generation, next)) ? next : store.read(key);
}
