import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { waitUntilAborted } from '../../../system/until-aborted.ts';
import { callbackPage, PAGE_HEADERS, type CallbackEnd } from './page.ts';
import { callbackParameters, type Callback, type Redirect } from './redirect.ts';

const BYTES_MAX = 16_384;
const HEADERS_MAX = 32;

/**
 * Has people sent back to a port of this machine, at the first request that asks for the path. Null where no port could
 * be had.
 */
export async function openListener({
  host,
  path,
}: {
  readonly host: '127.0.0.1' | '::1';
  readonly path: string;
}): Promise<Redirect | null> {
  let come: (callback: Callback | null) => void = () => undefined;
  const came = new Promise<Callback | null>((resolve) => {
    come = resolve;
  });
  let isUsed = false;
  const server = createServer({ maxHeaderSize: 2 * BYTES_MAX }, (request, response) => {
    response.on('error', () => undefined);
    const isForUs = !isUsed && (request.url ?? '').split('?')[0] === path;
    if (!isForUs) {
      void sendPage(response, { kind: 'misdirected' });
      return;
    }
    isUsed = true;
    const parameters = parametersOf(request, authority);
    if (parameters === null) void sendPage(response, { kind: 'misdirected' }).then(() => come(null));
    else come({ parameters, answer: async (end) => sendPage(response, end) });
  });
  server.maxHeadersCount = HEADERS_MAX + 1;
  server.on('clientError', (_error, socket) => socket.destroy());
  const port = await startListening(server, host);
  if (port === null) return null;
  const authority = `${host === '::1' ? '[::1]' : host}:${port}`;
  return {
    redirectUri: `http://${authority}${path}`,
    callback: async (signal) => waitUntilAborted(came, signal, null),
    close: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function startListening(server: Server, host: string): Promise<number | null> {
  server.listen(0, host);
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : null;
}

/** Null for a request that no browser makes which was sent back here. */
function parametersOf(
  { method, url = '', headers, rawHeaders }: IncomingMessage,
  authority: string,
): ReadonlyMap<string, string> | null {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  const bytes = url.length + rawHeaders.reduce((sum, text) => sum + text.length, 0);
  const query = url.indexOf('?');
  if (
    method !== 'GET' ||
    hasBody ||
    hosts.length !== 1 ||
    headers.host !== authority ||
    rawHeaders.length / 2 > HEADERS_MAX ||
    bytes > BYTES_MAX ||
    query === -1
  )
    return null;
  return callbackParameters(url.slice(query + 1));
}

async function sendPage(response: ServerResponse, end: CallbackEnd): Promise<void> {
  const text = callbackPage(end);
  response.writeHead(end.kind === 'authorised' ? 200 : 400, {
    ...PAGE_HEADERS,
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  });
  const closed = once(response, 'close').catch(() => undefined);
  response.end(text);
  await closed;
}
