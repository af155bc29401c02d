import type { TaskEnd } from '../threads/task-pool.ts';
import { agreeOnRevision, unanswered, type Agreed, type AgreeingTerms } from './agree-on-revision.ts';
import type { WantedTools } from './declaration.ts';
import type { OpenServer, ServerTools } from './open-server.ts';
import { cataloguePages, type CatalogueBounds, type ToolCatalogue } from './protocol/catalogue-pages.ts';
import { listRequest } from './protocol/request.ts';
import { renewingSession } from './renewed-session.ts';
import { refused, type Unopened } from './refused.ts';

/** What a server offers. */
export interface Discovered extends Agreed {
  /** That is asked from here on. */
  readonly server: OpenServer;
  readonly catalogue: ToolCatalogue;
}

export interface DiscoveryTerms extends AgreeingTerms {
  /** Null for every tool. */
  readonly wanted: WantedTools | null;
  readonly bounds: CatalogueBounds;
}

/** Agrees on a revision and reads the whole catalogue, each request within its own budget. */
export async function discover(
  opened: OpenServer,
  tools: ServerTools,
  terms: DiscoveryTerms,
  signal: AbortSignal,
): Promise<Discovered | Unopened> {
  const agreed = await agreeOnRevision(opened, tools, terms, signal);
  if (!agreed.ok) return agreed;
  const server = renewingSession(opened, tools, agreed, terms);
  const add = cataloguePages(terms.bounds);
  for (let cursor: string | null = null; ;) {
    const lastCursor = cursor;
    const { request, exchanged } = await server.ask(
      (id, meta) => listRequest(id, meta, lastCursor),
      terms.step.ms,
      signal,
    );
    if (exchanged === 'lost') return refused('provider_unavailable');
    if (exchanged.kind === 'failed') return unanswered(server, exchanged, terms.step);
    const { wanted } = terms;
    const page = valueOf(
      await tools.workers.page(
        { bytes: exchanged.bytes, id: request.id },
        { wanted, revision: agreed.revision },
        signal,
      ),
    );
    if (page === null) return refused('provider_unavailable');
    if (!page.ok) return refused(page.code, page.tool);
    const next = add(page);
    if ('cursor' in next) cursor = next.cursor;
    else if (next.ok) return { ...agreed, server, catalogue: next };
    else return refused(next.code, next.tool);
  }
}

/** Null where the worker came to its end over the message. */
function valueOf<T>(end: TaskEnd<T>): T | null {
  return end.kind === 'done' ? end.value : null;
}
