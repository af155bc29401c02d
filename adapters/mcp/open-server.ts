import type { SessionLimits } from '../../contract/provider-protocol/session.ts';
import type { Owner } from '../threads/owner-thread.ts';
import type { ServerConnections } from './connections.ts';
import type { ServerDeclaration } from './declaration.ts';
import type { Exchanged, LastWords, NotOpened, TransportFault } from './exchanged.ts';
import type { TimeBound } from './failure-words.ts';
import type { ClientInfo, Meta, ServerRequest } from './protocol/request.ts';
import { PROTOCOL_VERSION, type Revision } from './protocol/revision.ts';
import type { Target } from './transports.ts';
import type { ServerWorkers } from './workers.ts';

/** What connections to a server are made with. */
export interface ServerTools {
  readonly network: Owner<ServerConnections>;
  readonly workers: ServerWorkers;
  readonly client: ClientInfo;
}

/** A connection with its own numbers. */
export interface OpenServer {
  readonly transport: Target['type'];
  /** That requests are written in; the newest, until another one is agreed on. */
  readonly revision: () => Revision;
  /** Sends the request that `write` makes of its number. Never rejects; a cancelled one is reported to the server. */
  ask(
    write: (id: number, meta: Meta) => ServerRequest,
    timeoutMs: number,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<PendingServerRequest>;
  /** Speaks a revision from here on; why it could not, else null. */
  agree(revision: Revision, timeoutMs: number): Promise<TransportFault | 'lost' | null>;
  /** Ends it and opens it again; why it could not be, else null. */
  reopen(): Promise<NotOpened | null>;
  /** When the server, or the connection to it, came to its end. */
  ended(): Promise<void>;
  /** When the thread that has the connection did; nothing more is reported once it is closed. */
  readonly lost: Promise<void>;
  /** What people read about a server that did not answer. Never rejects. */
  lastWords(): Promise<LastWords>;
  /** False where its end could not be proved. */
  close(): Promise<boolean>;
}

export interface PendingServerRequest {
  readonly request: ServerRequest;
  readonly exchanged: Exchanged | 'lost';
}

let calls = 0;

/** Opens the connection, or says why it cannot; nothing is said over it yet. */
export async function openServer({ network, client }: ServerTools, target: Target): Promise<OpenServer | NotOpened> {
  const { remote } = network;
  const { ended: lost, leave } = network.lost.watch();
  const whenLost = lost.then(() => 'lost' as const);
  const opened = await Promise.race([remote.open(target), whenLost]);
  if (typeof opened !== 'number') {
    leave();
    return opened === 'lost' ? { fault: 'closed', said: null } : opened;
  }
  let connection = opened;
  let revision: Revision = PROTOCOL_VERSION;
  let ids = 0;
  return {
    transport: target.type,
    revision: () => revision,
    ask: async (write, timeoutMs, signal, traceparent) => {
      ids += 1;
      calls += 1;
      const [id, call] = [ids, calls];
      const request = write(id, {
        client,
        revision,
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
          exchanged: await Promise.race([remote.exchange({ connection, call, request, timeoutMs }), whenLost]),
        };
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    agree: async (agreed, timeoutMs) => {
      revision = agreed;
      return Promise.race([remote.agree(connection, agreed, timeoutMs), whenLost]);
    },
    reopen: async () => {
      // What of the first one could not be seen dead is reported when a run is over, and holds up no second one.
      await Promise.race([remote.close(connection), whenLost]);
      const again = await Promise.race([remote.open(target), whenLost]);
      if (typeof again !== 'number') return again === 'lost' ? { fault: 'closed', said: null } : again;
      connection = again;
      return null;
    },
    ended: async () => remote.ended(connection),
    lost,
    lastWords: async () => {
      const last = await Promise.race([remote.lastWords(connection), whenLost]);
      return last === 'lost' || last === null ? { end: null, stderr: null } : last;
    },
    close: async () => {
      const isClosed = (await Promise.race([remote.close(connection), whenLost])) === true;
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
