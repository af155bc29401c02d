import { expect } from 'chai';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { until } from '../../../../conformance/until.ts';
import { systemDial } from '../../../http/dial.ts';
import { staticAuthorisation } from '../../../mcp/authorisation.ts';
import type { Exchanged } from '../../../mcp/exchanged.ts';
import { callRequest, initializeRequest } from '../../../mcp/protocol/request.ts';
import { isOlder, type Revision } from '../../../mcp/protocol/revision.ts';
import type { Connection } from '../../../mcp/transport.ts';
import { httpConnection } from '../../../mcp/http/connection.ts';

interface SeenRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Of JSON-RPC. */
  readonly message: Readonly<Record<string, unknown>>;
}

const REVISION = '2025-11-25';
const CLIENT = { name: 'svc', version: '1' };
const META = { client: CLIENT, revision: REVISION, progressToken: null, traceparent: null } as const;
const INITIALIZE = initializeRequest(1, META, REVISION);
const call = (id: number) => callRequest(id, META, { upstream: 'look', headers: [] }, '{}');
const answer = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
const never = new AbortController().signal;

describe('a session with a server of an earlier revision over HTTP (world.md §2.1)', () => {
  let server: Server;
  let connection: Connection;
  let seenRequests: SeenRequest[] = [];
  /** What a request is answered with, beside the beginning of a session; false for the usual answer. */
  let respond: (seenRequest: SeenRequest, response: ServerResponse) => unknown = () => false;
  const findSeen = (method: string): SeenRequest | undefined =>
    seenRequests.find(({ message }) => message['method'] === method);

  beforeEach(async () => {
    seenRequests = [];
    respond = () => false;
    server = createServer((request, response) => {
      void (async () => {
        const body = await text(request);
        const one = { method: request.method ?? '', headers: request.headers, message: JSON.parse(body || '{}') };
        seenRequests.push(one);
        if (respond(one, response) !== false) return;
        const { id, method } = one.message;
        if (one.method !== 'POST') response.writeHead(one.method === 'GET' ? 405 : 200).end();
        else if (id === undefined || method === undefined) response.writeHead(202).end();
        else
          response
            .writeHead(200, {
              'content-type': 'application/json',
              ...(method === 'initialize' && { 'mcp-session-id': 'session-4711' }),
            })
            .end(answer(Number(id)));
      })();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    connection = httpConnection(`http://127.0.0.1:${port}/mcp`, staticAuthorisation({ 'x-key': 'k' }), systemDial(), {
      client: CLIENT,
      revisions: 'auto',
    });
  });
  afterEach(async () => {
    await connection.close();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  async function beginSession(revision: Revision = REVISION): Promise<void> {
    expect((await connection.exchange(INITIALIZE, never)).kind).to.equal('answered');
    expect(await connection.agree(revision, never)).to.equal(null);
  }
  const stream = (response: ServerResponse, events: string): ServerResponse =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events);

  it('is named in every request from its beginning, listened to, and ended', async () => {
    await beginSession();
    await connection.exchange(call(2), never);
    await until('a stream', () => seenRequests.find(({ method }) => method === 'GET'));
    await connection.close();
    const names = seenRequests.map(({ method, message }) => `${method} ${Object(message)['method'] ?? ''}`.trim());
    expect(names).to.have.members([
      'POST initialize',
      'POST notifications/initialized',
      'GET',
      'POST tools/call',
      'DELETE',
    ]);
    expect(names[0]).to.equal('POST initialize');
    expect(names.at(-1)).to.equal('DELETE');
    const [first, ...others] = seenRequests;
    expect(first?.headers).not.to.have.any.keys('mcp-session-id', 'mcp-protocol-version', 'mcp-method');
    for (const { headers } of others)
      expect(headers).to.deep.include({
        'mcp-session-id': 'session-4711',
        'mcp-protocol-version': REVISION,
        'x-key': 'k',
      });
  });

  it('has no name where the server gives it none, and needs no end', async () => {
    respond = ({ message }, response) =>
      message['method'] === 'initialize'
        ? response.writeHead(200, { 'content-type': 'application/json' }).end(answer(1))
        : false;
    await beginSession();
    await connection.close();
    expect(seenRequests.map(({ method }) => method)).not.to.include('DELETE');
    expect(seenRequests.every(({ headers }) => headers['mcp-session-id'] === undefined)).to.equal(true);
  });

  for (const [what, name] of [
    ['empty', ''],
    ['longer than it may be', 'x'.repeat(1025)],
    ['no word', 'a b'],
  ] as const)
    it(`does not begin under a name that is ${what}`, async () => {
      respond = (_, response) =>
        response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': name }).end(answer(1));
      expect(await connection.exchange(INITIALIZE, never)).to.deep.include({ kind: 'failed', fault: 'malformed' });
    });

  it('does not begin where the server will not hear that it did', async () => {
    respond = ({ message }, response) =>
      message['method'] === 'notifications/initialized' ? response.writeHead(400).end() : false;
    await connection.exchange(INITIALIZE, never);
    expect(await connection.agree(REVISION, never)).to.equal('unanswered');
  });

  it('that the server has forgotten is told apart: nothing of the request was done', async () => {
    await beginSession();
    respond = ({ message }, response) => (message['method'] === 'tools/call' ? response.writeHead(404).end() : false);
    expect(await connection.exchange(call(2), never)).to.deep.include({ kind: 'failed', fault: 'session_ended' });
  });

  it('answers what the server asks over an answer and over its own stream', async () => {
    const ping = (id: string): string => `data: {"jsonrpc":"2.0","id":"${id}","method":"ping"}\n\n`;
    const roots = 'data: {"jsonrpc":"2.0","id":"roots","method":"roots/list"}\n\n';
    let streams = 0;
    respond = ({ method, message }, response) => {
      if (method === 'GET' && (streams += 1) === 1) return stream(response, ping('unasked'));
      return message['method'] === 'tools/call'
        ? stream(response, `${ping('asked')}${roots}data: ${answer(2)}\n\n`)
        : false;
    };
    await beginSession();
    expect((await connection.exchange(call(2), never)).kind).to.equal('answered');
    const answers = await until('three answers', () => {
      const reported = seenRequests.filter(({ message }) => 'id' in message && !('method' in message));
      return reported.length === 3 ? reported.map(({ message }) => message) : undefined;
    });
    expect(answers).to.have.deep.members([
      { jsonrpc: '2.0', id: 'unasked', result: {} },
      { jsonrpc: '2.0', id: 'asked', result: {} },
      { jsonrpc: '2.0', id: 'roots', error: { code: -32_601, message: 'not offered by this client' } },
    ]);
  });

  it('answers only so much at a time', async () => {
    respond = ({ message }, response) => {
      if ('id' in message && !('method' in message)) return true;
      const pings = Array.from({ length: 17 }, (_, at) => `data: {"jsonrpc":"2.0","id":${at},"method":"ping"}\n\n`);
      return message['method'] === 'tools/call' ? stream(response, pings.join('')) : false;
    };
    await beginSession();
    expect(await connection.exchange(call(2), never)).to.deep.include({ kind: 'failed', fault: 'oversize' });
  });

  it('asks for a stream again where it broke off, as long as it takes', async () => {
    let streams = 0;
    respond = ({ method, message, headers }, response) => {
      if (message['method'] === 'tools/call') return stream(response, 'id: one\nretry: 1\ndata: \n\n');
      if (method !== 'GET' || headers['last-event-id'] === undefined) return false;
      streams += 1;
      return stream(response, streams < 3 ? ': still here\n\n' : `id: two\ndata: ${answer(2)}\n\n`);
    };
    await beginSession();
    const end = await connection.exchange(call(2), never);
    expect(bytesOf(end)).to.equal(answer(2));
    const resumed = seenRequests.filter(({ headers }) => headers['last-event-id'] !== undefined);
    expect(resumed.map(({ headers }) => headers['last-event-id'])).to.deep.equal(['one', 'one', 'one']);
    for (const { headers } of resumed)
      expect(headers).to.deep.include({ accept: 'text/event-stream', 'mcp-session-id': 'session-4711' });
  });

  it('does not ask again for a stream of which nothing was kept', async () => {
    respond = ({ message }, response) => (message['method'] === 'tools/call' ? stream(response, 'data: \n\n') : false);
    await beginSession();
    expect(await connection.exchange(call(2), never)).to.deep.include({ kind: 'failed', fault: 'unanswered' });
  });

  it('is told when nobody waits for an answer any more', async () => {
    respond = ({ message }) => message['method'] === 'tools/call';
    await beginSession();
    const ended = new AbortController();
    const exchanged = connection.exchange(call(2), ended.signal);
    await until('the call', () => findSeen('tools/call'));
    ended.abort();
    expect(await exchanged).to.deep.include({ kind: 'failed', fault: 'cancelled', isSent: true });
    const { message } = await until('its end', () => findSeen('notifications/cancelled'));
    expect(message['params']).to.deep.equal({ requestId: 2, reason: 'the caller no longer waits' });
  });

  it('repeats no name of its own', async () => {
    respond = ({ message }, response) =>
      message['method'] === 'tools/call'
        ? response
            .writeHead(200, { 'content-type': 'application/json' })
            .end('{"jsonrpc":"2.0","id":2,"result":{"a":"session-4711"}}')
        : false;
    await beginSession();
    expect(bytesOf(await connection.exchange(call(2), never))).to.include('[redacted]');
  });

  it('is none of a server of the newest revision', async () => {
    expect(isOlder('2026-07-28')).to.equal(false);
    expect(await connection.agree('2026-07-28', never)).to.equal(null);
    await connection.close();
    expect(seenRequests).to.deep.equal([]);
  });
});

function bytesOf(end: Exchanged): string {
  return end.kind === 'answered' ? Buffer.from(end.bytes).toString() : end.fault;
}
