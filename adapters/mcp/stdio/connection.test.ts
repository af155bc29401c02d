import { expect } from 'chai';
import { PassThrough, Writable } from 'node:stream';
import type { Exchanged } from '../exchanged.ts';
import type { ServerRequest } from '../protocol/request.ts';
import type { Connection } from '../transport.ts';
import type { RevisionPolicy } from '../protocol/revision.ts';
import { stdioConnection } from './connection.ts';

const MAX = 2_097_152;
const never = new AbortController().signal;

/** A server of which the test is both ends; `isStuck` reads nothing. */
function scripted({
  isStuck = false,
  revisions = '2026-07-28',
}: { readonly isStuck?: boolean; readonly revisions?: RevisionPolicy } = {}): {
  readonly connection: Connection;
  readonly said: string[];
  readonly say: (...lines: string[]) => void;
  readonly err: PassThrough;
  readonly out: PassThrough;
  readonly free: () => void;
} {
  const said: string[] = [];
  let acquired: (() => void) | null = null;
  const stdin = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      said.push(chunk.toString());
      if (isStuck) acquired = done;
      else done();
    },
  });
  const [out, err] = [new PassThrough(), new PassThrough()];
  const child = {
    stdin,
    stdout: out,
    stderr: err,
    exited: new Promise<never>(() => undefined),
    end: () => Promise.resolve(true),
  };
  return {
    connection: stdioConnection(child, { stderrBytes: 5, client: { name: 'svc', version: '1' }, revisions }),
    said,
    say: (...lines) => void out.write(lines.map((line) => `${line}\n`).join('')),
    err,
    out,
    free: () => acquired?.(),
  };
}

const request = (id: number, text: string): ServerRequest => ({
  id,
  method: 'tools/call',
  revision: '2026-07-28',
  text,
  name: null,
  parameters: [],
});
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
const answer = (id: number, more = ''): string => `{"jsonrpc":"2.0","id":${id},"result":{${more}}}`;
const failed = (fault: string, isSent = true): object => ({ kind: 'failed', fault, isSent, stderr: null });
const answered = (line: string): object => ({
  kind: 'answered',
  bytes: new Uint8Array(Buffer.from(line)),
  status: null,
  stderr: null,
});
const progress = (token: number, bytes = 0): string =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"message":"${'x'.repeat(bytes)}"}}`;

describe('an exchange over standard streams (providers.md §7.8)', () => {
  it('finds its answer among others, in any order', async () => {
    const { connection, said, say } = scripted();
    const both = Promise.all([
      connection.exchange(request(1, 'one'), never),
      connection.exchange(request(2, 'two'), never),
    ]);
    await turn();
    expect(said).to.deep.equal(['one\n', 'two\n']);
    say(
      answer(2),
      progress(1),
      progress(77),
      '{"jsonrpc":"2.0","method":"notifications/message","params":{}}',
      answer(1),
    );
    expect(await both).to.deep.equal([answered(answer(1)), answered(answer(2))]);
  });

  it('tells what the server wrote on its standard error meanwhile', async () => {
    const { connection, say, err } = scripted();
    err.write('before');
    await turn();
    const exchanged = connection.exchange(request(1, 'one'), never);
    err.write('meanwhile');
    await turn();
    say(answer(1));
    expect((await exchanged).stderr).to.deep.equal({ text: 'while', isTruncated: true });
  });

  it('answers what a server of an earlier revision asks, and offers it nothing', async () => {
    const { connection, said, say } = scripted({ revisions: 'auto' });
    expect(await connection.agree('2025-06-18', never)).to.equal(null);
    say('{"jsonrpc":"2.0","id":"a","method":"ping"}', '{"jsonrpc":"2.0","id":9,"method":"sampling/createMessage"}');
    await turn();
    expect(said.map((line) => JSON.parse(line))).to.deep.equal([
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'a', result: {} },
      { jsonrpc: '2.0', id: 9, error: { code: -32_601, message: 'not offered by this client' } },
    ]);
  });

  it('gives up a server that asks and does not read what it is answered', async () => {
    const { connection, say, free } = scripted({ isStuck: true, revisions: 'auto' });
    const asking = (count: number): void =>
      say(...Array.from({ length: count }, (_, at) => `{"jsonrpc":"2.0","id":${at},"method":"ping"}`));
    asking(129);
    await turn();
    const exchanged = connection.exchange(request(1, 'one'), AbortSignal.timeout(60_000));
    asking(1);
    await turn();
    expect(await exchanged).to.deep.equal(failed('oversize', false));
    free();
  });

  it('counts what a server asks with its notifications', async () => {
    const { connection, said, say } = scripted({ revisions: 'auto' });
    const exchanged = connection.exchange(request(1, 'one'), never);
    await turn();
    say(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${'x'.repeat(MAX - 100)}"}}`);
    say(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"a":"${'x'.repeat(100)}"}}`);
    expect(await exchanged).to.deep.equal(failed('oversize'));
    expect(said).to.have.length(2);
  });

  it('takes nothing back before a revision is agreed on, and in its form from then on', async () => {
    const { connection, said } = scripted({ revisions: 'auto' });
    const give = async (id: number): Promise<void> => {
      const ended = new AbortController();
      const exchanged = connection.exchange(request(id, 'x'), ended.signal);
      await turn();
      ended.abort();
      expect(await exchanged).to.deep.equal(failed('cancelled'));
    };
    await give(1);
    expect(said).to.have.length(1);
    await connection.agree('2024-11-05', never);
    await give(2);
    expect(JSON.parse(said.at(-1) ?? '')).to.deep.equal({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 2, reason: 'the caller no longer waits' },
    });
  });

  const ending: Readonly<Record<string, readonly [string, string]>> = {
    garbage: ['Listening on port 80', 'malformed'],
    'an empty line': ['', 'malformed'],
    'a request of the server': ['{"jsonrpc":"2.0","id":9,"method":"roots/list"}', 'malformed'],
    'an answer that nobody asked for': [answer(9), 'malformed'],
    'an answer without an id': ['{"jsonrpc":"2.0","result":{}}', 'malformed'],
    'an answer to nobody': ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}', 'malformed'],
    'a line that is too long': ['x'.repeat(MAX + 1), 'oversize'],
  };
  for (const [what, [line, fault]] of Object.entries(ending)) {
    it(`ends with the connection over ${what}`, async () => {
      const { connection, say } = scripted();
      const both = Promise.all([
        connection.exchange(request(1, 'one'), never),
        connection.exchange(request(2, 'two'), never),
      ]);
      await turn();
      say(line, answer(1), answer(2));
      expect(await both).to.deep.equal([failed(fault), failed(fault)]);
      expect(await connection.exchange(request(3, 'three'), never)).to.deep.equal(failed('closed', false));
    });
  }

  it('that is the first is told what the server said before it was asked anything, and a later one that it is gone', async () => {
    for (const [line, fault] of [
      ['x'.repeat(MAX + 1), 'oversize'],
      ['Listening on port 80', 'malformed'],
    ] as const) {
      const { connection, say } = scripted();
      say(line);
      await turn();
      await turn();
      expect(await connection.exchange(request(1, 'one'), never)).to.deep.equal(failed(fault, false));
      expect(await connection.exchange(request(2, 'two'), never)).to.deep.equal(failed('closed', false));
    }
  });

  it('ends where the output of the server ends, after what it said before', async () => {
    const { connection, say, out } = scripted();
    const both = Promise.all([
      connection.exchange(request(1, 'one'), never),
      connection.exchange(request(2, 'two'), never),
    ]);
    await turn();
    say(answer(1));
    out.end('{"jsonrpc":"2.0","id":2,"resu');
    expect(await both).to.deep.equal([answered(answer(1)), failed('broken')]);
  });

  it('ends with the connection over an answer to what was not written yet', async () => {
    const { connection, say, said } = scripted({ isStuck: true });
    const both = Promise.all([
      connection.exchange(request(1, 'one'), never),
      connection.exchange(request(2, 'two'), never),
    ]);
    await turn();
    say(answer(2));
    expect(await both).to.deep.equal([failed('malformed'), failed('malformed', false)]);
    expect(said).to.deep.equal(['one\n']);
  });

  it('ends alone over a flood of its own progress', async () => {
    const { connection, say, said } = scripted();
    const both = Promise.all([
      connection.exchange(request(1, 'one'), never),
      connection.exchange(request(2, 'two'), never),
    ]);
    await turn();
    for (let sent = 0; sent <= MAX; sent += 1_000_000) say(progress(1, 1_000_000));
    await turn();
    say(answer(1), answer(2));
    expect(await both).to.deep.equal([failed('oversize'), answered(answer(2))]);
    await turn();
    expect(said.at(-1)).to.include('"requestId":1');
  });

  it('ends with the connection over a flood that belongs to nobody, which each answer begins anew', async () => {
    const { connection, say } = scripted();
    const all = Promise.all([1, 2, 3].map((id) => connection.exchange(request(id, 'x'), never)));
    await turn();
    say(
      progress(9, 1_500_000),
      answer(1),
      progress(9, 1_500_000),
      answer(2),
      progress(9, 1_500_000),
      progress(9, 1_000_000),
      answer(3),
    );
    expect(await all).to.deep.equal([answered(answer(1)), answered(answer(2)), failed('oversize')]);
  });

  it('counts its progress and its answer together', async () => {
    const { connection, say } = scripted();
    const exchanged = connection.exchange(request(1, 'one'), never);
    await turn();
    say(progress(1, 1_500_000), answer(1, `"a":"${'x'.repeat(1_000_000)}"`));
    expect(await exchanged).to.deep.equal(failed('oversize'));
  });

  it('is given up: the server is told, and its late answer is dropped', async () => {
    const { connection, say, said } = scripted();
    const stop = new AbortController();
    const exchanged = connection.exchange(request(1, 'one'), stop.signal);
    await turn();
    stop.abort();
    expect(await exchanged).to.deep.equal(failed('cancelled'));
    await turn();
    expect(said).to.deep.equal([
      'one\n',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"svc","version":"1"},"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"reason":"the caller no longer waits","requestId":1}}\n',
    ]);
    const next = connection.exchange(request(2, 'two'), never);
    await turn();
    say(answer(1), answer(2));
    expect(await next).to.deep.equal(answered(answer(2)));
  });

  it("answers a given up request once: a second late answer is nobody's", async () => {
    const { connection, say } = scripted();
    const stop = new AbortController();
    void connection.exchange(request(1, 'one'), stop.signal);
    const other = connection.exchange(request(2, 'two'), never);
    await turn();
    stop.abort();
    say(answer(1), answer(1));
    expect(await other).to.deep.equal(failed('malformed'));
  });

  it('is told apart from one whose time was over', async () => {
    const { connection } = scripted();
    expect(await connection.exchange(request(1, 'one'), AbortSignal.timeout(1))).to.deep.equal(failed('timeout'));
  });

  it('given up before it was written is never sent; half written it ends the connection', async () => {
    const { connection, said, free } = scripted({ isStuck: true });
    const [first, second] = [new AbortController(), new AbortController()];
    const exchanges: Promise<Exchanged>[] = [
      connection.exchange(request(1, 'one'), first.signal),
      connection.exchange(request(2, 'two'), second.signal),
      connection.exchange(request(3, 'three'), never),
    ];
    second.abort();
    expect(await exchanges[1]).to.deep.equal(failed('cancelled', false));
    first.abort();
    expect(await exchanges[0]).to.deep.equal(failed('cancelled'));
    expect(await exchanges[2]).to.deep.equal(failed('broken', false));
    free();
    await turn();
    expect(said).to.deep.equal(['one\n']);
  });

  it('is not begun beyond 128 others, beyond its bytes or once it was given up', async () => {
    const { connection, say } = scripted();
    const running = Array.from({ length: 128 }, (_, at) => connection.exchange(request(at + 1, 'x'), never));
    expect(await connection.exchange(request(200, 'x'), never)).to.deep.equal(failed('busy', false));
    await turn();
    say(answer(1));
    await running[0];
    expect(await connection.exchange(request(201, 'x'), AbortSignal.abort())).to.deep.equal(failed('cancelled', false));
    expect(await connection.exchange(request(202, 'x'.repeat(1_048_568)), never)).to.deep.equal(
      failed('oversize', false),
    );
    const last = connection.exchange(request(203, 'x'.repeat(1_048_567)), never);
    await turn();
    say(answer(203));
    expect(await last).to.deep.equal(answered(answer(203)));
    expect(await connection.close()).to.equal(true);
    expect(await running[1]).to.deep.equal(failed('broken'));
  });
});
