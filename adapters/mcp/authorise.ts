import type { GrantStore } from '../../contract/provider-protocol/grant-store.ts';
import { grantKey } from './oauth/grants.ts';
import { storedGrants } from './oauth/stored-grants.ts';
import { refusedBy, type OAuthRefusal, type OwnedOAuth } from './oauth/declaration.ts';
import type { Revocation } from './oauth/revoke.ts';
import type { ClientInfo } from './protocol/request.ts';
import type { ServerServices } from './services.ts';

/** Whether a store has a grant of a server; what it is good for is seen when it is used. Never rejects. */
export async function grantState(store: GrantStore, oauth: OwnedOAuth): Promise<GrantState> {
  try {
    return { state: (await storedGrants(store).read(grantKey(oauth))) === null ? 'none' : 'granted' };
  } catch (error) {
    const problem: unknown = error instanceof Error && 'problem' in error ? error.problem : null;
    return { state: 'unavailable', problem: typeof problem === 'string' ? problem : null };
  }
}

/** `problem`: what is wrong with the store, in words of its own for people; null where it says nothing. */
export type GrantState =
  | { readonly state: 'granted' | 'none' }
  | { readonly state: 'unavailable'; readonly problem: string | null };

export interface Authorising {
  /** Of the installation, for anyone who lists grants. */
  readonly name: string;
  /** Of a client that its operator gave one. */
  readonly secret: string | null;
  /** Called once with the address where a person has to go. */
  readonly notify: (url: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Has a person authorise a server; the grant is kept where its connections are (providers.md §9, `--authorize-mcp`).
 * Never rejects.
 */
export async function authoriseServer(
  services: Pick<ServerServices, 'network'>,
  client: ClientInfo,
  oauth: OwnedOAuth,
  { name, secret, notify, signal }: Authorising,
): Promise<{ readonly ok: true } | OAuthRefusal> {
  const { remote, lost } = services.network();
  const { ended, leave } = lost.watch();
  const refusedAtEnd = ended.then(() => refusedBy('authorization_unavailable'));
  const stop = (): void => void remote.cancelAuthorisations();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) return refusedBy('authorization_unavailable');
    const started = await Promise.race([
      remote.beginAuthorisation(oauth, client, { name, redirectUri: null, secret }),
      refusedAtEnd,
    ]);
    if (!started.ok) return started;
    notify(started.url);
    return await Promise.race([remote.finishAuthorisation(started.flow), refusedAtEnd]);
  } finally {
    signal.removeEventListener('abort', stop);
    leave();
  }
}

/** Ends a grant, here and at its authority (world.md §2.5). Rejects where its store does. */
export async function endGrant(
  services: Pick<ServerServices, 'network'>,
  oauth: OwnedOAuth,
  secret: string | null,
): Promise<Revocation | 'none' | 'lost'> {
  const { remote, lost } = services.network();
  const { ended, leave } = lost.watch();
  try {
    return await Promise.race([remote.endGrant(oauth, secret), ended.then(() => 'lost' as const)]);
  } finally {
    leave();
  }
}

export interface RegisteredBeginning {
  /** Of the installation, for anyone who lists grants. */
  readonly name: string;
  readonly oauth: OwnedOAuth;
  /** Of the calling program, one of those that the declaration names. */
  readonly redirectUri: string;
  /** Null for a public client. */
  readonly secret: string | null;
  /** Called once the person came back, or cannot any more; more than once does nothing. */
  readonly ended: () => void;
}

/** A person who is asked; `finish` takes the address that they came back to. Neither rejects. */
export interface StartedFlow {
  readonly ok: true;
  readonly url: string;
  finish(arrivedAt: string): Promise<{ readonly ok: true } | OAuthRefusal>;
}

/** Has a person authorise a server who comes back to an address of the calling program (providers.md §9). */
export async function startAuthorisation(
  services: Pick<ServerServices, 'network'>,
  client: ClientInfo,
  { name, oauth, redirectUri, secret, ended }: RegisteredBeginning,
): Promise<StartedFlow | OAuthRefusal> {
  const { remote, lost } = services.network();
  const { ended: threadEnded, leave } = lost.watch();
  const refusedAtEnd = threadEnded.then(() => refusedBy('authorization_unavailable'));
  const over = (): void => {
    leave();
    ended();
  };
  const started = await Promise.race([
    remote.beginAuthorisation(oauth, client, { name, redirectUri, secret }),
    refusedAtEnd,
  ]);
  if (!started.ok) {
    over();
    return started;
  }
  const late = setTimeout(over, oauth.declaration.authorizationTimeoutMs).unref();
  return {
    ok: true,
    url: started.url,
    finish: async (arrivedAt) => {
      try {
        return await Promise.race([remote.finishAuthorisation(started.flow, arrivedAt), refusedAtEnd]);
      } finally {
        clearTimeout(late);
        over();
      }
    },
  };
}
