import { request as ask, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { listen, type Listening, type Received } from '../../../conformance/servers/http/listen.ts';

/** TLS in front of servers that speak plain HTTP alone, where a client asks for nothing but TLS. */
export interface TlsFront {
  /** Origin of the server of tools, and of the first authority that its metadata name. */
  readonly resource: string;
  readonly issuer: string;
  close(): Promise<void>;
}

/** Headers that are about one connection, or about bytes that are written anew. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);

/**
 * Hands requests and answers on, with the origins that stand in them written as the other side knows them. Which origin
 * the authority has is read from the metadata of the server when these pass.
 */
export async function tlsFront(server: string): Promise<TlsFront> {
  const behind: { server: string; authority: string | null } = { server: new URL(server).origin, authority: null };
  const fronts: Listening[] = [];
  const pairs = (): readonly (readonly [plain: string, secure: string])[] => [
    [behind.server, fronts[0]?.url ?? ''] as const,
    ...(behind.authority === null ? [] : [[behind.authority, fronts[1]?.url ?? ''] as const]),
  ];
  const written = (text: string, [from, to]: readonly [0 | 1, 0 | 1]): string =>
    pairs().reduce(
      (rewritten, pair) =>
        rewritten
          .replaceAll(pair[from], pair[to])
          .replaceAll(encodeURIComponent(pair[from]), encodeURIComponent(pair[to])),
      text,
    );
  const inward = (text: string): string => written(text, [1, 0]);
  const outward = (text: string): string => written(text, [0, 1]);

  const forward = async (origin: string | null, { request, response, body }: Received): Promise<void> => {
    const sent = inward(body);
    const onward = ask(`${origin ?? behind.server}${inward(request.url ?? '/')}`, {
      method: request.method ?? 'GET',
      agent: false,
      headers: { ...rewritten(request, inward), ...(sent !== '' && { 'content-length': Buffer.byteLength(sent) }) },
    });
    onward.end(sent);
    const [answer]: IncomingMessage[] = await once(onward, 'response');
    if (answer === undefined) return;
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
    learn(text);
    const input = outward(text);
    response.writeHead(answer.statusCode ?? 500, {
      ...rewritten(answer, outward),
      'content-length': Buffer.byteLength(input),
    });
    response.end(input);
  };

  function learn(text: string): void {
    const [, named] = /"authorization_servers":\["([^"]+)"/.exec(text) ?? [];
    if (named !== undefined) behind.authority ??= new URL(named).origin;
  }

  fronts.push(await listen({ tls: 'trusted' }, async (received) => forward(behind.server, received)));
  fronts.push(await listen({ tls: 'trusted' }, async (received) => forward(behind.authority, received)));
  const [resource = '', issuer = ''] = fronts.map(({ url }) => url);
  return { resource, issuer, close: async () => void (await Promise.all(fronts.map(async (front) => front.close()))) };
}

function rewritten({ headers }: IncomingMessage, write: (text: string) => string): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OWN_HEADERS.has(name)
        ? []
        : [[name, typeof value === 'string' ? write(value) : value.map(write)]],
    ),
  );
}
