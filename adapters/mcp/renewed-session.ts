import { beginSession, type Agreed, type AgreeingTerms } from './agree-on-revision.ts';
import type { PendingServerRequest, OpenServer, ServerTools } from './open-server.ts';
import { isOlder } from './protocol/revision.ts';

/**
 * A server whose session is started again, at the same revision, where it has forgotten it: what was asked then was not
 * done, and is asked once more (world.md §2.1).
 */
export function renewingSession(
  server: OpenServer,
  tools: ServerTools,
  { revision }: Agreed,
  terms: AgreeingTerms,
): OpenServer {
  if (!isOlder(revision)) return server;
  const never = new AbortController().signal;
  /** One for all requests that find the session gone meanwhile. */
  let renewing: Promise<boolean> | null = null;
  const renew = async (): Promise<boolean> => {
    const started = await beginSession(server, tools, { ...terms, wanted: revision }, never);
    renewing = null;
    return started.ok && started.revision === revision;
  };
  return {
    ...server,
    ask: async (...input) => {
      const pendingServerRequest = await server.ask(...input);
      if (!hasNoSession(pendingServerRequest)) return pendingServerRequest;
      renewing ??= renew();
      return (await renewing) ? server.ask(...input) : pendingServerRequest;
    },
  };
}

function hasNoSession({ exchanged }: PendingServerRequest): boolean {
  return exchanged !== 'lost' && exchanged.kind === 'failed' && exchanged.fault === 'session_ended';
}
