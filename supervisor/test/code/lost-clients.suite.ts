/** Clients that go away, hang or send what is no protocol: what is left of their session (code-mode.md §1, §5, §7). */
import { expect } from 'chai';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../conformance/until.ts';
import { Client, textOf } from './client.ts';
import { Folder, toolServer } from './folder.ts';
import { descendantsOf, ended, pidsIn, tracesOf } from './processes.ts';

describe('svc code, clients that are lost', () => {
  const folder = new Folder();
  const path = (name: string): string => join(folder.path, name);

  async function started(): Promise<Client> {
    const file = folder.imports({ hub: toolServer(['--pids', path('pids')]) });
    const client = new Client(folder.path, ['--import', file, '--artifacts', path('evidence'), '--approvals', 'off']);
    await until('the server is there', async () =>
      textOf(await client.tool('describe', { names: ['hub.hold'] })).includes('"unknown":true') ? undefined : true,
    );
    return client;
  }

  function write(client: Client, id: string, program: string): void {
    const params = { name: 'run', arguments: { program } };
    client.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
  }

  const pendingCount = (): number =>
    existsSync(path('held')) ? readFileSync(path('held'), 'utf8').split('\n').length - 1 : 0;
  const hold = (): string => `(tool/hub.hold {:path ${JSON.stringify(path('held'))}})`;

  /** A session with one run that is over, and one whose call has been sent. */
  async function inACall(): Promise<Client> {
    const client = await started();
    await client.run('(+ 1 2)');
    write(client, 'held', hold());
    await until('the call is dispatched', () => (pendingCount() > 0 ? true : undefined));
    return client;
  }

  /** Every process of a session; the isolate host and the server are two of them at least. */
  function processesOf(client: Client): readonly number[] {
    const found = descendantsOf(client.child.pid ?? 0);
    expect(found).to.have.lengthOf.at.least(2);
    return [...new Set([...found, ...pidsIn(path('pids'))])];
  }

  const STOPPED = /"run-stopped"/;

  const WAYS: readonly {
    readonly name: string;
    readonly leave: (client: Client) => void;
    readonly status: number | null;
  }[] = [
    { name: 'ends its input', leave: ({ child }) => child.stdin.end(), status: 0 },
    { name: 'ends its input in the middle of a line', leave: ({ child }) => child.stdin.end('{"jsonrpc":'), status: 0 },
    { name: 'sends SIGTERM', leave: ({ child }) => child.kill('SIGTERM'), status: 143 },
    { name: 'sends SIGINT', leave: ({ child }) => child.kill('SIGINT'), status: 130 },
    { name: 'sends SIGHUP', leave: ({ child }) => child.kill('SIGHUP'), status: 129 },
  ];
  for (const { name, leave, status } of WAYS)
    it(`one that ${name} in a call: status ${status}, no process, evidence of both runs (5)`, async () => {
      const client = await inACall();
      const pids = processesOf(client);
      leave(client);
      expect(await client.ended).to.equal(status);
      expect(await ended(pids)).to.deep.equal([]);
      const traces = tracesOf(path('evidence'));
      expect(traces).to.have.lengthOf(2);
      for (const trace of traces) expect(trace).to.match(STOPPED);
      expect(traces.filter((trace) => trace.includes('hub.hold'))).to.have.lengthOf(1);
      expect(client.lines.join('\n')).not.to.include('"held"');
    });

  it('one that is gone with both ends of its pipes, in a call: no process, evidence of both runs', async () => {
    const client = await inACall();
    const pids = processesOf(client);
    client.child.stdout.destroy();
    client.child.stdin.destroy();
    await once(client.child, 'exit');
    expect(await ended(pids)).to.deep.equal([]);
    expect(tracesOf(path('evidence')).filter((trace) => STOPPED.test(trace))).to.have.lengthOf(2);
  });

  it('one that closes the output alone: status 141 at the first answer, no process', async () => {
    const client = await started();
    const pids = processesOf(client);
    client.child.stdout.destroy();
    write(client, 'unheard', '(+ 1 2)');
    const [status]: unknown[] = await once(client.child, 'exit');
    expect(status).to.equal(141);
    expect(await ended(pids)).to.deep.equal([]);
    expect(tracesOf(path('evidence')).every((trace) => STOPPED.test(trace))).to.equal(true);
  });

  it('a session that is killed in a call leaves no process, and the run before it whole', async () => {
    const client = await inACall();
    const pids = processesOf(client);
    client.child.kill('SIGKILL');
    expect(await client.ended).to.equal(null);
    expect(await ended(pids)).to.deep.equal([]);
    expect(tracesOf(path('evidence')).filter((trace) => STOPPED.test(trace))).to.have.lengthOf(1);
  });

  for (const { name, leave, status } of WAYS.filter(({ name: way }) => !way.includes('middle')))
    it(`one that does not read its answers, and ${name}: status ${status}, no process`, async () => {
      const client = await started();
      const pids = processesOf(client);
      client.child.stdout.pause();
      // Far more than a pipe holds. That the last is made shows that what is not read keeps nothing waiting.
      for (let at = 0; at < 64; at += 1) {
        const params = { name: 'search', arguments: { query: 'does something', limit: 50 } };
        client.child.stdin.write(
          `${JSON.stringify({ jsonrpc: '2.0', id: `s-${at}`, method: 'tools/call', params })}\n`,
        );
      }
      for (let at = 0; at < 8; at += 1) write(client, `r-${at}`, '(apply str (repeat 60000 "x"))');
      write(client, 'last', hold());
      await until('the last call is dispatched', () => (pendingCount() > 0 ? true : undefined));
      leave(client);
      const [input]: unknown[] = await once(client.child, 'exit');
      expect(input).to.equal(status);
      expect(await ended(pids)).to.deep.equal([]);
      const traces = tracesOf(path('evidence'));
      expect(traces).to.have.lengthOf(9);
      for (const trace of traces) expect(trace).to.match(STOPPED);
      client.child.stdout.destroy();
    });

  it('one that sends garbage is answered as often, and served after it', async () => {
    const client = await started();
    const garbage = ['garbage', '{', '[]', '"x"', 'null', '\u0000\u0001', '{"jsonrpc":"2.0"}', '{"id":{}}', '\uFFFF'];
    for (const line of garbage) client.child.stdin.write(`${line}\n`);
    client.child.stdin.write(Buffer.from([0xff, 0xfe, 0x0a]));
    expect(await client.run('(+ 1 2)')).to.have.nested.property('structuredContent.value', 3);
    const refused = client.lines.map((line) => JSON.parse(line)).filter(({ error }) => error !== undefined);
    expect(refused).to.have.lengthOf(garbage.length + 1);
    expect(await client.end()).to.equal(0);
  });

  it('half a line waits for its other half', async () => {
    const client = await started();
    const line = JSON.stringify({ jsonrpc: '2.0', id: 'half', method: 'ping' });
    client.child.stdin.write(line.slice(0, 9));
    // Nothing has come of the first half when a run of the same session has: lines are read in order.
    const whole = client.send(line.slice(9), 'half');
    expect((await whole).result).to.deep.equal({});
    expect(await client.end()).to.equal(0);
  });

  for (const [name, program] of [
    ['one call', (call: string) => call],
    [
      'a loop that goes on whatever a call answers',
      (call: string) => `(loop [] (try ${call} (catch Exception e nil)) (recur))`,
    ],
    ['more calls than go at one time', (call: string) => `(doall (pmap (fn [_] ${call}) (range 50)))`],
  ] as const)
    it(`a run that is cancelled in ${name} sends nothing later`, async () => {
      const client = await started();
      write(client, 'cancelled', program(hold()));
      await until('a call is dispatched', () => (pendingCount() > 0 ? true : undefined));
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'cancelled' } };
      client.child.stdin.write(`${JSON.stringify(cancel)}\n`);
      // It begins when that one has ended; its call comes to the server after whatever that one had sent.
      await client.run('(:status (tool/hub.echo {}))');
      const before = pendingCount();
      await client.run('(dotimes [_ 5] (tool/hub.echo {}))');
      expect(pendingCount()).to.equal(before);
      expect(client.lines.join('\n')).not.to.include('"cancelled"');
      expect(await client.end()).to.equal(0);
      expect(pendingCount()).to.equal(before);
    });
});
