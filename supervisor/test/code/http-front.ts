/** Streamable HTTP for a server that speaks lines, so that whoever tests over HTTP can test it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Client, type Answer } from './client.ts';

interface RpcMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface HttpFront {
  readonly url: string;
  close(): Promise<number | null>;
}

const MODERN_VERSION = '2026-07-28';
const LOCAL = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;
/** Whatever version its request names, no older server has this error. */
const UNKNOWN_VERSION = -32_022;
/** What a modern server answers with over HTTP, by its code: nothing but the status is the front's own. */
const STATUS: Readonly<Record<number, number>> = { [-32601]: 404, [-32602]: 400, [UNKNOWN_VERSION]: 400 };

/** `svc code` in a folder, behind a port of its own. */
export async function openHttpFront(folder: string, args: readonly string[]): Promise<HttpFront> {
  const client = new Client(folder, args);
  const server = createServer((request, answer) => {
    void serve(client, request, answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}/mcp`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      return client.end();
    },
  };
}

function portOf(server: Server): number {
  const at = server.address();
  return typeof at === 'object' && at !== null ? at.port : 0;
}

async function serve(client: Client, request: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { host = '', origin } = request.headers;
  if (!LOCAL.test(host) || (origin !== undefined && !LOCAL.test(origin.replace(/^https?:\/\//, '')))) {
    answer.writeHead(403).end();
    return;
  }
  if (request.method !== 'POST') {
    answer.writeHead(405, { allow: 'POST' }).end();
    return;
  }
  const body = (await request.toArray()).join('');
  const message: RpcMessage = JSON.parse(body);
  if (message.id === undefined) {
    client.child.stdin.write(`${JSON.stringify(message)}\n`);
    answer.writeHead(202).end();
    return;
  }
  const { progressToken: token }: { readonly progressToken?: unknown } = Object(message.params?.['_meta']);
  const before = client.lines.length;
  const { id, ...rest } = message;
  const input = await client.askAs(rest);
  const text = JSON.stringify({ ...input, id });
  const progress = token === undefined ? [] : progressOf(client.lines.slice(before), token);
  if (progress.length === 0) {
    const isModern = request.headers['mcp-protocol-version'] === MODERN_VERSION;
    const code = input.error?.code ?? 0;
    const status = isModern || code === UNKNOWN_VERSION ? (STATUS[code] ?? 200) : 200;
    answer.writeHead(status, { 'content-type': 'application/json' }).end(text);
    return;
  }
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  answer.end([...progress, text].map((line) => `event: message\ndata: ${line}\n\n`).join(''));
}

function progressOf(lines: readonly string[], token: unknown): readonly string[] {
  return lines.filter((line) => {
    const { params }: { readonly params?: { readonly progressToken?: unknown } } & Answer = JSON.parse(line);
    return params?.progressToken === token;
  });
}
