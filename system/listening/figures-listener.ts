import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { watchConnections } from './connections.ts';
import { startListening, type ListenFault } from './start-listening.ts';

/** What is answered at a path. */
export interface Figures {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** A listener that answers until it is closed. */
export interface FiguresListener {
  readonly port: number;
  close(): Promise<void>;
}

/** Text of figures, as Prometheus reads it. */
export function figuresText(body: string): Figures {
  return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body };
}

/** How much of others a listener for figures puts up with: sockets, and milliseconds. */
const SOCKETS_MOST = 16;
const TIMES = {
  headersTimeout: 5000,
  requestTimeout: 5000,
  keepAliveTimeout: 1000,
  connectionsCheckingInterval: 1000,
} as const;
const CLOSING_MS = 1000;

/** A listener of its own on loopback: GET of these paths to anyone who names it right, and nothing else. */
export async function serveFigures(
  port: number,
  paths: Readonly<Record<string, () => Promise<Figures>>>,
): Promise<FiguresListener | ListenFault> {
  let own = '';
  const server = createServer({ ...TIMES, maxHeaderSize: 8192 }, (request, response) => {
    const place = request.url !== undefined && Object.hasOwn(paths, request.url) ? paths[request.url] : undefined;
    const refusal =
      request.headers.host !== own ? 400 : place === undefined ? 404 : request.method === 'GET' ? null : 405;
    const answer = async (): Promise<void> => {
      const { status, type, body } =
        refusal === null && place !== undefined ? await place() : { ...figuresText(''), status: refusal ?? 404 };
      response.writeHead(status, {
        'content-type': type,
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        ...(status === 405 ? { allow: 'GET' } : {}),
      });
      response.end(body);
    };
    answer().catch(() => {
      response.destroy();
    });
  });
  const connections = watchConnections(server, { most: SOCKETS_MOST, closingMs: CLOSING_MS });
  server.on('clientError', (_, socket: Socket) => {
    connections.end(socket, 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  const listening = await startListening(server, { host: '127.0.0.1', port });
  if (typeof listening === 'string') return listening;
  own = `127.0.0.1:${listening}`;
  return {
    port: listening,
    close: async () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
