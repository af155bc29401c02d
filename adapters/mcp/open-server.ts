import type { SessionLimits } from '../../contract/provider-protocol/session.ts';
import type { TaskEnd } from '../threads/task-pool.ts';
import type { Owner } from '../threads/owner-thread.ts';
import type { ServerConnections } from './connections.ts';
import type { ServerDeclaration, WantedTools } from './declaration.ts';
import type { Exchanged, LastWords, NotOpened } from './exchanged.ts';
import { failureWords, type TimeBound } from './failure-words.ts';
import { cataloguePages, type ToolCatalogue } from './protocol/catalogue-pages.ts';
import { discoverRequest, listRequest, type ClientInfo, type Meta, type ServerRequest } from './protocol/request.ts';
import { refused, type Unopened } from './refused.ts';
import { acquisitionCode } from './transport-failure.ts';
import type { Target } from './transports.ts';
import type { ServerWorkers } from './workers.ts';

/** What a server is spoken to with. */
export interface ServerTools {
  readonly network: Owner<ServerConnections>;
  readonly workers: ServerWorkers;
  readonly client: ClientInfo;
}

/** A connection with its own numbers. */
export interface OpenServer {
  readonly transport: Target['type'];
  /** Sends the request that `write` makes of its number. Never rejects; a cancelled one is told to the server. */
  ask(
    write: (id: number, meta: Meta) => ServerRequest,
    timeoutMs: number,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<Asked>;
  /** When the server, or the connection to it, came to its end. */
  readonly ended: Promise<void>;
  /** When the thread that has the connection did; nothing more is told once it is closed. */
  readonly lost: Promise<void>;
  /** What people are told of a server that did not answer. Never rejects. */
  lastWords(): Promise<LastWords>;
  /** False where its end could not be proved. */
  close(): Promise<boolean>;
}

export interface Asked {
  readonly request: ServerRequest;
  readonly exchanged: Exchanged | 'lost';
}

/** What a server offers. */
export interface Discovered {
  readonly ok: true;
  readonly serverInfoHash: string | null;
  readonly catalogue: ToolCatalogue;
}

let calls = 0;

/** Opens the connection, or says why it cannot; nothing is said over it yet. */
export async function openServer({ network, client }: ServerTools, target: Target): Promise<OpenServer | NotOpened> {
  const { remote } = network;
  const { ended: lost, leave } = network.lost.watch();
  const gone = lost.then(() => 'lost' as const);
  const opened = await Promise.race([remote.open(target), gone]);
  if (typeof opened !== 'number') {
    leave();
    return opened === 'lost' ? { fault: 'closed', said: null } : opened;
  }
  const connection = opened;
  let ids = 0;
  return {
    transport: target.type,
    ask: async (write, timeoutMs, signal, traceparent) => {
      ids += 1;
      calls += 1;
      const [id, call] = [ids, calls];
      const request = write(id, {
        client,
        progressToken: target.type === 'stdio' ? id : null,
        traceparent: traceparent ?? null,
      });
      const stop = (): void => void remote.cancel(call);
      signal.addEventListener('abort', stop, { once: true });
      try {
        if (signal.aborted)
          return { request, exchanged: { kind: 'failed', fault: 'cancelled', isSent: false, stderr: null } };
        return {
          request,
          exchanged: await Promise.race([remote.exchange({ connection, call, request, timeoutMs }), gone]),
        };
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    ended: remote.ended(connection),
    lost,
    lastWords: async () => {
      const told = await Promise.race([remote.lastWords(connection), gone]);
      return told === 'lost' || told === null ? { end: null, stderr: null } : told;
    },
    close: async () => {
      const isClosed = (await Promise.race([remote.close(connection), gone])) === true;
      leave();
      return isClosed;
    },
  };
}

/** Time of one step: the least of what installation, selection and run allow (providers.md §7.7). */
export function stepBound({ timeoutMs }: ServerDeclaration, { evaluationTimeoutMs }: SessionLimits): TimeBound {
  return timeoutMs <= evaluationTimeoutMs
    ? { ms: timeoutMs, setting: 'timeout_ms' }
    : { ms: evaluationTimeoutMs, setting: 'evaluation_timeout_ms' };
}

/** Discovery and the whole catalogue, each request within its own budget. `wanted`: null for every tool. */
export async function discover(
  server: OpenServer,
  { workers }: ServerTools,
  terms: { readonly wanted: WantedTools | null; readonly maxTools: number; readonly step: TimeBound },
  signal: AbortSignal,
): Promise<Discovered | Unopened> {
  const discovered = await server.ask(discoverRequest, terms.step.ms, signal);
  if (discovered.exchanged === 'lost') return refused('provider_unavailable');
  if (discovered.exchanged.kind === 'failed') return unanswered(server, discovered.exchanged, terms.step);
  const found = valueOf(
    await workers.discovery(
      { bytes: discovered.exchanged.bytes, id: discovered.request.id },
      discovered.exchanged.status,
      signal,
    ),
  );
  if (found === null) return refused('provider_unavailable');
  if (!found.ok) return refused(found.code);
  const add = cataloguePages(terms.maxTools);
  for (let cursor: string | null = null; ;) {
    const asked = cursor;
    const { request, exchanged } = await server.ask((id, meta) => listRequest(id, meta, asked), terms.step.ms, signal);
    if (exchanged === 'lost') return refused('provider_unavailable');
    if (exchanged.kind === 'failed') return unanswered(server, exchanged, terms.step);
    const page = valueOf(await workers.page({ bytes: exchanged.bytes, id: request.id }, terms.wanted, signal));
    if (page === null) return refused('provider_unavailable');
    if (!page.ok) return refused(page.code, page.tool);
    const next = add(page);
    if ('cursor' in next) cursor = next.cursor;
    else if (next.ok) return { ok: true, serverInfoHash: found.serverInfoHash, catalogue: next };
    else return refused(next.code, next.tool);
  }
}

async function unanswered(
  server: Pick<OpenServer, 'lastWords'>,
  failed: Extract<Exchanged, { readonly kind: 'failed' }>,
  step: TimeBound,
): Promise<Unopened> {
  return refused(acquisitionCode(failed.fault), null, failureWords(failed, await server.lastWords(), step));
}

/** Null where the worker came to its end over the message. */
function valueOf<T>(end: TaskEnd<T>): T | null {
  return end.kind === 'done' ? end.value : null;
}
