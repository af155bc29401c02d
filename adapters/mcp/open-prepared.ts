import type { AcquisitionContext, AcquisitionRequest } from '../../contract/provider-protocol/session.ts';
import { unopened } from './agree-on-revision.ts';
import type { ServerDeclaration } from './declaration.ts';
import type { TimeBound } from './failure-words.ts';
import { openServer, stepBound, type OpenServer, type ServerTools } from './open-server.ts';
import type { ClientInfo } from './protocol/request.ts';
import type { Unopened } from './refused.ts';
import type { ServerServices } from './services.ts';
import type { Prepared } from './transport.ts';
import { prepare, type Target } from './transports.ts';

/** A server to which a connection is open, over which nothing was said yet. */
export interface OpenedServer {
  readonly ok: true;
  readonly server: OpenServer;
  readonly tools: ServerTools;
  readonly prepared: Prepared<Target>;
  /** Time of each step (providers.md §7.7). */
  readonly step: TimeBound;
}

/** Decides what is opened for a declaration, and opens it. */
export async function openPrepared(
  services: ServerServices,
  client: ClientInfo,
  { declaration, limits }: AcquisitionRequest<ServerDeclaration>,
  { credentials, network, signal }: Pick<AcquisitionContext, 'credentials' | 'network' | 'signal'>,
): Promise<OpenedServer | Unopened> {
  const workers = services.workers(limits.heapWords);
  const tools: ServerTools = { network: services.network(), workers, client };
  const step = stepBound(declaration, limits);
  const prepared = await prepare(declaration.transport, {
    client,
    credentials,
    network,
    revisions: declaration.revisions,
    workers,
    stepMs: step.ms,
    signal,
  });
  if (!prepared.ok) return prepared;
  const server = await openServer(tools, prepared.target);
  if ('fault' in server) return unopened(server);
  return { ok: true, server, tools, prepared, step };
}
