import { expect } from 'chai';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { secretHash } from '../http/log.ts';
import { SERVER_FAULTS, readHttpScript, type HttpStep } from './script.ts';
import { startToolServer, type ToolServer } from './server.ts';

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
};
const FLOOD_BYTES = 3_000_000;

interface Answered {
  readonly status: number | undefined;
  /** At most `FLOOD_BYTES`, and what came with them. */
  readonly text: string;
}

describe('the scripted server of tools over HTTP', () => {
  let server: ToolServer;
  const start = async (...script: readonly HttpStep[]): Promise<ToolServer> =>
    (server = await startToolServer({ script }));
  afterEach(async () => server.close());

  /** Not by `fetch`, which asks for compression whatever it is told. */
  async function ask(
    method: string,
    params: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    const sent = request(server.url, { method: 'POST', headers: { ...HEADERS, 'mcp-method': method, ...headers } });
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { _meta: META, ...params } }));
    const [response]: IncomingMessage[] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response ?? []) {
      text += String(chunk);
      if (text.length > FLOOD_BYTES) break;
    }
    return { status: response?.statusCode, text };
  }
  const bodyOf = ({ text }: Answered): unknown => JSON.parse(text);

  it('answers the step that fits, and logs the credential as a hash', async () => {
    await start(
      { match: { method: 'tools/list', cursor: 'b' }, action: { result: 'second' } },
      { match: { method: 'tools/list', cursor: null }, times: 1, action: { result: 'first' } },
    );
    expect(bodyOf(await ask('tools/list', { cursor: 'b' }, { authorization: 'Bearer planted' }))).to.deep.equal({
      jsonrpc: '2.0',
      id: 7,
      result: 'second',
    });
    expect(bodyOf(await ask('tools/list'))).to.have.property('result', 'first');
    expect(bodyOf(await ask('tools/list'))).to.have.nested.property('error.code', -32_603);
    expect(server.requests.map(({ step }) => step)).to.deep.equal([0, 1, null]);
    expect(server.requests[0]?.headers['authorization']).to.equal(secretHash('Bearer planted'));
  });

  it('answers with a stream of events, split at every byte', async () => {
    await start({ action: { as: 'sse', before: ['first of {{id}}'], result: {}, delivery: { split: 1 } } });
    expect(await ask('tools/list')).to.deep.equal({
      status: 200,
      text: 'data: first of 7\n\ndata: {"jsonrpc":"2.0","id":7,"result":{}}\n\n',
    });
  });

  it('answers with any status, headers and body', async () => {
    await start({
      action: {
        status: 403,
        headers: { 'www-authenticate': ['Basic', 'Bearer error="insufficient_scope"'] },
        body: 'no {{id}}',
      },
    });
    expect(await ask('tools/list')).to.deep.equal({ status: 403, text: 'no 7' });
  });

  for (const fault of ['endless_notifications', 'endless_comments', 'endless_event'] as const) {
    it(`can fail as ${fault}: ${SERVER_FAULTS[fault]}`, async () => {
      await start({ action: { fault } });
      expect((await ask('tools/list')).text.length).to.be.greaterThan(FLOOD_BYTES);
    });
  }

  it('can refuse with headers that never end', async () => {
    await start({ action: { fault: 'endless_401' } });
    const socket = connect(server.port, '127.0.0.1');
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: META } });
    const headers = Object.entries({ ...HEADERS, host: 'a', 'mcp-method': 'tools/list', 'content-length': body.length })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    socket.write(`POST /mcp HTTP/1.1\r\n${headers}\r\n${body}`);
    let text = '';
    for await (const piece of socket) {
      text += String(piece);
      if (text.length > 1000) break;
    }
    expect(text)
      .to.match(/^HTTP\/1\.1 401 Unauthorized\r\n(x-small: 1\r\n)+/)
      .and.not.to.include('\r\n\r\n');
  });

  it('can be gone for whoever comes next', async () => {
    await start({ action: { result: {}, becomes: 'gone' } });
    expect((await ask('tools/list')).status).to.equal(200);
    const [refused]: readonly unknown[] = await once(connect(server.port, '127.0.0.1'), 'error');
    expect(refused).to.have.property('code', 'ECONNREFUSED');
  });

  it('refuses headers that say something else than the body', async () => {
    await start({ action: { result: {} } });
    for (const headers of [
      { 'mcp-method': 'tools/call' },
      { 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-session-id': 's' },
      { accept: 'application/json' },
      { 'mcp-name': 'x' },
      { 'accept-encoding': 'gzip' },
    ]) {
      const answered = await ask('tools/list', {}, headers);
      expect(answered.status, JSON.stringify(headers)).to.equal(400);
      expect(bodyOf(answered)).to.have.nested.property('error.code', -32_020);
    }
    expect(
      (
        await ask(
          'tools/call',
          { name: 'übersetzen' },
          { 'mcp-name': `=?base64?${Buffer.from('übersetzen').toString('base64')}?=` },
        )
      ).status,
    ).to.equal(200);
  });

  it('refuses a script that is none, naming the step', async () => {
    await start();
    expect(() => readHttpScript('[{"action":{"fault":"reset"}},{"action":{"fault":"nonsense"}}]')).to.throw('step 1');
    expect(
      readHttpScript(JSON.stringify(Object.keys(SERVER_FAULTS).map((fault) => ({ action: { fault } })))),
    ).to.have.length(Object.keys(SERVER_FAULTS).length);
  });
});
