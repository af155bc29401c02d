import type { AcquisitionContext, AcquisitionRequest } from '../../contract/provider-protocol/session.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import type { ServerDeclaration } from './declaration.ts';
import { discover } from './discover-server.ts';
import { catalogueBounds } from './protocol/catalogue-pages.ts';
import { openPrepared } from './open-prepared.ts';
import type { ListedTool } from './protocol/catalogue.ts';
import type { ClientInfo } from './protocol/request.ts';
import type { Unopened } from './refused.ts';
import type { ServerServices } from './services.ts';

/** Everything that a server offers, mapped or not. */
export interface ListedServer {
  readonly ok: true;
  /** In byte order of their names. */
  readonly tools: readonly ListedTool[];
  readonly pages: number;
  /** Whether the end of the server could be proved. */
  readonly isReleased: boolean;
}

/** Opens a server, asks what it offers, calls nothing and closes it (providers.md §13, catalog). */
export async function listTools(
  services: ServerServices,
  client: ClientInfo,
  request: AcquisitionRequest<ServerDeclaration>,
  context: Pick<AcquisitionContext, 'credentials' | 'network' | 'signal'>,
): Promise<ListedServer | Unopened> {
  const opened = await openPrepared(services, client, request, context);
  if (!opened.ok) return opened;
  const { server, tools, step } = opened;
  let isReleased = false;
  let discovered;
  try {
    discovered = await discover(
      server,
      tools,
      {
        revisions: request.declaration.revisions,
        wanted: null,
        bounds: catalogueBounds(request.declaration),
        step,
      },
      context.signal,
    );
  } finally {
    isReleased = await server.close();
  }
  if (!discovered.ok) return discovered;
  const { catalogue } = discovered;
  return {
    ok: true,
    tools: catalogue.tools.toSorted((left, right) => compareUtf8(left.upstream, right.upstream)),
    pages: catalogue.pages,
    isReleased,
  };
}
