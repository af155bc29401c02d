import { STATUS_CODES, createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { utf8Length } from '../../../contract/json/utf8.ts';
import { plainJson } from '../../../contract/mcp/plain-json.ts';
import { renderJsonAnswer, refuseHttp, type GatewayAnswer } from '../http/answers.ts';
import { authorityFault, headFault, splitTarget, type ListenerGate, type RequestHead } from './checks.ts';
import { watchConnections, type Connections } from '../../../system/listening/connections.ts';
import { originHeaders, preflight } from './cors.ts';
import { failureDelay } from './failure-delay.ts';
import { ConnectionSlots } from './places.ts';
import { startListening, type ListenFault } from '../../../system/listening/start-listening.ts';
import { openEventStream, type EventStream } from '../http/event-stream.ts';
import { readBody, type BodyTimes } from '../http/body.ts';
import { RPC } from '../../../contract/mcp/rpc.ts';
import { rpcError } from '../protocol/rpc-error.ts';
import type { TlsMaterial } from './tls-material.ts';
import { overflowStatus, transportFault, type RawHeaders } from '../http/raw-headers.ts';

/** How long a listener waits (gateway.md §2, §5), in milliseconds. */
export interface ListenerTimes extends BodyTimes {
  /** For the head of a request. */
  readonly headerMs: number;
  /** For another request on a socket. */
  readonly idleMs: number;
  /** How often node looks for sockets that broke the first. */
  readonly lookMs: number;
  /** Anyone who takes nothing of an answer for so long is gone. */
  readonly stalledMs: number;
  /** The longest silence of a stream. */
  readonly heartbeatMs: number;
  /** For a client to close its side of a socket that was closed on this one. */
  readonly closingMs: number;
  /** For a place, while all are taken. */
  readonly waitMs: number;
}

export const LISTENER_TIMES: ListenerTimes = {
  headerMs: 10_000,
  idleMs: 5000,
  lookMs: 1000,
  stalledMs: 10_000,
  heartbeatMs: 5000,
  closingMs: 1000,
  waitMs: 2000,
  bodyPauseMs: 2000,
  bodyTotalMs: 15_000,
};
/**
 * Of a listener that ends: how often it looks for sockets that have nothing more to say, and when it waits no longer.
 */
const [IDLE_LOOK_MS, ANSWERS_MS] = [20, 10_000];
/**
 * Room for a request line and fields at their bounds, so that they are distinguished here; less than one read of a
 * socket, so that what is longer shows how it began.
 */
const HEADER_BYTES = 49_152;
/** People and clients write it either way. */
const MCP_PATHS: ReadonlySet<string> = new Set(['/mcp', '/mcp/']);

/** What a listener hands on: a body, who sent it, and whether he waits. */
export interface Post {
  readonly body: Uint8Array;
  readonly headers: RawHeaders;
  readonly disconnected: AbortSignal;
  readonly open: (headers: Readonly<Record<string, string>>) => EventStream;
}

export interface ListenerOptions {
  readonly address: string;
  readonly port: number;
  /** Null: it speaks no TLS. */
  readonly tls: TlsMaterial | null;
  readonly gate: ListenerGate;
  /** Requests at once that showed the bearer. */
  readonly maxInflight: number;
  /** Of those that wait while as many are answered; 0: they are refused at once. */
  readonly maxWaiting: number;
  /** Lower case. */
  readonly parameterHeaders: readonly string[];
  /** Answers a request; null: it was streamed, or nobody waits. */
  readonly answer: (post: Post) => Promise<GatewayAnswer | null>;
  readonly state: () => 'ready' | 'fenced' | 'draining';
  /** Called with each answer when it has left, or nobody waits for it any more. */
  readonly onAnswer: (status: number) => void;
  /** Called with exceptions, of which the answer says nothing. */
  readonly reportBug: (error: unknown) => void;
  readonly times?: ListenerTimes;
}

/** A listener at work. */
export interface Listener {
  /** Chosen by the system where 0 was asked for. */
  readonly port: number;
  /** Requests that showed the bearer and have no answer yet. */
  inflight(): number;
  /** Sockets that are open. */
  sockets(): number;
  /** No new connections, and the idle ones are closed. */
  stopListening(): void;
  /** Ends what is left once its answers have left, within 10 s. */
  close(): Promise<void>;
}

/** Listens (gateway.md §2, §3). */
export async function listenForClients(options: ListenerOptions): Promise<Listener | ListenFault> {
  const { address, maxInflight, reportBug, times = LISTENER_TIMES } = options;
  const server = serverWith(options.tls, {
    headersTimeout: times.headerMs,
    requestTimeout: 0,
    keepAliveTimeout: times.idleMs,
    connectionsCheckingInterval: times.lookMs,
    maxHeaderSize: HEADER_BYTES,
    requireHostHeader: false,
  });
  const connections = watchConnections(server, { most: 4 * maxInflight + 64, closingMs: times.closingMs });
  // Never so many that wait that no socket is left for others.
  const places = new ConnectionSlots({
    most: maxInflight,
    waiting: Math.min(options.maxWaiting, 2 * maxInflight + 32),
    waitMs: times.waitMs,
  });
  const delayed = failureDelay(() => performance.now());
  const handled = (request: IncomingMessage, response: ServerResponse, begin: () => void): void => {
    response.once('close', () => {
      if (response.headersSent) options.onAnswer(response.statusCode);
    });
    endWhenStalled(response, times.stalledMs);
    handle({ request, response, begin, places, connections, delayed, times }, options).catch((error: unknown) => {
      reportBug(error);
      if (response.headersSent) response.destroy();
      else send(response, rpcError(500, null, RPC.internal), {});
    });
  };
  server.on('request', (request, response) => {
    handled(request, response, () => undefined);
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    handled(request, response, () => {
      response.writeContinue();
    });
  });
  server.on('clientError', (fault: ParserFault, socket: Socket) => {
    refuseBytes(fault, socket, connections);
  });
  server.on('connect', (_, socket: Socket) => {
    connections.end(
      socket,
      'HTTP/1.1 405 Method Not Allowed\r\nallow: POST\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
    );
  });
  const port = await startListening(server, { host: address, port: options.port, ipv6Only: address === '::1' });
  if (typeof port === 'string') return port;
  return {
    port,
    inflight: () => places.used(),
    sockets: () => connections.count(),
    stopListening: () => {
      server.close();
      server.closeIdleConnections();
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      // What was answered leaves; a socket that has nothing to say is closed as soon as it is found idle.
      const looks = setInterval(() => {
        server.closeIdleConnections();
      }, IDLE_LOOK_MS);
      const late = setTimeout(() => {
        server.closeAllConnections();
      }, ANSWERS_MS);
      server.closeIdleConnections();
      await closed;
      clearInterval(looks);
      clearTimeout(late);
    },
  };
}

function serverWith(tls: TlsMaterial | null, options: ServerOptions): ReturnType<typeof createServer> {
  if (tls === null) return createServer(options);
  return createTlsServer({
    ...options,
    cert: tls.certificate,
    key: tls.key,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    ...(options.headersTimeout === undefined ? {} : { handshakeTimeout: options.headersTimeout }),
  });
}

/** What node's parser says about bytes that are no request. */
interface ParserFault extends Error {
  readonly code?: string;
  /** What was read last, and how much of it was looked at. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** What is no request: reported in one bare line, and the socket closed. */
function refuseBytes({ code, rawPacket, bytesParsed }: ParserFault, socket: Socket, connections: Connections): void {
  const status =
    code === 'HPE_HEADER_OVERFLOW'
      ? overflowStatus(rawPacket?.subarray(0, bytesParsed))
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 408
        : 400;
  if (code === 'ECONNRESET') socket.destroy();
  else
    connections.end(
      socket,
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    );
}

/** The socket's own clock also sees a part of a large answer leave, and runs for whatever waits to be written. */
function endWhenStalled(response: ServerResponse, stalledMs: number): void {
  response.setTimeout(stalledMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
  readonly places: ConnectionSlots;
  readonly connections: Connections;
  /** Waits before a wrong bearer is refused. */
  readonly delayed: () => Promise<void>;
  readonly times: ListenerTimes;
}

async function handle(exchange: Exchange, options: ListenerOptions): Promise<void> {
  const { request, response } = exchange;
  const { gate, parameterHeaders, state } = options;
  const head: RequestHead = { method: request.method ?? '', target: request.url ?? '', rawHeaders: request.rawHeaders };
  const fault = request.httpVersion === '1.1' ? transportFault(head) : 400;
  if (fault !== null) {
    send(response, { status: fault, headers: {}, body: '', closes: true }, {});
    return;
  }
  if (!MCP_PATHS.has(splitTarget(head.target).path)) send(response, besideTools(head, gate, state()), {});
  else if (head.method === 'OPTIONS') send(response, preflight(head, gate, parameterHeaders), {});
  else await answerPost(exchange, head, options);
}

/** Health, and nothing else, for anyone who names the authority right. */
function besideTools(
  head: RequestHead,
  gate: ListenerGate,
  state: ReturnType<ListenerOptions['state']>,
): GatewayAnswer {
  const fault = authorityFault(head, gate);
  if (fault !== null) return fault;
  const { path } = splitTarget(head.target);
  if (path !== '/health/live' && path !== '/health/ready') return refuseHttp(404, 'not_found');
  if (head.method !== 'GET') return refuseHttp(405, 'method_not_allowed', { headers: { allow: 'GET' } });
  if (path === '/health/live') return renderJsonAnswer(200, plainJson({ status: 'live' }));
  return state === 'ready'
    ? renderJsonAnswer(200, plainJson({ status: 'ready' }))
    : renderJsonAnswer(503, plainJson({ status: 'not_ready' }), { headers: { 'retry-after': '1' } });
}

async function answerPost(exchange: Exchange, head: RequestHead, options: ListenerOptions): Promise<void> {
  const { request, response, places, connections, delayed } = exchange;
  const cors = originHeaders(head, options.gate);
  const fault = headFault(head, options.gate);
  if (fault !== null) {
    if (fault.status === 401) await delayed();
    send(response, fault, cors);
    return;
  }
  response.once('close', connections.begin(request.socket));
  const disconnect = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) disconnect.abort();
  });
  if (await places.take(disconnect.signal))
    await answerInPlace(exchange, head, { options, cors, disconnected: disconnect.signal });
  else send(response, rpcError(429, null, RPC.busy, { reason: 'request_capacity_exhausted' }, true), cors);
}

interface Answering {
  readonly options: ListenerOptions;
  readonly cors: Readonly<Record<string, string>>;
  readonly disconnected: AbortSignal;
}

/** Gives its place back at its end. */
async function answerInPlace(
  { request, response, begin, places, times }: Exchange,
  head: RequestHead,
  { options: { answer }, cors, disconnected }: Answering,
): Promise<void> {
  try {
    const body = await readBody(request, begin, times);
    if (body.state === 'gone') return;
    if (body.state !== 'whole') {
      send(
        response,
        body.state === 'late'
          ? refuseHttp(408, 'request_timeout', { closes: true })
          : refuseHttp(413, 'request_too_large', { closes: true }),
        cors,
      );
      return;
    }
    const open = (more: Readonly<Record<string, string>>): EventStream =>
      openEventStream(response, { ...COMMON, ...cors, ...more }, times.heartbeatMs);
    const answered = await answer({ body: body.bytes, headers: head.rawHeaders, disconnected, open });
    if (answered !== null) send(response, answered, cors);
  } finally {
    places.leave();
  }
}

const COMMON: Readonly<Record<string, string>> = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function send(
  response: ServerResponse,
  { status, headers, body, closes }: GatewayAnswer,
  more: Readonly<Record<string, string>>,
): void {
  if (response.destroyed) return;
  const length = typeof body === 'string' ? utf8Length(body) : body.byteLength;
  response.writeHead(status, {
    ...COMMON,
    ...more,
    ...headers,
    ...(length === 0 ? {} : { 'content-type': 'application/json' }),
    ...(status === 204 ? {} : { 'content-length': length }),
    ...(closes ? { connection: 'close' } : {}),
  });
  response.end(body);
}
