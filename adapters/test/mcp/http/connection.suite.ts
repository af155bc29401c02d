import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CERTIFICATES, type Certificate } from '../../../../conformance/servers/http/listen.ts';
import type { HttpAction, HttpStep } from '../../../../conformance/servers/mcp-http/script.ts';
import { startToolServer, type ToolServer } from '../../../../conformance/servers/mcp-http/server.ts';
import { until } from '../../../../conformance/until.ts';
import { openSocket } from '../../../http/race.ts';
import { resolveBySystem } from '../../../http/resolve.ts';
import type { Exchanged, TransportFault } from '../../../mcp/exchanged.ts';
import { callRequest, discoverRequest, type ServerRequest } from '../../../mcp/protocol/request.ts';
import type { Headers } from '../../../mcp/protocol/request-headers.ts';
import type { Connection } from '../../../mcp/transport.ts';
import { staticAuthorisation } from '../../../mcp/authorisation.ts';
import { httpConnection } from '../../../mcp/http/connection.ts';

const MAX = 2_097_152;
const TERMS = { client: { name: 'svc', version: '1' }, revisions: 'auto' } as const;
const META = {
  client: { name: 'svc', version: '1' },
  revision: '2026-07-28',
  progressToken: null,
  traceparent: null,
} as const;
const DISCOVER = discoverRequest(7, META);
const CALL = callRequest(7, META, { upstream: 'look up', headers: [] }, '{}');
const NOTIFICATION = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}';
const answer = (id: number, filler = ''): string => `{"jsonrpc":"2.0","id":${id},"result":{"a":"${filler}"}}`;
/** An answer of so many bytes. */
const sized = (bytes: number): string => answer(7, 'x'.repeat(bytes - answer(7).length));

describe('an exchange over HTTP (providers.md §8)', () => {
  let server: ToolServer | null = null;
  let connection: Connection | null = null;
  let authority = '';
  before(async () => {
    authority = await readFile(join(CERTIFICATES, 'authority.pem'), 'utf8');
  });
  afterEach(async () => {
    await connection?.close();
    const open = server;
    connection = null;
    if (open !== null) await until('the end of every socket', () => (open.openConnections() === 0 ? true : undefined));
    await open?.close();
    server = null;
  });

  async function opened(script: readonly HttpStep[], tls?: Certificate): Promise<Connection> {
    server = await startToolServer({ script, ...(tls !== undefined && { tls }) });
    return connect(server.url);
  }
  function connect(endpoint: string, headers: Headers = { authorization: 'Bearer planted' }): Connection {
    connection = httpConnection(
      endpoint,
      staticAuthorisation(headers),
      {
        resolve: resolveBySystem,
        open: openSocket,
        authorities: () => [authority],
      },
      TERMS,
    );
    return connection;
  }
  async function exchanged(
    action: HttpAction,
    request: ServerRequest = CALL,
    signal = AbortSignal.timeout(60_000),
  ): Promise<Exchanged> {
    return (await opened([{ action }])).exchange(request, signal);
  }
  async function outcome(...input: Parameters<typeof exchanged>): Promise<string> {
    const end = await exchanged(...input);
    return end.kind === 'answered'
      ? Buffer.from(end.bytes).toString('utf8')
      : `${end.fault}${end.isSent ? '' : ', unsent'}`;
  }

  it('that repeats the token of a grant is read without it', async () => {
    const token = 'granted-token-4711';
    server = await startToolServer({
      script: [{ action: { body: answer(7, `${token}, ${Buffer.from(token).toString('hex')}, ü`) } }],
    });
    const granted = {
      ...staticAuthorisation({}),
      allow: async () => ({ ok: true, headers: { authorization: `Bearer ${token}` }, tokens: [token] }) as const,
    };
    connection = httpConnection(
      server.url,
      granted,
      {
        resolve: resolveBySystem,
        open: openSocket,
        authorities: () => [authority],
      },
      TERMS,
    );
    const end = await connection.exchange(CALL, AbortSignal.timeout(60_000));
    if (end.kind !== 'answered') throw new Error(end.fault);
    expect(Buffer.from(end.bytes).toString()).to.equal(answer(7, '[redacted], [redacted], ü'));
  });

  describe('that is answered', () => {
    const bodies: Readonly<Record<string, HttpAction>> = {
      JSON: { body: answer(7) },
      'JSON of a charset': { body: answer(7), headers: { 'content-type': 'Application/JSON; charset="UTF-8"' } },
      'a stream': { as: 'sse', body: `data: ${answer(7)}\n\n` },
      'a stream with notifications first': {
        as: 'sse',
        before: [NOTIFICATION, ''],
        body: `event: message\r\nid: 1\r\ndata: ${answer(7)}\r\n\r\n`,
      },
      'a stream with a byte order mark and comments': {
        as: 'sse',
        body: `\uFEFF: hello\rretry: 10\rdata: ${answer(7)}\r\r`,
      },
      'a stream with events of another kind': {
        as: 'sse',
        body: `event: ping\ndata: not ours\n\ndata: ${answer(7)}\n\n`,
      },
      'a stream with two answers': { as: 'sse', body: `data: ${answer(7)}\n\ndata: ${answer(8)}\n\n` },
      'a stream that goes on': {
        as: 'sse',
        body: `data: ${answer(7)}\n\n${`data: ${NOTIFICATION}\n\n`.repeat(100_000)}`,
      },
    };
    for (const [what, action] of Object.entries(bodies)) {
      it(`with ${what}`, async () => expect(await outcome(action)).to.equal(answer(7)));
      if (what !== 'a stream that goes on')
        it(`with ${what}, split at every byte`, async () =>
          expect(await outcome({ ...action, delivery: { split: 1 } })).to.equal(answer(7)));
    }

    for (const [what, as] of [
      ['JSON', 'json'],
      ['a stream', 'sse'],
    ] as const) {
      const around = as === 'sse' ? 'data: \n\n'.length : 0;
      for (const bytes of [MAX - 1, MAX, MAX + 1]) {
        it(`with ${what} of ${bytes} bytes: ${bytes > MAX ? 'too many' : 'read'}`, async () => {
          const text = sized(bytes - around);
          const end = await exchanged({ as, body: as === 'sse' ? `data: ${text}\n\n` : text });
          expect(end).to.deep.include(
            bytes > MAX ? { kind: 'failed', fault: 'oversize' } : { kind: 'answered', status: 200 },
          );
        });
      }
    }

    it('with data in several lines, which an answer may be', async () => {
      expect(await outcome({ as: 'sse', body: 'data: {"jsonrpc":"2.0",\ndata: "id":7,"result":{}}\n\n' })).to.equal(
        '{"jsonrpc":"2.0",\n"id":7,"result":{}}',
      );
    });

    it('over TLS, by a peer that is verified', async () => {
      const end = await (
        await opened([{ action: { body: answer(7) } }], 'trusted')
      ).exchange(CALL, AbortSignal.timeout(60_000));
      expect(end.kind).to.equal('answered');
    });
  });

  it('says in its headers what its body says, and has a connection of its own', async () => {
    const open = await opened([{ action: { result: {} } }]);
    const parameters = [
      { header: 'mcp-param-plain', value: 'a b' },
      { header: 'mcp-param-wrapped', value: ' é' },
      { header: 'mcp-param-look', value: '=?base64?YQ==?=' },
    ];
    await open.exchange({ ...CALL, parameters }, AbortSignal.timeout(60_000));
    await open.exchange(DISCOVER, AbortSignal.timeout(60_000));
    const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;
    const [called, discovered] = server?.requests ?? [];
    expect(called?.headers).to.deep.include({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'look up',
      'mcp-param-plain': 'a b',
      'mcp-param-wrapped': base64(' é'),
      'mcp-param-look': base64('=?base64?YQ==?='),
    });
    expect(Object.keys(discovered?.headers ?? {}).toSorted()).to.deep.equal([
      'accept',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'mcp-method',
      'mcp-protocol-version',
    ]);
    expect([called?.connection, discovered?.connection]).to.deep.equal([1, 2]);
  });

  describe('that fails', () => {
    const rows: readonly (readonly [string, HttpAction, TransportFault])[] = [
      [
        'a server request in a stream',
        { as: 'sse', body: 'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n' },
        'malformed',
      ],
      ['an answer to somebody else in a stream', { as: 'sse', body: `data: ${answer(8)}\n\n` }, 'malformed'],
      ['what is no message in a stream', { as: 'sse', body: 'data: hello\n\n' }, 'malformed'],
      ['a stream without an answer', { as: 'sse', before: [NOTIFICATION] }, 'unanswered'],
      ['an event that is not ended', { as: 'sse', body: `data: ${answer(7)}\n` }, 'unanswered'],
      ['another media type', { fault: 'not_json' }, 'malformed'],
      ['no media type', { body: answer(7), headers: { 'content-type': '' } }, 'malformed'],
      [
        'another charset',
        { body: answer(7), headers: { 'content-type': 'application/json; charset=latin1' } },
        'malformed',
      ],
      ['a compressed body', { body: answer(7), headers: { 'content-encoding': 'gzip' } }, 'malformed'],
      ['a body of 5 MiB', { fault: 'huge' }, 'oversize'],
      ['an endless body', { fault: 'endless' }, 'oversize'],
      ['endless notifications', { fault: 'endless_notifications' }, 'oversize'],
      ['endless comments', { fault: 'endless_comments' }, 'oversize'],
      ['an endless event', { fault: 'endless_event' }, 'oversize'],
      ['endless headers', { fault: 'endless_headers' }, 'unanswered'],
      ['endless answers before the answer', { fault: 'endless_informational' }, 'unanswered'],
      ['a reset', { fault: 'reset' }, 'unanswered'],
      ['an end before an answer', { fault: 'half_closed' }, 'unanswered'],
      ['what is no HTTP', { fault: 'garbage' }, 'unanswered'],
      ['a body that breaks off', { body: answer(7), delivery: { cutAfter: 9 } }, 'unanswered'],
      [
        'a stream that breaks off',
        { as: 'sse', body: `data: ${answer(7)}\n\n`, delivery: { cutAfter: 9 } },
        'unanswered',
      ],
      ['status 401', { status: 401 }, 'unauthenticated'],
      ['status 401 whose body never ends', { status: 401, body: 'x'.repeat(1_000_000) }, 'unauthenticated'],
      ['status 401 whose headers never end', { fault: 'endless_401' }, 'unauthenticated'],
      ['status 403', { status: 403 }, 'unauthenticated'],
    ];
    for (const [what, action, fault] of rows)
      it(`by ${what}`, async () => expect(await outcome(action)).to.equal(fault));
    for (const status of [201, 202, 204, 301, 302, 307, 308, 304, 400, 404, 405, 406, 409, 429, 500, 502, 503, 599]) {
      it(`by status ${status}, asked once`, async () => {
        expect(await outcome({ status, headers: { location: '/mcp' }, body: answer(7) })).to.equal('unanswered');
        expect(server?.requests).to.have.length(1);
      });
    }

    for (const [count, expected] of [
      [63, answer(7)],
      [64, answer(7)],
      [65, 'unanswered'],
    ] as const) {
      it(`${expected === 'unanswered' ? '' : 'not '}by ${count} headers`, async () => {
        // Four are there already: date, connection, type and length.
        const headers = Object.fromEntries(Array.from({ length: count - 4 }, (_, at) => [`x-${at}`, 'y']));
        expect(await outcome({ body: answer(7), headers })).to.equal(expected);
      });
    }
    for (const [bytes, expected] of [
      [30_000, answer(7)],
      [40_000, 'unanswered'],
    ] as const) {
      it(`${expected === 'unanswered' ? '' : 'not '}by headers of ${bytes} bytes`, async () =>
        expect(await outcome({ body: answer(7), headers: { 'x-long': 'y'.repeat(bytes) } })).to.equal(expected));
    }

    for (const status of [400, 404]) {
      it(`but at discovery status ${status} is read`, async () => {
        expect(await exchanged({ status, error: { code: 1, message: 'no' } }, DISCOVER)).to.deep.include({
          kind: 'answered',
          status,
        });
      });
    }

    it('by a peer that is not verified', async () => {
      const end = await (await opened([], 'untrusted')).exchange(CALL, AbortSignal.timeout(60_000));
      expect(end).to.deep.include({ fault: 'tls', isSent: false });
    });

    it('by a server that is not there', async () => {
      server = await startToolServer({ script: [] });
      const { url, close } = server;
      server = null;
      await close();
      expect(await connect(url).exchange(CALL, AbortSignal.timeout(60_000))).to.deep.include({
        fault: 'refused',
        isSent: false,
      });
    });

    it('by headers that are more than may be sent, which nobody sees', async () => {
      const open = await opened([{ action: { result: {} } }]);
      // Name and value together.
      const parameters = (bytes: number): ServerRequest => ({
        ...CALL,
        parameters: [{ header: 'mcp-param-a', value: 'x'.repeat(bytes - 'mcp-param-a'.length) }],
      });
      for (const [bytes, kind] of [
        [16_383, 'answered'],
        [16_384, 'answered'],
        [16_385, 'failed'],
      ] as const)
        expect(await open.exchange(parameters(bytes), AbortSignal.timeout(60_000))).to.have.property('kind', kind);
      expect(server?.requests).to.have.length(2);
      expect(await open.exchange(parameters(16_385), AbortSignal.timeout(60_000))).to.deep.include({
        fault: 'unsendable',
        isSent: false,
      });
    });

    for (const [what, most, fill, sizeOf] of [
      [
        'bytes',
        32_768,
        (size) => ({ 'x-own': 'v'.repeat(size) }),
        (headers) => Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0),
      ],
      [
        'headers',
        64,
        (size) => Object.fromEntries(Array.from({ length: size }, (_, at) => [`x-${at}`, 'v'])),
        (headers) => Object.keys(headers).length,
      ],
    ] as const satisfies readonly (readonly [
      string,
      number,
      (size: number) => Headers,
      (headers: Headers) => number,
    ])[]) {
      it(`by more than ${most} ${what} of headers, whoever adds them`, async () => {
        server = await startToolServer({ script: [{ action: { result: {} } }] });
        const ask = async (size: number): Promise<Exchanged> =>
          connect(server?.url ?? '', fill(size)).exchange(CALL, AbortSignal.timeout(60_000));
        const seen = (): number => sizeOf(server?.requests.at(-1)?.headers ?? {});
        expect(await ask(10)).to.have.property('kind', 'answered');
        const fitting = most - seen() + 10;
        for (const size of [fitting - 1, fitting]) {
          expect(await ask(size)).to.have.property('kind', 'answered');
          expect(seen()).to.equal(most - fitting + size);
        }
        expect(await ask(fitting + 1)).to.deep.include({ fault: 'unsendable', isSent: false });
        expect(server.requests).to.have.length(3);
      });
    }
  });

  describe('that takes too long, or that nobody waits for', () => {
    for (const action of [
      { fault: 'silent' },
      { fault: 'slow' },
      { as: 'sse', before: [NOTIFICATION], delivery: { delayMs: 600_000 } },
    ] as const satisfies readonly HttpAction[]) {
      it(`ends at its time with its socket: ${'fault' in action ? action.fault : 'delayed'}`, async () => {
        expect(await outcome(action, CALL, AbortSignal.timeout(300))).to.equal('timeout');
      });
      it(`ends with its caller: ${'fault' in action ? action.fault : 'delayed'}`, async () => {
        const caller = new AbortController();
        const ended = outcome(action, CALL, caller.signal);
        await until('the request', () => (server?.requests.length === 1 ? true : undefined));
        caller.abort();
        expect(await ended).to.equal('cancelled');
      });
    }

    it('ends before it is sent where its time is over', async () => {
      expect(await outcome({ result: {} }, CALL, AbortSignal.abort())).to.equal('cancelled, unsent');
      expect(server?.requests).to.deep.equal([]);
    });

    it('ends with its connection, over which nothing is sent any more', async () => {
      const open = await opened([{ action: { fault: 'silent' } }]);
      const ended = open.exchange(CALL, AbortSignal.timeout(60_000));
      await until('the request', () => (server?.requests.length === 1 ? true : undefined));
      expect(await open.close()).to.equal(true);
      expect(await ended).to.deep.include({ fault: 'cancelled', isSent: true });
      expect(await open.exchange(CALL, AbortSignal.timeout(60_000))).to.deep.include({
        fault: 'released',
        isSent: false,
      });
      expect(server?.requests).to.have.length(1);
    });
  });
});
