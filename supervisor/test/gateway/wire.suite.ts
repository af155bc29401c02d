import { connect } from 'node:net';
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import { META, TOKEN, messagesOf, modern, startTestGateway, type TestGateway } from './gateway.ts';

const PARAMETERS = {
  type: 'object',
  additionalProperties: false,
  properties: {
    text: { type: 'string', 'x-mcp-header': 'Text' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    sure: { type: ['boolean', 'null'] },
    deep: {
      type: 'object',
      properties: { flag: { type: 'boolean', 'x-mcp-header': 'Flag' } },
      additionalProperties: false,
    },
  },
};
const TOOLS = {
  echo: { program: '(ns main)\n(defn run [input] {:value (get input "value")})\n' },
  headed: { program: '(ns main)\n(defn run [input] {:value (get input "text")})\n', input: PARAMETERS },
  endless: { program: '(ns main)\n(defn run [_] (loop [n 0] (recur (inc n))))\n' },
};

type Said = readonly [status: number, code: unknown, id?: unknown];

describe('requests to a gateway, row by row (gateway.md §3, §4, §7)', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({ tools: TOOLS }, ['--max-waiting-calls', '0']);
  });
  after(async () => {
    expect(await gateway.stop()).to.deep.include({ status: 0, stderr: '' });
  });

  const ask = async (request: RequestInit): Promise<Response> => fetch(gateway.url, request);
  const said = async (request: RequestInit): Promise<Said> => {
    const response = await ask(request);
    const text = await response.text();
    const answer: Record<string, unknown> = text === '' ? {} : JSON.parse(text);
    const code: unknown = 'error' in answer ? (Object(answer['error']).code ?? answer['error']) : null;
    return 'id' in answer ? [response.status, code, answer['id']] : [response.status, code];
  };
  const posted = async (body: unknown): Promise<Said> =>
    said({ ...modern('tools/list'), body: typeof body === 'string' ? body : JSON.stringify(body) });
  const call = (name: string, input: object, extra: Parameters<typeof modern>[2] = {}): RequestInit =>
    modern('tools/call', { name, arguments: input }, extra);

  it('refuses what is no strict JSON, without an id (row 10)', async () => {
    for (const body of [
      '',
      '{',
      '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
      '\ufeff{}',
      `${'['.repeat(65)}${']'.repeat(65)}`,
    ])
      expect(await posted(body), body).to.deep.equal([400, -32_700]);
    expect(await posted(`${'['.repeat(64)}${']'.repeat(64)}`)).to.deep.equal([400, -32_600]);
    const nodes = (count: number): string => `[${'0,'.repeat(count - 2)}0]`;
    expect(await posted(nodes(100_000))).to.deep.equal([400, -32_600]);
    expect(await posted(nodes(100_001))).to.deep.equal([400, -32_700]);
  });

  it('refuses what is no request, with its id where it has one (row 11)', async () => {
    const right = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: META } };
    for (const [change, id] of [
      [{ jsonrpc: '1.0' }, 7],
      [{ method: 1 }, 7],
      [{ params: [] }, 7],
      [{ params: null }, 7],
      [{ id: null }],
      [{ id: 1.5 }],
      [{ id: '' }],
      [{ id: 'x'.repeat(257) }],
      [{ id: 9_007_199_254_740_992 }],
    ] as const) {
      expect(await posted({ ...right, ...change }), JSON.stringify(change)).to.deep.equal([
        400,
        -32_600,
        ...(id === undefined ? [] : [id]),
      ]);
    }
    expect(await posted([right])).to.deep.equal([400, -32_600]);
    expect(await posted({ jsonrpc: '2.0', id: 7, result: {} })).to.deep.equal([400, -32_600, 7]);
    for (const id of ['x'.repeat(256), 9_007_199_254_740_991, -9_007_199_254_740_991, 'x'.repeat(255)])
      expect(await posted({ ...right, id })).to.deep.equal([200, null, id]);
  });

  it('takes notifications, and does nothing for them (row 13)', async () => {
    for (const method of ['notifications/cancelled', 'anything'])
      expect(await posted({ jsonrpc: '2.0', method, params: { _meta: META } })).to.deep.equal([202, null]);
  });

  it('wants version and capabilities in the body (row 14)', async () => {
    for (const meta of [
      { 'io.modelcontextprotocol/clientCapabilities': null },
      { 'io.modelcontextprotocol/protocolVersion': 1 },
      { 'io.modelcontextprotocol/clientInfo': { name: 'x' } },
      { large: 'x'.repeat(65_536) },
    ]) {
      expect(await said(modern('tools/list', {}, { meta }))).to.deep.equal([400, -32_602, 1]);
    }
    const size = JSON.stringify({ ...META, large: '' }).length;
    for (const [bytes, status] of [
      [65_535, 200],
      [65_536, 200],
      [65_537, 400],
    ] as const)
      expect(
        (await ask(modern('tools/list', {}, { meta: { large: 'x'.repeat(bytes - size) } }))).status,
        String(bytes),
      ).to.equal(status);
    expect(
      await said({ ...modern('tools/list'), body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) }),
    ).to.deep.equal([400, -32_602, 1]);
    expect(
      await said(
        modern(
          'tools/list',
          { unknown: true },
          { meta: { 'other.example/x': 1, 'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' } } },
        ),
      ),
    ).to.deep.equal([200, null, 1]);
  });

  it('wants headers that say what the body says (row 15), before it looks at the version (row 16)', async () => {
    for (const headers of [
      { 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-method': 'Tools/list' },
      { 'mcp-method': 'tools/call' },
      { 'mcp-name': 'echo' },
    ]) {
      expect(await said(modern('tools/list', {}, { headers })), JSON.stringify(headers)).to.deep.equal([
        400, -32_020, 1,
      ]);
    }
    const version = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    expect(await said(modern('tools/list', {}, { meta: version }))).to.deep.equal([400, -32_020, 1]);
    const response = await ask(
      modern('none', {}, { meta: version, headers: { 'mcp-protocol-version': '2099-01-01' } }),
    );
    expect([response.status, Object(await response.json()).error]).to.deep.equal([
      400,
      {
        code: -32_022,
        message: 'this version of the protocol is not served',
        data: { supported: ['2026-07-28'], requested: '2099-01-01' },
      },
    ]);
    expect(await said(call('echo', {}, { headers: { 'mcp-name': 'other' } }))).to.deep.equal([400, -32_020, 1]);
    expect(
      (await ask(call('echo', {}, { headers: { 'mcp-name': `=?base64?${Buffer.from('echo').toString('base64')}?=` } })))
        .status,
    ).to.equal(200);
  });

  it('knows three methods (row 17) and their parameters (row 18)', async () => {
    for (const method of [
      'ping',
      'initialize',
      'logging/setLevel',
      'prompts/list',
      'resources/list',
      'completion/complete',
      'tasks/list',
      'subscriptions/listen',
      'tools/LIST',
    ])
      expect(await said(modern(method)), method).to.deep.equal([404, -32_601, 1]);
    expect(await said(modern('tools/list', { cursor: 'x' }))).to.deep.equal([200, -32_602, 1]);
    expect(await said(modern('tools/call', { name: 'absent' }))).to.deep.equal([200, -32_602, 1]);
    expect(await said(modern('tools/call', { name: 'echo', arguments: [] }))).to.deep.equal([200, -32_602, 1]);
    // Answers alone are to nothing that was asked: they are ignored (approvals.md §6).
    for (const extra of [{ requestState: {} }, { requestState: 'x' }, { inputResponses: [] }])
      expect(await said(modern('tools/call', { name: 'echo', ...extra }))).to.deep.equal([200, -32_602, 1]);
    const { result } = Object(await (await ask(modern('server/discover'))).json());
    expect(result).to.deep.include({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 30_000,
      cacheScope: 'private',
    });
  });

  it('wants each annotated argument in a header, and no other (§4)', async () => {
    const statusOf = async (input: object, headers: Readonly<Record<string, string>>): Promise<number> => {
      const response = await ask(call('headed', input, { headers }));
      await response.text();
      return response.status;
    };
    const base64 = `=?base64?${Buffer.from('Zürich').toString('base64')}?=`;
    for (const [input, headers, status] of [
      [{ text: 'a' }, { 'mcp-param-text': 'a' }, 200],
      [{}, {}, 200],
      [{ text: 'Zürich' }, { 'Mcp-Param-TEXT': base64 }, 200],
      [{ count: 7 }, { 'mcp-param-count': '7' }, 200],
      [{ count: 7 }, { 'mcp-param-count': '7.0' }, 200],
      [{ deep: { flag: true } }, { 'mcp-param-flag': 'true' }, 200],
      [{ text: 'a' }, {}, 400],
      [{ text: 'a' }, { 'mcp-param-text': 'b' }, 400],
      [{}, { 'mcp-param-text': 'a' }, 400],
      [{ text: 'a' }, { 'mcp-param-text': 'a', 'mcp-param-other': 'b' }, 400],
      [{ text: 'Zürich' }, { 'mcp-param-text': base64.replace('==', '') }, 400],
      [{ text: 'Zürich' }, { 'mcp-param-text': base64.replace('base64', 'BASE64') }, 400],
      [{ count: 7 }, { 'mcp-param-count': '8' }, 400],
      [{ count: 7 }, { 'mcp-param-count': 'seven' }, 400],
      [{ deep: { flag: true } }, { 'mcp-param-flag': 'True' }, 400],
    ] as const)
      expect(await statusOf(input, headers), JSON.stringify([input, headers])).to.equal(status);
  });

  it('streams the answer of a call, and nothing behind it (§5)', async () => {
    const response = await ask(call('echo', { value: 'x' }, { id: 'a', meta: { progressToken: 5 } }));
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('mcp-protocol-version'),
      response.headers.get('cache-control'),
    ]).to.deep.equal([200, 'text/event-stream; charset=utf-8', '2026-07-28', 'no-store']);
    const messages = await messagesOf(response);
    const last = Object(messages.at(-1));
    expect(last).to.deep.include({ jsonrpc: '2.0', id: 'a' });
    expect(last.result).to.deep.include({ resultType: 'complete', isError: false, structuredContent: { value: 'x' } });
    expect(Object(last.result['_meta'])['svc/call']).to.deep.include({ effects: 'none', retry: 'safe' });
    expect(messages.slice(0, -1).map((message) => Object(message['params']).progress)).to.deep.equal(
      messages.slice(1).map((_, at) => at + 1),
    );
  });

  it('ends a run at the time that the call sets (§6)', async () => {
    const [last] = (await messagesOf(await ask(call('endless', {}, { meta: { 'svc/timeout_ms': 400 } })))).slice(-1);
    expect(Object(last?.['result'])).to.have.nested.property(
      'content[0].text',
      'run_timeout: the run duration limit was exceeded',
    );
    for (const timeout of [0, -1, 1.5, '1', 2_592_000_001])
      expect(await said(call('echo', {}, { meta: { 'svc/timeout_ms': timeout } })), String(timeout)).to.deep.equal([
        200, -32_602, 1,
      ]);
  });

  it('tells the third run at once that there is no place, and keeps answering (§8)', async () => {
    const abort = new AbortController();
    const responses = await Promise.all([1, 2].map(async () => ask({ ...call('endless', {}), signal: abort.signal })));
    const third = await ask(call('echo', {}, { id: 'third' }));
    expect([third.status, third.headers.get('retry-after'), await third.json()]).to.deep.equal([
      429,
      '1',
      {
        jsonrpc: '2.0',
        id: 'third',
        error: {
          code: -31_999,
          message: 'the gateway is busy; come again',
          data: { reason: 'run_capacity_exhausted' },
        },
      },
    ]);
    expect(await said(modern('tools/list'))).to.deep.equal([200, null, 1]);
    expect((await fetch(new URL('/health/ready', gateway.url))).status).to.equal(200);
    abort.abort();
    await Promise.all(responses.map(async (response) => response.text().catch(() => null)));
    await until('a place is free', async () =>
      (await said(modern('tools/list')))[0] === 200 && (await messagesOf(await ask(call('echo', {})))).length > 0
        ? true
        : undefined,
    );
  });

  it('tells the ninth request at once that there is no place, and reads nothing of it (§8)', async () => {
    const head = `POST /mcp HTTP/1.1\r\nhost: ${gateway.url.host}\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\naccept: */*\r\ncontent-length: 5\r\n\r\n`;
    const begin = async (): Promise<ReturnType<typeof connect>> =>
      new Promise((resolve) => {
        const socket = connect(Number(gateway.url.port), '127.0.0.1', () => {
          socket.write(head, () => {
            resolve(socket);
          });
        });
        socket.on('error', () => undefined);
      });
    const sockets = await Promise.all(Array.from({ length: 8 }, begin));
    const seen = await until('a request finds no place', async () => {
      const response = await ask(modern('tools/list'));
      const body: unknown = await response.json();
      if (response.status === 429) return Object(body);
      // One of them may have been refused, while a request of before still had a place.
      sockets.push(await begin());
      return undefined;
    });
    expect([seen.error.code, seen.error.data, 'id' in seen]).to.deep.equal([
      -31_999,
      { reason: 'request_capacity_exhausted' },
      false,
    ]);
    for (const socket of sockets) socket.destroy();
    await until('there is a place', async () => ((await said(modern('tools/list')))[0] === 200 ? true : undefined));
  });

  it('bounds a body (row 9)', async () => {
    const padded = (bytes: number): string =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } }).padEnd(bytes, ' ');
    for (const [bytes, status] of [
      [2_097_151, 200],
      [2_097_152, 200],
      [2_097_153, 413],
    ] as const) {
      const response = await ask({ ...modern('tools/list'), body: padded(bytes) }).catch(() => null);
      // Refused before it is read: the sender may see no more than that the socket was closed.
      if (response !== null || status === 200) expect(response?.status, String(bytes)).to.equal(status);
    }
  });

  it('serves clients of older revisions without a session (§7)', async () => {
    const legacy = async (method: string, params: object = {}, version?: string): Promise<Response> =>
      ask({
        ...modern('x'),
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'application/json',
          accept: '*/*',
          ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
    for (const [requested, input] of [
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2020-01-01', '2025-11-25'],
    ]) {
      const response = await legacy('initialize', { protocolVersion: requested });
      expect([
        response.headers.has('mcp-session-id'),
        Object(await response.json()).result.protocolVersion,
      ]).to.deep.equal([false, input]);
    }
    expect(Object(await (await legacy('ping', {}, '2025-11-25')).json()).result).to.deep.equal({});
    expect(Object(await (await legacy('tools/list')).json()).result).to.have.all.keys('tools');
    expect(
      (await messagesOf(await legacy('tools/call', { name: 'echo', arguments: { value: 'x' } }))).at(-1),
    ).to.have.nested.property('result.structuredContent.value', 'x');
    const none = await legacy('prompts/list');
    expect([none.status, Object(await none.json()).error.code]).to.deep.equal([200, -32_601]);
    expect((await legacy('ping', {}, '2024-11-05')).status).to.equal(400);
  });

  it('says whether it lives and is ready to whoever names it right, and nothing else there is', async () => {
    const at = (path: string, init?: RequestInit): Promise<Response> => fetch(new URL(path, gateway.url), init);
    expect(await (await at('/health/live')).json()).to.deep.equal({ status: 'live' });
    expect(await (await at('/health/ready')).json()).to.deep.equal({ status: 'ready' });
    expect((await at('/health/live', { method: 'POST' })).status).to.equal(405);
    for (const path of ['/', '/mcp//', '/mcp/x', '/mcp?x', '/.well-known/oauth-protected-resource', '/health'])
      expect((await at(path)).status, path).to.equal(404);
  });
});
