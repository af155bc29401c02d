import type { Exchanged, LastWords, NotOpened, TransportFault } from './exchanged.ts';
import type { ServerRequest } from './protocol/request.ts';
import type { Revision } from './protocol/revision.ts';
import { httpConnector } from './http/transport.ts';
import { systemDial } from '../http/dial.ts';
import { apiConnections, type ApiConnections } from './api/api-connections.ts';
import { authorities, type Authorities } from './oauth/authorities.ts';
import { grantStores, type GrantPort } from './oauth/grant-port.ts';
import { stdioConnector } from './stdio/transport.ts';
import type { Connection, Connector } from './transport.ts';
import type { Target } from './transports.ts';

type Connectors = { readonly [T in Target['type']]: Connector<Extract<Target, { readonly type: T }>> };

/** One request of an opened server. */
export interface OpenedServerRequest {
  /** Of `open`. */
  readonly connection: number;
  /** Of the caller, unique among its running requests. */
  readonly call: number;
  readonly request: ServerRequest;
  readonly timeoutMs: number;
}

/**
 * Anyone who holds the children, the sockets and the secrets of servers; it outlives every worker that reads what they
 * say (providers.md §14). Everything that crosses is text, numbers and bytes.
 */
export interface ServerConnections
  extends
    Pick<Authorities, 'beginAuthorisation' | 'finishAuthorisation' | 'cancelAuthorisations' | 'endGrant'>,
    ApiConnections {
  /** The grants of a calling program, under a number of the caller's. */
  keepGrants(store: number, grants: GrantPort): void;
  /** The number of the connection, or why there is none. */
  open(target: Target): Promise<number | NotOpened>;
  /** Never rejects. */
  exchange(request: OpenedServerRequest): Promise<Exchanged>;
  /** Of `Connection`; within so many milliseconds. */
  agree(connection: number, revision: Revision, timeoutMs: number): Promise<TransportFault | null>;
  /** Ends a request: none of it is sent any more, and the server is informed. */
  cancel(call: number): void;
  /** What people read about a server that did not answer; null of one that is closed. */
  lastWords(connection: number): Promise<LastWords | null>;
  /** When a connection came to its end, be it by itself. */
  ended(connection: number): Promise<void>;
  /** Ends the requests of a server and the server; false where its end could not be proved. */
  close(connection: number): Promise<boolean>;
}

export function connections(): ServerConnections {
  const opened = new Map<number, Connection>();
  const running = new Map<number, AbortController>();
  const stores = grantStores();
  const authority = authorities(systemDial, stores.grantsOf);
  const connectors: Connectors = {
    stdio: stdioConnector(),
    streamable_http: httpConnector((...input) => authority.grantOf(...input)),
  };
  let count = 0;
  return {
    ...apiConnections((...input) => authority.grantOf(...input)),
    beginAuthorisation: async (...input) => authority.beginAuthorisation(...input),
    finishAuthorisation: async (...input) => authority.finishAuthorisation(...input),
    endGrant: async (...input) => authority.endGrant(...input),
    cancelAuthorisations: () => authority.cancelAuthorisations(),
    keepGrants: (store, grants) => stores.add(store, grants),
    open: async (target) => {
      const connection = await (target.type === 'stdio'
        ? connectors.stdio.open(target)
        : connectors.streamable_http.open(target));
      if ('fault' in connection) return connection;
      count += 1;
      opened.set(count, connection);
      return count;
    },
    exchange: async ({ connection, call, request, timeoutMs }) => {
      const server = opened.get(connection);
      if (server === undefined) return { kind: 'failed', fault: 'closed', isSent: false, stderr: null };
      const ended = new AbortController();
      running.set(call, ended);
      try {
        return await server.exchange(
          request,
          AbortSignal.any([ended.signal, AbortSignal.timeout(Math.ceil(timeoutMs))]),
        );
      } finally {
        running.delete(call);
      }
    },
    agree: async (connection, revision, timeoutMs) => {
      const server = opened.get(connection);
      return server === undefined ? 'closed' : server.agree(revision, AbortSignal.timeout(Math.ceil(timeoutMs)));
    },
    lastWords: async (connection) => (await opened.get(connection)?.lastWords()) ?? null,
    ended: async (connection) => opened.get(connection)?.ended,
    cancel: (call) => running.get(call)?.abort(),
    close: async (connection) => {
      const server = opened.get(connection);
      opened.delete(connection);
      return server === undefined || server.close();
    },
  };
}
