import type { Exchanged } from './exchanged.ts';
import type { ClientInfo } from './protocol/request.ts';
import { stdioConnection } from './stdio/connection.ts';
import type { StdioConnection } from './stdio/connection.ts';
import { startGuardedChild } from './stdio/guarded-child.ts';
import type { StdioLaunch } from './stdio/guarded-child.ts';

/** A server over standard streams, and how long its process may take to be there. */
export interface StdioTarget extends StdioLaunch {
  readonly type: 'stdio';
  readonly client: ClientInfo;
  readonly stderrBytes: number;
  readonly startTimeoutMs: number;
}

export type Target = StdioTarget;

/** One request of an opened server. */
export interface OutgoingRequest {
  /** Of `open`. */
  readonly connection: number;
  /** Of the caller, unique among its running requests. */
  readonly call: number;
  readonly id: number;
  /** JSON. */
  readonly text: string;
  readonly timeoutMs: number;
}

/**
 * Whoever holds the children, the sockets and the secrets of servers; it outlives every worker that reads what they say
 * (providers.md §14). Everything that crosses is text, numbers and bytes.
 */
export interface Connections {
  /** Null where it could not be opened in its time. */
  open(target: Target): Promise<number | null>;
  /** Never rejects. */
  exchange(request: OutgoingRequest): Promise<Exchanged>;
  /** Ends a request: nothing of it is sent any more, and the server is told. */
  cancel(call: number): void;
  /** Ends the requests of a server and the server; false where its end could not be proved. */
  close(connection: number): Promise<boolean>;
}

export function connections(): Connections {
  const opened = new Map<number, StdioConnection>();
  const running = new Map<number, AbortController>();
  let count = 0;
  return {
    open: async (target) => {
      const child = await startGuardedChild(target, AbortSignal.timeout(target.startTimeoutMs));
      if (child === null) return null;
      count += 1;
      opened.set(count, stdioConnection(child, target));
      return count;
    },
    exchange: async ({ connection, call, id, text, timeoutMs }) => {
      const server = opened.get(connection);
      if (server === undefined) return { kind: 'failed', fault: 'closed', isSent: false, stderr: null };
      const ended = new AbortController();
      running.set(call, ended);
      try {
        return await server.exchange(id, text, AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)]));
      } finally {
        running.delete(call);
      }
    },
    cancel: (call) => running.get(call)?.abort(),
    close: async (connection) => {
      const server = opened.get(connection);
      opened.delete(connection);
      return server === undefined || server.close();
    },
  };
}
