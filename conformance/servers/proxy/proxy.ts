import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SignedCertificate } from '../http/own-authority.ts';

/** A request for a tunnel, and what the proxy answered. */
export interface Tunnel {
  /** Host and port, as the client named them. */
  readonly authority: string;
  /** Whether a login came with it. */
  readonly hasLogin: boolean;
  readonly status: number;
}

export interface ProxyOptions {
  /** `USER:PASSWORD` that it asks for; absent: nobody has to log in. */
  readonly login?: string;
  /** What it answers every client that may come in, instead of a tunnel. */
  readonly status?: number;
  /** Loopback ports of servers, by the names that a network would have for them. Others are not found (502). */
  readonly servers?: Readonly<Record<string, number>>;
  /** Absent: it is spoken to without TLS. */
  readonly tls?: SignedCertificate;
  readonly onTunnel?: (tunnel: Tunnel) => void;
}

/** A proxy on loopback that knows CONNECT alone, as those at the edge of a company's network. */
export interface ProxyServer {
  readonly port: number;
  readonly tunnels: readonly Tunnel[];
  /** Connections of clients that are open now. */
  openConnections(): number;
  close(): Promise<void>;
}

export async function startProxy(options: ProxyOptions = {}): Promise<ProxyServer> {
  const { login, status, servers = {}, tls, onTunnel } = options;
  const tunnels: Tunnel[] = [];
  const clients = new Set<Socket>();
  const server = tls === undefined ? createServer() : createTlsServer({ cert: tls.cert, key: tls.key });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    const authority = request.url ?? '';
    const input = request.headers['proxy-authorization'];
    const isIn = login === undefined || input === `Basic ${Buffer.from(login).toString('base64')}`;
    const port = servers[authority.replace(/:\d+$/, '')];
    const answer = isIn ? (status ?? (port === undefined ? 502 : 200)) : 407;
    const tunnel = { authority, hasLogin: input !== undefined, status: answer };
    tunnels.push(tunnel);
    onTunnel?.(tunnel);
    client.on('error', () => undefined);
    if (answer !== 200 || port === undefined) {
      const challenge = answer === 407 ? 'Proxy-Authenticate: Basic realm="edge"\r\n' : '';
      client.end(`HTTP/1.1 ${String(answer)} No\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    const behind = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      behind.write(head);
      behind.pipe(client).pipe(behind);
    });
    behind.on('error', () => client.destroy()).once('close', () => client.destroy());
    client.once('close', () => behind.destroy());
  });
  server.on('request', (_, response) => response.writeHead(405).end());
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('connection', (socket: Socket) => {
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a proxy has a port');
  return {
    port: address.port,
    tunnels,
    openConnections: () => clients.size,
    close: async () => {
      server.close();
      for (const socket of clients) socket.destroy();
      await once(server, 'close');
    },
  };
}
