/** What goes wrong around a session, and what is left of it (code-mode.md §5, §7). */
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../conformance/until.ts';
import { Client, MODERN, SVC, textOf } from './client.ts';
import { Folder, toolServer } from './folder.ts';
import { ended, pidsIn, tracesOf } from './processes.ts';

describe('svc code, faults', () => {
  const folder = new Folder();
  const off = ['--approvals', 'off'];

  async function ready(client: Client, tool: string): Promise<void> {
    await until(`${tool} is there`, async () =>
      textOf(await client.tool('describe', { names: [tool] })).includes('"unknown":true') ? undefined : true,
    );
  }

  /** An application with some limits, and its host document. */
  function writeApplication(limits: object, host: object = {}): void {
    folder.write(
      'svc.json',
      JSON.stringify({
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: { default: {} },
        input: { value: {} },
        limits,
      }),
    );
    folder.write('main.clj', '(ns main)\n(defn run [input] input)\n');
    folder.write('host.json', JSON.stringify({ install: {}, ...host }));
  }

  it('a failing tool is a value under tool, and raised under tool! with what the server says (40)', async () => {
    const client = new Client(folder.path, ['--import', folder.imports({ hub: toolServer() }), ...off]);
    await ready(client, 'hub.refuse');
    const value = await client.run('(:reason (tool/hub.refuse {:text "out of stock"}))');
    expect(value).to.have.nested.property('structuredContent.value', 'domain_error');
    const raised = textOf(await client.run('(def a 1)\n(tool!/hub.refuse {:text "out of stock"})'));
    expect(raised).to.match(
      /^tool_error: tool\/hub\.refuse failed \(provider_error, domain_error\): .*out of stock.*\(2:1\)/,
    );
    expect(raised).to.include('1 call was made before it (hub.refuse 1, 1 failed); definitions are unchanged');
    const caught = '(try (tool!/hub.refuse {:text "no"}) (catch Exception e (:reason (:error (ex-data e)))))';
    expect(await client.run(caught)).to.have.nested.property('structuredContent.value', 'domain_error');
    expect(textOf(await client.run('(tool!/hub.refus {})'))).to.match(/did you mean tool!\/hub\.refuse/);
    expect(await client.end()).to.equal(0);
  });

  it('approvals that are off are told of, on standard error and in each trace; refuse asks nobody (43)', async () => {
    const evidence = join(folder.path, 'evidence');
    const client = new Client(folder.path, ['--artifacts', evidence, ...off]);
    await client.run('1');
    expect(await client.end()).to.equal(0);
    expect(client.stderr).to.match(/approvals are off/);
    expect(tracesOf(evidence)).to.have.lengthOf(1);
    expect(tracesOf(evidence)[0]).to.include('"approvals":"off"');
    const file = folder.imports({ hub: toolServer() });
    const refusing = new Client(folder.path, ['--import', file, '--approvals', 'refuse']);
    await ready(refusing, 'hub.write');
    const path = join(folder.path, 'written');
    expect(await refusing.run(`(:reason (tool/hub.write {:path ${JSON.stringify(path)}}))`)).to.have.nested.property(
      'structuredContent.value',
      'approval_unavailable',
    );
    expect(existsSync(path)).to.equal(false);
    expect(await refusing.end()).to.equal(0);
  });

  it('a tool that only reads is called without a person where annotations are believed (41)', async () => {
    const file = folder.imports({ hub: toolServer() });
    for (const [options, reason] of [
      [['--approvals', 'refuse'], 'approval_unavailable'],
      [['--approvals', 'refuse', '--trust-annotations'], null],
    ] as const) {
      const client = new Client(folder.path, ['--import', file, ...options]);
      await ready(client, 'hub.read-only');
      expect(await client.run('(:reason (tool/hub.read-only {}))')).to.have.nested.property(
        'structuredContent.value',
        reason,
      );
      expect(await client.end()).to.equal(0);
    }
  });

  it('a session that is full says what fills it and how to empty it (36)', async () => {
    const client = new Client(folder.path, []);
    await client.run('(def small 1)\n(def medium (vec (range 100000)))');
    const full = textOf(await client.run('(def huge (mapv #(str "a text of its own " %) (range 4000000)))\n1'));
    expect(full)
      .to.match(/^memory_exceeded: the program and what earlier ones left \(\d+ bytes\) needed more memory than /)
      .and.include(
        'evaluation_heap_words allows (1250000 words, set in the limits of the application, up to those of its host)',
      )
      .and.match(
        /"reset": true; the largest definitions: medium \(\d{6} bytes\), \*1, \*2 and \*3 \(\d+ bytes\), small \(\d+ bytes\)\n/,
      );
    const stored = await client.run('[small (count medium)]');
    expect(stored).to.have.nested.property('structuredContent.value').that.deep.equals([1, 100_000]);
    expect(await client.end()).to.equal(0);
  });

  it('of a program that cannot be kept the largest definitions are named as well (36)', async () => {
    writeApplication({ evaluation_memory_bytes: 20_000 });
    const client = new Client(folder.path, ['svc.json', '--host-config', 'host.json']);
    await client.run('(def medium (vec (range 1000)))');
    expect(textOf(await client.run('(def large (vec (range 5000)))')))
      .to.match(/^memory_exceeded: the definitions are larger than the 20000 bytes that a session may keep/)
      .and.match(/the largest definitions: large \(\d+ bytes\), medium \(\d+ bytes\)\n/);
    expect(await client.end()).to.equal(0);
  });

  it('a loop, a heap and a flood of prints name the limit, its value and who sets it', async () => {
    writeApplication({ evaluation_loop_iterations: 1000 }, { limits: { evaluation_loop_iterations: 2000 } });
    const client = new Client(folder.path, ['svc.json', '--host-config', 'host.json']);
    const who = 'set in the limits of the application, up to those of its host';
    expect(textOf(await client.run('(loop [] (recur))')))
      .to.match(/^loop_limit_exceeded: .*\b1000\b/)
      .and.include(`evaluation_loop_iterations is ${who}`);
    const heap = `evaluation_heap_words allows (1250000 words, ${who})`;
    expect(textOf(await client.run('(count (mapv #(str "a text " %) (range 10000000)))'))).to.include(heap);
    expect(textOf(await client.run('(run! #(println "a line of text" %) (range 10000000))'))).to.include(heap);
    const fixed = 'no limit of the application or its host changes it';
    expect(textOf(await client.run('(defn deeper [x] (+ 1 (deeper x))) (deeper 1)'))).to.include(fixed);
    expect(textOf(await client.run('(loop [text "x"] (recur (str text text)))'))).to.include(fixed);
    expect(textOf(await client.tool('run', { program: '(reduce + (range))', timeout_ms: 300 }))).to.match(
      /^timeout: the program took longer than the 300 ms that its call asked for\nremedy: .*evaluation_timeout_ms/,
    );
    expect(await client.end()).to.equal(0);
  });

  it('the time of a run, and a quota of calls, say who sets them', async () => {
    writeApplication({ run_duration_ms: 3000, mission_capability_calls_per_name: 2 });
    const file = folder.imports({ hub: toolServer() });
    const client = new Client(folder.path, ['svc.json', '--host-config', 'host.json', '--import', file, ...off]);
    await ready(client, 'hub.echo');
    const who = 'set in the limits of the application, up to those of its host';
    expect(textOf(await client.run('(dotimes [_ 3] (tool!/hub.echo {}))'))).to.match(
      new RegExp(`\nremedy: make fewer calls in one program: mission_capability_calls_per_name is ${who}\n`),
    );
    expect(textOf(await client.run('(reduce + (range))'))).to.match(
      new RegExp(
        `^timeout: the program took longer than the 3000 ms that its run may take \\(run_duration_ms, ${who}\\)`,
      ),
    );
    expect(await client.end()).to.equal(0);
  });

  it('--check shows what servers offer, and the last words of one that did not start', () => {
    const secret = 'a-secret-of-the-server';
    const file = folder.imports({
      good: toolServer(),
      bad: toolServer(['--fail', '--say', `${'x'.repeat(4000)} the end ${secret}`], { env: { TOKEN: secret } }),
    });
    const { stdout, stderr, status } = spawnSync(SVC, ['code', '--import', file, '--check'], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    expect(status).to.equal(4);
    expect(stdout)
      .to.match(/^server +state +tools +tokens +effect\n/)
      .and.match(/\ngood +ready +8 +\d+ +write 8, ask 8\n/)
      .and.match(/\nbad +unready +0 +0 +\S/)
      .and.match(/bad wrote on its standard error:\n.*x the end \[redacted\]\n/)
      .and.not.include(secret);
    expect(stderr).to.match(/provider_unavailable/);
    const words = /standard error:\n(.*)\n/.exec(stdout)?.[1] ?? '';
    expect(words.length).to.be.within(1900, 2060);
    const fine = spawnSync(SVC, ['code', '--import', folder.imports({ good: toolServer() }), '--check'], {
      cwd: folder.path,
    });
    expect(fine.status).to.equal(0);
  });

  it('evidence without a project is found in its directory, by runs and explain (46)', async () => {
    const svc = (argv: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(SVC, argv, {
        cwd: folder.path,
        encoding: 'utf8',
        env: { ...process.env, XDG_STATE_HOME: join(folder.path, 'state') },
      });
      return { status, stdout, stderr };
    };
    expect(svc(['runs', '--json']))
      .to.include({ status: 2 })
      .and.have.property('stderr')
      .that.includes('PROJECT');
    const client = new Client(folder.path, []);
    const refs: string[] = [];
    for (const program of ['(+ 1 2)', '(* 6 7)'])
      refs.push(String(Object(Object(await client.run(program))['structuredContent'])['run_ref']));
    expect(await client.end()).to.equal(0);
    const { runs }: { readonly runs: readonly object[] } = JSON.parse(svc(['runs', '--json']).stdout);
    expect(runs.map((run) => Reflect.get(run, 'run_ref'))).to.deep.equal(refs.toReversed());
    for (const word of ['latest', refs[1] ?? 'no reference']) {
      const { status, stdout, stderr } = svc(['explain', word]);
      expect(status, stderr).to.equal(0);
      expect(stdout).to.include(refs[1] ?? 'no reference');
    }
  });

  it('evidence without a project is kept to 256 MiB, the oldest runs first', async () => {
    const first = new Client(folder.path, []);
    await first.run('1');
    expect(await first.end()).to.equal(0);
    const root = join(folder.path, 'state/svc/code', readdirSync(join(folder.path, 'state/svc/code'))[0] ?? '');
    const [old = ''] = readdirSync(join(root, 'traces'));
    truncateSync(join(root, 'traces', old), 300_000_000);
    // What changed just now may still be written.
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) utimesSync(join(root, name), 1, 1);
    const second = new Client(folder.path, []);
    const answer = await second.run('2');
    expect(await second.end()).to.equal(0);
    const { run_ref: runRef }: { readonly run_ref?: string } = Object(answer['structuredContent']);
    const left = readdirSync(join(root, 'traces'));
    expect(left).to.have.lengthOf(1);
    expect(left[0]).to.include(runRef);
  });

  it('a handshake waits for no server (2), and stdout has the protocol alone whatever servers write (3)', async () => {
    const file = folder.imports({
      hangs: toolServer(['--hang', '--say', 'chatter\n']),
      dies: toolServer(['--fail', '--say', 'oops\n']),
    });
    const client = new Client(folder.path, ['--import', file]);
    const { result } = await client.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {} });
    expect(result).to.include({ protocolVersion: '2025-06-18' });
    expect(await client.run('(+ 1 2)')).to.have.nested.property('structuredContent.value', 3);
    const { structuredContent } = await client.tool('search', { query: '' });
    expect(structuredContent)
      .to.have.property('unready')
      .that.has.deep.members([
        { server: 'hangs', reason: 'it is starting' },
        ...Object(structuredContent).unready.filter(({ server }: { readonly server: string }) => server === 'dies'),
      ]);
    expect(await client.end()).to.equal(0);
    for (const line of client.lines) expect(JSON.parse(line)).to.include({ jsonrpc: '2.0' });
  });

  it('a bad line, one of 2 MiB and a byte, and a key twice are refused, and the connection lives (4)', async () => {
    const client = new Client(folder.path, []);
    const padding = 2_097_152 - '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":""}}'.length;
    const line = (bytes: number): string =>
      `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"${'x'.repeat(bytes)}"}}`;
    expect((await client.send(line(padding), 7)).result).to.deep.equal({});
    for (const bad of [line(padding + 1), '[]x', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', '\u0000'])
      expect((await client.send(bad, null)).error).to.include({ code: -32_700 });
    expect((await client.ask('ping')).result).to.deep.equal({});
    expect(await client.end()).to.equal(0);
  });

  it('progress is told with a token alone, and rises (8)', async () => {
    const client = new Client(folder.path, ['--import', folder.imports({ hub: toolServer() }), ...off]);
    await ready(client, 'hub.echo');
    const program = '(dotimes [i 3] (tool/hub.echo {}))';
    await client.ask('tools/call', { name: 'run', arguments: { program } });
    expect(client.lines.join('\n')).not.to.include('notifications/progress');
    await client.ask('tools/call', { name: 'run', arguments: { program }, _meta: { ...MODERN, progressToken: 'p' } });
    const reported = client.lines.map((line) => JSON.parse(line)).filter(({ method }) => method !== undefined);
    expect(reported.map(({ params }) => [params.progressToken, params.progress])).to.deep.equal([
      ['p', 1],
      ['p', 2],
      ['p', 3],
    ]);
    expect(await client.end()).to.equal(0);
  });

  it('a call that is cancelled ends, in a loop and in a tool, and leaves definitions as they were (7)', async () => {
    const client = new Client(folder.path, ['--import', folder.imports({ hub: toolServer() }), ...off]);
    await ready(client, 'hub.hold');
    await client.run('(def a 1)');
    const called = (at: number): string => join(folder.path, `called-${at}`);
    const path = (at: number): string => `{:path ${JSON.stringify(called(at))}}`;
    const programs = [
      `(def a 2) (tool/hub.hold ${path(0)})`,
      `(def a 3) (tool/hub.write ${path(1)}) (loop [] (recur))`,
    ];
    for (const [index, program] of programs.entries()) {
      const id = `cancelled-${index}`;
      const call = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'run', arguments: { program } } };
      client.child.stdin.write(`${JSON.stringify(call)}\n`);
      await until('its call has come', () => (existsSync(called(index)) ? true : undefined));
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
      client.child.stdin.write(`${JSON.stringify(cancel)}\n`);
      expect(await client.run('a')).to.have.nested.property('structuredContent.value', 1);
    }
    expect(client.lines.join('\n')).not.to.include('cancelled-');
    expect(await client.end()).to.equal(0);
  });

  it('a server that is lost is started again, and the others go on', async () => {
    const file = folder.imports({ hub: toolServer(), other: toolServer() });
    const client = new Client(folder.path, ['--import', file, ...off]);
    await ready(client, 'hub.leave');
    await ready(client, 'other.echo');
    await client.run('(tool/hub.leave {})');
    expect(await client.run('(:status (tool/other.echo {}))')).to.have.nested.property('structuredContent.value', 'ok');
    const reasons = new Set<unknown>();
    for (;;) {
      const answer = await client.run('(let [r (tool/hub.echo {})] (or (:reason r) (:status r)))');
      const { value }: { readonly value?: unknown } = Object(answer['structuredContent']);
      reasons.add(value);
      if (value === 'ok') break;
    }
    expect([...reasons]).to.deep.equal(['unavailable', 'ok']);
    expect(await client.end()).to.equal(0);
  });

  it('a signal ends it, twice the signal as well, and nothing lives on (6)', async () => {
    for (const times of [1, 2]) {
      const pids = join(folder.path, `pids-${times}`);
      const file = folder.imports({ hub: toolServer(['--pids', pids]) });
      const client = new Client(folder.path, ['--import', file, ...off]);
      await ready(client, 'hub.wait');
      for (let at = 0; at < times; at += 1) client.child.kill('SIGTERM');
      await client.ended;
      expect(await ended(pidsIn(pids))).to.deep.equal([]);
    }
  });

  it('where evidence cannot be written the value is given, and the answer says so (47)', async () => {
    const client = new Client(folder.path, []);
    await client.run('1');
    const root = join(folder.path, 'state/svc/code', readdirSync(join(folder.path, 'state/svc/code'))[0] ?? '');
    spawnSync('rm', ['-r', join(root, 'traces')]);
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, 'traces'), 'in the way');
    expect(await client.run('(+ 1 2)'))
      .to.have.property('structuredContent')
      .that.deep.includes({
        value: 3,
        evidence: 'not_written',
      });
    expect(await client.end()).to.equal(0);
    writeFileSync(join(folder.path, 'evidence'), 'in the way');
    const required = new Client(folder.path, ['--artifacts', join(folder.path, 'evidence')]);
    expect(textOf(await required.run('(+ 1 2)'))).to.match(/^\w+: .*\nno call was made/);
    expect(await required.end()).to.equal(0);
  });
});
