import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { callerOf, cookieName } from './caller.ts';
import { FORBIDDEN, NO_ROUTE, refuseViewerRequest, type HttpAnswer } from './answers.ts';
import { mayPass, type ViewerAdmission, type RequestSender } from './gates.ts';
import { streamFrames } from './live/stream.ts';
import { routeOf, type Wanted } from './routes.ts';
import type { Services } from './services.ts';

/**
 * Sent with every answer: nothing is kept, framed, guessed or reported to others, and no script runs that is not this
 * page's.
 */
const HEADERS = {
  'content-security-policy':
    "default-src 'self'; frame-ancestors 'none'; object-src 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** How listening began, or that the port is taken or the address cannot be had. */
export type Listening =
  | { readonly ok: true; readonly port: number; close(): Promise<void> }
  | { readonly ok: false; readonly reason: 'port_in_use' | 'unavailable' };

export interface ListenOptions {
  readonly address: '127.0.0.1' | '0.0.0.0';
  /** 0: the system's choice. */
  readonly port: number;
  /** All but the port, which is known only once it listens. */
  readonly admission: Omit<ViewerAdmission, 'port'>;
  readonly services: Services;
  /** Called with exceptions, which are bugs; the answer says no more than that there was one. */
  readonly reportBug: (error: unknown) => void;
}

/** Answers requests until it is closed (evidence.md §11). */
export async function serveViewer({
  address,
  port,
  admission,
  services,
  reportBug,
}: ListenOptions): Promise<Listening> {
  const bound = { port: 0 };
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      handle(request, response, { admission: { ...admission, port: bound.port }, services }).catch((error: unknown) => {
        reportBug(error);
        if (response.headersSent) response.destroy();
        else send(response, refuseViewerRequest(500, 'adapter_failure', 'this answer could not be made'));
      });
    },
  );
  const reason = await startListening(server, address, port);
  if (reason !== null) return { ok: false, reason };
  const at = server.address();
  bound.port = typeof at === 'object' && at !== null ? at.port : port;
  return {
    ok: true,
    port: bound.port,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

async function startListening(
  server: Server,
  address: string,
  port: number,
): Promise<'port_in_use' | 'unavailable' | null> {
  return new Promise((resolve) => {
    server.once('error', (error) => {
      resolve('code' in error && error.code === 'EADDRINUSE' ? 'port_in_use' : 'unavailable');
    });
    server.listen({ port, host: address }, () => {
      resolve(null);
    });
  });
}

interface Process {
  readonly admission: ViewerAdmission;
  readonly services: Services;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { admission, services }: Process,
): Promise<void> {
  const [path = '/', ...rest] = (request.url ?? '/').split('?');
  const options = new URLSearchParams(rest.join('?'));
  const caller = callerOf(request, options, admission.port);
  const match = routeOf(request.method ?? 'GET', path);
  const gate = match.kind === 'none' ? 'read' : match.gate;
  // Only callers that may ask learn which resources exist.
  if (!mayPass(gate, caller, admission)) {
    send(response, FORBIDDEN);
    return;
  }
  if (match.kind === 'none') {
    send(response, NO_ROUTE);
    return;
  }
  if (match.kind === 'other method') {
    send(response, {
      ...refuseViewerRequest(405, 'method_not_allowed', `this route answers ${match.allowed.join(', ')}`),
      headers: { allow: match.allowed.join(', ') },
    });
    return;
  }
  const { wanted } = match;
  if (wanted.route === 'live stream') {
    streamFrames(response, services.live, HEADERS);
    return;
  }
  options.delete('live_token');
  send(
    response,
    isTokenInAddress(wanted, caller)
      ? withoutToken(caller, admission)
      : await services.answer(wanted, request, options),
  );
}

/** A token in the address of a page would stay in histories and screenshots. */
function isTokenInAddress(wanted: Wanted, { queryToken }: RequestSender): boolean {
  return wanted.route === 'entry' && queryToken !== null;
}

/** The address without its token, which the browser keeps for itself; scripts cannot read it. */
function withoutToken({ queryToken }: RequestSender, { token, port }: ViewerAdmission): HttpAnswer {
  const cookie =
    token?.matches(queryToken) === true
      ? { 'set-cookie': `${cookieName(port)}=${queryToken ?? ''}; HttpOnly; SameSite=Strict; Path=/` }
      : {};
  return {
    status: 303,
    type: 'text/plain; charset=utf-8',
    body: Buffer.alloc(0),
    headers: { location: '/', ...cookie },
  };
}

function send(response: ServerResponse, { status, type, body, headers = {} }: HttpAnswer): void {
  response.writeHead(status, { ...HEADERS, ...headers, 'content-type': type, 'content-length': body.byteLength });
  response.end(body);
}
