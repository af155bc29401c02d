import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { deliver, fail } from './deliver.ts';
import { loggedHeaders } from './log.ts';
import type { LoggedRequest } from './log.ts';
import type { Match, Step } from './script.ts';
import { ANTHROPIC } from './wires/anthropic.ts';
import { BEDROCK } from './wires/bedrock.ts';
import { GOOGLE } from './wires/google.ts';
import { OPENAI } from './wires/openai.ts';
import type { AskedModel, Wire } from './wires/wire.ts';

const WIRES: readonly Wire[] = [OPENAI, ANTHROPIC, GOOGLE, BEDROCK];
/** A request longer than this is cut off: no client of ours may send it. */
const REQUEST_BYTES_MAX = 16 * 1024 * 1024;

export interface ModelServer {
  /** `http://127.0.0.1:PORT`, or https with a certificate that nobody trusts. */
  readonly url: string;
  readonly port: number;
  /** Every request so far, in the order in which they were read. */
  readonly requests: readonly LoggedRequest[];
  /** Connections that are open now, and that ever were. */
  openConnections(): number;
  connections(): number;
  /** Bytes that its connections were given to send, as far as their clients took them. */
  bytesSent(): number;
  /** Steps of the script that have uses left. */
  unused(): readonly Step[];
  close(): Promise<void>;
}

export interface ModelServerOptions {
  readonly script: readonly Step[];
  /** Absent: one that the system chooses. */
  readonly port?: number;
  readonly tls?: 'untrusted';
  /** Called with each request when it was read. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

/** Starts a server on loopback that speaks the forms of OpenAI, Anthropic, Google and Bedrock and does what its script says. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const uses = options.script.map((step) => (step.times === 'any' ? Number.POSITIVE_INFINITY : (step.times ?? 1)));
  const requests: LoggedRequest[] = [];
  const connectionOf = new WeakMap<object, number>();
  let connections = 0;

  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    if (body === null) return;
    const path = (request.url ?? '/').replace(/\?.*$/s, '');
    const wire = WIRES.find((one) => one.serves(path)) ?? null;
    const asked = wire === null ? null : wire.asked(path, parsed(body));
    const step = options.script.findIndex((one, at) => (uses[at] ?? 0) > 0 && fits(one.match ?? {}, path, wire, asked));
    if (step >= 0) uses[step] = (uses[step] ?? 0) - 1;
    const number = requests.length + 1;
    const logged: LoggedRequest = {
      number,
      method: request.method ?? '',
      path: request.url ?? '',
      wire: wire?.name ?? null,
      headers: loggedHeaders(request.headers),
      body,
      step: step < 0 ? null : step,
      connection: connectionOf.get(request.socket) ?? 0,
    };
    requests.push(logged);
    options.onRequest?.(logged);
    await answer(response, { step: options.script[step], wire, asked, number, credential: credentialOf(request, wire) });
  };

  const server = options.tls === undefined ? createServer(onRequest) : createTlsServer(await untrusted(), onRequest);
  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    // A client that leaves in the middle is what many scripts are about.
    response.on('error', () => response.destroy());
    void listener(request, response).catch(() => response.destroy());
  }
  const open = new Set<Socket>();
  let bytesOfClosed = 0;
  server.on('connection', (socket) => {
    connections += 1;
    connectionOf.set(socket, connections);
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      bytesOfClosed += taken(socket);
    });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    openConnections: () => open.size,
    connections: () => connections,
    bytesSent: () => [...open].reduce((sum, socket) => sum + taken(socket), bytesOfClosed),
    unused: () => options.script.filter((step, at) => step.times !== 'any' && (uses[at] ?? 0) > 0),
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (open.size > 0 || server.listening) await once(server, 'close');
    },
  };
}

/** Without what waits in this process. */
function taken(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}

async function untrusted(): Promise<{ readonly cert: string; readonly key: string }> {
  const pem = await readFile(join(import.meta.dirname, 'untrusted.pem'), 'utf8');
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

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function credentialOf(request: IncomingMessage, wire: Wire | null): string {
  const header = wire === null ? undefined : request.headers[wire.credentialHeader];
  return String(header ?? '').replace(/^Bearer /, '');
}

function fits(match: Match, path: string, wire: Wire | null, asked: AskedModel | null): boolean {
  if (match.path !== undefined && match.path !== path) return false;
  if (wire === null || asked === null) return match.path !== undefined;
  return (
    (match.wire === undefined || match.wire === wire.name)
    && (match.model === undefined || match.model === asked.model)
    && (match.hasTools === undefined || match.hasTools === asked.hasTools)
    && (match.hasSchema === undefined || match.hasSchema === asked.hasSchema)
    && (match.contains === undefined || asked.texts.some((text) => text.includes(match.contains ?? '')))
    && (match.lastContains === undefined || (asked.texts.at(-1) ?? '').includes(match.lastContains))
  );
}

interface Answering {
  readonly step: Step | undefined;
  readonly wire: Wire | null;
  readonly asked: AskedModel | null;
  readonly number: number;
  readonly credential: string;
}

/** What is told of a request that no step of the script fits, so that the fault of a script is seen at once. */
const NO_STEP_STATUS = 418;

async function answer(response: ServerResponse, { step, wire, asked, number, credential }: Answering): Promise<void> {
  const form = wire ?? OPENAI;
  const whom = asked ?? { model: null, texts: [], hasTools: false, hasSchema: false };
  if (step === undefined) return deliver(response, NO_STEP_STATUS, {}, JSON.stringify(form.failure(NO_STEP_STATUS, 'no step of the script fits this request')));
  const { action } = step;
  if ('fault' in action) return fail(response, action.fault, JSON.stringify(form.answer({ text: 'ok' }, whom, number)));
  if ('answer' in action) return deliver(response, 200, {}, JSON.stringify(form.answer(action.answer, whom, number)), action.delivery);
  const { status, headers = {}, body = form.failure(status, `status ${status} of the script`), delivery } = action;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return deliver(response, status, headers, text.replaceAll('{{credential}}', credential), delivery);
}
