import type { OAuthRefusal, OwnedOAuth } from './oauth/declaration.ts';
import { refusedBy } from './oauth/declaration.ts';
import type { ClientInfo } from './protocol/request.ts';
import type { ServerServices } from './services.ts';

export interface Authorising {
  /** Told once where a person has to go. */
  readonly notify: (url: string) => void;
  readonly signal: AbortSignal;
}

/** Has a person authorise a server; the grant is kept where its connections are (providers.md §9, `--authorize-mcp`). Never rejects. */
export async function authoriseServer(services: Pick<ServerServices, 'network'>, client: ClientInfo, oauth: OwnedOAuth, { notify, signal }: Authorising): Promise<{ readonly ok: true } | OAuthRefusal> {
  const { remote, lost } = services.network();
  const gone = lost.then(() => refusedBy('authorization_unavailable'));
  const stop = (): void => void remote.cancelAuthorisations();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) return refusedBy('authorization_unavailable');
    const begun = await Promise.race([remote.beginAuthorisation(oauth, client), gone]);
    if (!begun.ok) return begun;
    notify(begun.url);
    return await Promise.race([remote.finishAuthorisation(begun.flow), gone]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
