import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import { TOKEN, messagesOf, modern, startTestGateway, type TestGateway } from './gateway.ts';

const TOOLS = {
  echo: { program: '(ns main)\n(defn run [input] {:value (get input "value")})\n' },
  endless: { program: '(ns main)\n(defn run [_] (loop [n 0] (recur (inc n))))\n' },
};

describe('a gateway under pressure (gateway.md §2, §5, §8)', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({ tools: TOOLS }, ['--max-waiting-calls', '0']);
  });
  after(async () => {
    expect(await gateway.stop()).to.deep.include({ status: 0, stderr: '' });
  });

  const call = async (name: string, input: object, signal: AbortSignal | null = null): Promise<Response> =>
    fetch(gateway.url, { ...modern('tools/call', { name, arguments: input }), signal });

  /** All that one socket is told until it is closed. */
  const raw = async (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let reported = '';
      const socket = connect(Number(gateway.url.port), '127.0.0.1', () => {
        socket.write(bytes);
      });
      socket.on('data', (part) => {
        reported += String(part);
      });
      socket.on('close', () => {
        resolve(reported);
      });
      socket.on('error', (error) => {
        if (reported === '') reject(error);
      });
    });

  it('answers 64 calls at once, of which none waits, with 200 and 429 alone, says meanwhile that it is well, and then has its places back', async () => {
    const burstIs = { over: false };
    const burst = Promise.all(
      Array.from({ length: 64 }, async () => {
        const response = await call('echo', { value: 'x' });
        await response.text();
        return response.status;
      }),
    ).finally(() => {
      burstIs.over = true;
    });
    const health: number[] = [];
    do health.push((await fetch(new URL('/health/ready', gateway.url))).status);
    while (!burstIs.over);
    expect(new Set(await burst)).to.deep.equal(new Set([200, 429]));
    expect(new Set(health)).to.deep.equal(new Set([200]));
    const both = await until('both places are free', async () => {
      const answers = await Promise.all(
        [1, 2].map(async () => {
          const response = await call('echo', { value: 'y' });
          return response.status === 200 ? messagesOf(response) : [];
        }),
      );
      return answers.every((messages) => messages.length > 0) ? answers : undefined;
    });
    expect(both.map((messages) => Object(messages.at(-1)?.['result']).structuredContent)).to.deep.equal([
      { value: 'y' },
      { value: 'y' },
    ]);
  });

  it('tells what is wrong with arguments where there is no place for right ones', async () => {
    const abort = new AbortController();
    const responses = await Promise.all([1, 2].map(async () => call('endless', {}, abort.signal)));
    expect(responses.map(({ status }) => status)).to.deep.equal([200, 200]);
    const answer: unknown = await (await call('echo', { value: 3 })).json();
    expect(Object(answer))
      .to.have.nested.property('result.content[0].text')
      .that.matches(/^input_contract_failed: /);
    abort.abort();
    await Promise.all(responses.map(async (response) => response.text().catch(() => null)));
  });

  it('ends the socket of whoever sends what is no request', async () => {
    const host = `host: ${gateway.url.host}`;
    for (const [bytes, status] of [
      ['nonsense\r\n\r\n', 400],
      [`POST /mcp HTTP/1.1\r\n${host}\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`, 400],
      [`GET /health/live HTTP/1.1\r\n${host}\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
      [`GET /${'x'.repeat(8192)} HTTP/1.1\r\n${host}\r\n\r\n`, 414],
      [`GET /${'x'.repeat(200_000)} HTTP/1.1\r\n${host}\r\n\r\n`, 414],
      [`GET /${'x'.repeat(200_000)}`, 414],
    ] as const)
      expect(await raw(bytes), bytes.slice(0, 40)).to.match(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
  });

  it('gives up a body that nobody sends', async () => {
    const head = `POST /mcp HTTP/1.1\r\nhost: ${gateway.url.host}\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\naccept: */*\r\ncontent-length: 10\r\n\r\n{`;
    expect(await raw(head)).to.match(/^HTTP\/1\.1 408 [^]*request_timeout/u);
  });
});

describe('a gateway in which calls wait for a place (gateway.md §8)', () => {
  const limited =
    (admission: object) =>
    (document: Readonly<Record<string, unknown>>): object => ({
      ...document,
      admission: { ...Object(document['admission']), ...admission },
    });
  const answered = async (response: Response): Promise<unknown> =>
    response.status === 200
      ? Object((await messagesOf(response)).at(-1)?.['result']).structuredContent
      : response.status;

  it('answers 30 at once that have four places, whether these are of runs or of requests', async () => {
    for (const admission of [
      { max_inflight_requests: 64, max_concurrent_runs: 4 },
      { max_inflight_requests: 4, max_concurrent_runs: 4 },
    ]) {
      const gateway = await startTestGateway({ tools: TOOLS, edit: limited(admission) });
      const call = async (): Promise<Response> =>
        fetch(gateway.url, modern('tools/call', { name: 'echo', arguments: { value: 'v' } }));
      // What starts processes is no part of it.
      await (await call()).text();
      expect(await Promise.all(Array.from({ length: 30 }, async () => answered(await call())))).to.deep.equal(
        Array.from({ length: 30 }, () => ({ value: 'v' })),
      );
      expect((await gateway.stop()).status).to.equal(0);
    }
  });

  it('refuses those that wait too long, and lets go of those who left', async () => {
    const gateway = await startTestGateway({
      tools: TOOLS,
      edit: limited({ max_inflight_requests: 64, max_concurrent_runs: 1 }),
    });
    const abort = new AbortController();
    const response = await fetch(gateway.url, {
      ...modern('tools/call', { name: 'endless', arguments: {} }),
      signal: abort.signal,
    });
    expect(response.status).to.equal(200);
    const refused = await fetch(gateway.url, modern('tools/call', { name: 'echo', arguments: { value: 'v' } }));
    expect([
      refused.status,
      refused.headers.get('retry-after'),
      Object(await refused.json()).error.data.reason,
    ]).to.deep.equal([429, '1', 'run_capacity_exhausted']);
    const leaving = new AbortController();
    const left = fetch(gateway.url, {
      ...modern('tools/call', { name: 'echo', arguments: { value: 'v' } }),
      signal: leaving.signal,
    }).catch(() => 'gone');
    leaving.abort();
    expect(await left).to.equal('gone');
    abort.abort();
    await response.text().catch(() => null);
    await until('the place is free', async () =>
      typeof (await answered(
        await fetch(gateway.url, modern('tools/call', { name: 'echo', arguments: { value: 'v' } })),
      )) === 'object'
        ? true
        : undefined,
    );
    expect((await gateway.stop()).status).to.equal(0);
  });

  it('serves by both of its addresses, and whoever asks while others only hold sockets', async () => {
    const gateway = await startTestGateway({ tools: TOOLS });
    // As many sockets as there may be, and more; none of these closes its side.
    const holders = Array.from({ length: 120 }, () => {
      const socket = connect({ port: Number(gateway.url.port), host: '127.0.0.1', allowHalfOpen: true }, () => {
        socket.write('POST /m');
      });
      return socket.on('error', () => undefined).resume();
    });
    await until('they are connected', () => (holders.every(({ connecting }) => !connecting) ? true : undefined));
    for (const address of [
      `http://localhost:${gateway.url.port}/mcp`,
      `http://127.0.0.1:${gateway.url.port}/mcp/`,
      gateway.url.href,
    ]) {
      const response = await fetch(address, { ...modern('tools/call', { name: 'echo', arguments: { value: 'v' } }) });
      expect(await answered(response), address).to.deep.equal({ value: 'v' });
    }
    for (const socket of holders) socket.destroy();
    expect((await gateway.stop()).status).to.equal(0);
  });
});

describe('clients that want too much or take nothing (gateway.md §5, §9)', () => {
  it('are told that nothing is tunnelled', async () => {
    const gateway = await startTestGateway({
      tools: { echo: { program: '(ns main)\n(defn run [input] {:value (get input "value")})\n' } },
    });
    const socket = connect(Number(gateway.url.port), '127.0.0.1');
    socket.write(`CONNECT 127.0.0.1:1 HTTP/1.1\r\nhost: ${gateway.url.host}\r\n\r\n`);
    expect(await text(socket)).to.match(/^HTTP\/1\.1 405 [^]*allow: POST\r\n/);
    expect((await gateway.stop()).status).to.equal(0);
  });

  it('guess a bearer slowly, and keep nobody else waiting', async () => {
    const gateway = await startTestGateway({
      tools: { echo: { program: '(ns main)\n(defn run [input] {:value (get input "value")})\n' } },
    });
    const guess = async (): Promise<number> =>
      (await fetch(gateway.url, { ...modern('tools/list'), headers: { authorization: `Bearer ${'x'.repeat(40)}` } }))
        .status;
    const statuses: number[] = [];
    for (let nth = 0; nth < 20; nth += 1) statuses.push(await guess());
    const late = guess();
    expect((await fetch(gateway.url, modern('tools/list'))).status).to.equal(200);
    statuses.push(await late);
    expect(new Set(statuses)).to.deep.equal(new Set([401]));
    expect((await gateway.stop()).status).to.equal(0);
  });
});
