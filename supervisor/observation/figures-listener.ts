import { createServer } from 'node:http';

/** What is answered at a path. */
export interface Figures {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Text of figures, as Prometheus reads it. */
export function figuresText(body: string): Figures {
  return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body };
}

/** A listener of its own on loopback: GET of these paths to whoever names it right, and nothing else. Null: the port cannot be had. */
export async function serveFigures(port: number, paths: Readonly<Record<string, () => Promise<Figures>>>): Promise<{ readonly port: number; readonly close: () => Promise<void> } | null> {
  let own = '';
  const server = createServer({ headersTimeout: 5000, requestTimeout: 5000, keepAliveTimeout: 1000, maxHeaderSize: 8192 }, (request, response) => {
    const place = request.url !== undefined && Object.hasOwn(paths, request.url) ? paths[request.url] : undefined;
    const refusal = request.headers.host !== own ? 400 : place === undefined ? 404 : request.method === 'GET' ? null : 405;
    const answer = async (): Promise<void> => {
      const { status, type, body } = refusal === null && place !== undefined ? await place() : { ...figuresText(''), status: refusal ?? 404 };
      response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store', ...(status === 405 ? { allow: 'GET' } : {}) });
      response.end(body);
    };
    answer().catch(() => { response.destroy(); });
  });
  server.maxConnections = 16;
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => { resolve(false); });
    server.listen({ port, host: '127.0.0.1' }, () => { resolve(true); });
  });
  if (!isListening) return null;
  const at = server.address();
  const taken = typeof at === 'object' && at !== null ? at.port : port;
  own = `127.0.0.1:${taken}`;
  return {
    port: taken,
    close: async () => new Promise((resolve) => {
      server.close(() => { resolve(); });
      server.closeAllConnections();
    }),
  };
}
