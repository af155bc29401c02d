import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';

/** A request longer than this is cut off: no client of ours may send it. */
const REQUEST_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of headers: beyond what any client of ours may send, so that its own bound is what is seen. */
const LIMITS = { maxHeaderSize: 131_072 };
export const CERTIFICATES = join(import.meta.dirname, 'certificates');
/** Signed by the authority of `certificates/authority.pem`, but those that signed themselves. */
export type Certificate = 'trusted' | 'untrusted' | 'wrong-name' | 'expired' | 'vendors';

export interface ListenOptions {
  /** Absent: one that the system chooses. */
  readonly port?: number;
  /** An address of loopback; absent: 127.0.0.1. */
  readonly host?: '127.0.0.1' | '::1';
  /** Absent: plain HTTP. */
  readonly tls?: Certificate;
}

/** A server on loopback, and what came to it. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Connections that are open now, and that ever were. */
  readonly openConnections: () => number;
  readonly connections: () => number;
  /** Bytes that went out by its connections. */
  readonly bytesSent: () => number;
  /** What new connections find from now on: nobody, or another certificate. Those that are open stay. */
  readonly become: (state: 'gone' | Certificate) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** One request with its whole body, and the number of the connection that it came by. */
export interface Received {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly connection: number;
}

/** Starts a server on loopback. Clients that leave in the middle are no fault of it. */
export async function listen(
  options: ListenOptions,
  receive: (received: Received) => Promise<void>,
): Promise<Listening> {
  const { host = '127.0.0.1', tls } = options;
  const connectionOf = new WeakMap<object, number>();
  const open = new Set<Socket>();
  let bytesOfClosed = 0;
  let connections = 0;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    response.on('error', () => response.destroy());
    const received = async (): Promise<void> => {
      const body = await bodyOf(request);
      if (body !== null) await receive({ request, response, body, connection: connectionOf.get(request.socket) ?? 0 });
    };
    void received().catch(() => response.destroy());
  };
  const secure = tls === undefined ? null : createTlsServer({ ...LIMITS, ...(await certificate(tls)) }, onRequest);
  const server = secure ?? createServer(LIMITS, onRequest);
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: object) => {
    connections += 1;
    connectionOf.set(socket, connections);
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      bytesOfClosed += sentBy(socket);
    });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('tlsClientError', () => undefined);
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const port = portOf(server);
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host === '::1' ? '[::1]' : host}:${port}`,
    port,
    openConnections: () => open.size,
    connections: () => connections,
    bytesSent: () => [...open].reduce((sum, socket) => sum + sentBy(socket), bytesOfClosed),
    become: async (state) => {
      if (state === 'gone') server.close();
      else secure?.setSecureContext(await certificate(state));
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (open.size > 0 || server.listening) await once(server, 'close');
    },
  };
}

/** Without what waits in this process. */
function sentBy({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}

async function certificate(name: Certificate): Promise<{ readonly cert: string; readonly key: string }> {
  const pem = await readFile(join(CERTIFICATES, `${name}.pem`), 'utf8');
  return { cert: pem, key: pem };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** The text of a request's body; null when the client left, or sent too much. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      if (!(chunk instanceof Uint8Array)) return null;
      chunks.push(chunk);
      length += chunk.length;
      if (length > REQUEST_BYTES_MAX) return null;
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString('utf8');
}
