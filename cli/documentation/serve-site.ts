import { readFile, readdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { extname, join } from 'node:path';
import { watchConnections } from '../../system/listening/connections.ts';
import { startListening, type ListenFault } from '../../system/listening/start-listening.ts';
import { SITE_POLICY } from './site-policy.ts';

/** Every file of the site by its path, `/index.html`. */
export type SiteFiles = ReadonlyMap<string, Uint8Array>;

/** A server of the site that answers until it is closed. */
export interface SiteServer {
  readonly port: number;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `${SITE_POLICY}; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
};

const TIMES = {
  headersTimeout: 5000,
  requestTimeout: 5000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
} as const;
const [SOCKETS_MOST, CLOSING_MS] = [64, 1000];

/** Reads the files of a folder, which has no folders in it. */
export async function siteFiles(folder: string): Promise<SiteFiles> {
  const names = await readdir(folder);
  return new Map(
    await Promise.all(names.map(async (name) => [`/${name}`, await readFile(join(folder, name))] as const)),
  );
}

/** Serves these files on loopback, by GET and HEAD; refuses requests for another host name. Port 0: any free port. */
export async function serveSite(files: SiteFiles, port: number): Promise<SiteServer | ListenFault> {
  let own: ReadonlySet<string> = new Set();
  const server = createServer({ ...TIMES, maxHeaderSize: 16_384 }, (request, response) => {
    answer(request, response, { files, own });
  });
  const connections = watchConnections(server, { most: SOCKETS_MOST, closingMs: CLOSING_MS });
  server.on('clientError', (_, socket: Socket) => {
    connections.end(socket, 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  const listening = await startListening(server, { host: '127.0.0.1', port });
  if (typeof listening === 'string') return listening;
  own = new Set([`127.0.0.1:${listening}`, `localhost:${listening}`]);
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

function answer(
  { method = '', url = '', headers: { host = '' } }: IncomingMessage,
  response: ServerResponse,
  { files, own }: { readonly files: SiteFiles; readonly own: ReadonlySet<string> },
): void {
  const [path = ''] = url.split(/[?#]/);
  const name = path === '/' ? '/index.html' : files.has(path) ? path : `${path}.html`;
  const file = files.get(name);
  // Another site whose name leads to this machine must read nothing here.
  const status = !own.has(host) ? 400 : method !== 'GET' && method !== 'HEAD' ? 405 : file === undefined ? 404 : 200;
  const body = status === 200 && file !== undefined ? file : new TextEncoder().encode(`${status}\n`);
  response.writeHead(status, {
    ...HEADERS,
    'content-type': status === 200 ? (TYPES[extname(name)] ?? 'application/octet-stream') : 'text/plain; charset=utf-8',
    'content-length': body.byteLength,
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  });
  response.end(method === 'HEAD' ? undefined : body);
}
