/**
 * Calls of tools that may write are on record before they begin and before they are answered (gateway.md §11, §12,
 * §15).
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd, start } from '../../../conformance/cli/program.ts';
import { removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { LOOK_UP, call, discover, listing, textResult } from '../../../conformance/tools/room.ts';
import { until } from '../../../conformance/until.ts';
import { ENVIRONMENT, TOKEN, firstLine, freePort, gatewayDirectory, messagesOf, modern } from './gateway.ts';
import { ASK, WRITING, callTool, auditOf, audited } from './writing.ts';

const SECRET = 'sk-argument-0815-4711';

describe('the audit of a gateway', () => {
  it('has an intent and an outcome of each call that may write, and nothing of what was said', async () => {
    const gateway = await audited();
    const end = (await messagesOf(await callTool(gateway, 'act', `(do "${SECRET}" ${ASK})`))).at(-1);
    expect(end).to.deep.nested.include({
      'result.isError': false,
      'result._meta.svc/call.effects': 'write_possible',
      'result._meta.svc/call.retry': 'unsafe',
    });
    await (await callTool(gateway, 'echo', SECRET)).text();
    const records = auditOf(gateway.directory);
    expect(records.map(({ record }) => record)).to.deep.equal(['intent', 'outcome']);
    const [intent, outcome] = records;
    const { call_id: id, run_ref: run } = Object(intent);
    expect(id).to.match(/^[0-9a-f]{32}$/);
    expect(end).to.have.nested.property('result._meta.svc/call.run_ref', run);
    expect(intent).to.include({
      tool_name: 'act',
      principal: 'gateway',
      dispatch_state: 'false',
      write_effects_may_have_occurred: false,
      disconnected: false,
      cleanup_status: 'complete',
    });
    expect(outcome).to.include({
      call_id: id,
      run_ref: run,
      outcome_code: 'success',
      dispatch_state: 'true',
      write_effects_may_have_occurred: true,
      disconnected: false,
      cleanup_status: 'complete',
    });
    const files = readdirSync(join(gateway.directory, 'audit'));
    for (const name of files) expect(statSync(join(gateway.directory, 'audit', name)).mode & 0o777).to.equal(0o600);
    const text = files.map((name) => readFileSync(join(gateway.directory, 'audit', name), 'utf8')).join('');
    for (const secret of [SECRET, TOKEN, 'Oslo', '127.0.0.1']) expect(text).not.to.include(secret);
    expect(
      await gateway.stop((directory) => {
        expect(readdirSync(join(directory, 'audit'))).to.not.include('lock');
      }),
    ).to.include({ status: 0, stderr: '' });
  });

  const BESIDE_A_CALL = {
    disconnected: true,
    outcome_code: 'cancelled',
    dispatch_state: 'unknown',
    write_effects_may_have_occurred: true,
  };
  const BEFORE_ANY = {
    disconnected: true,
    outcome_code: 'cancelled',
    dispatch_state: 'true',
    write_effects_may_have_occurred: false,
  };
  for (const [when, value, reached, expected] of [
    ['while its tool was at work', ASK, 'tools/call', BESIDE_A_CALL],
    ['while it computed', '(loop [n 0] (recur (inc n)))', '', BEFORE_ANY],
    [
      'while it computed what it caught',
      `(try ${ASK} (catch Exception e (loop [n 0] (recur (inc n)))))`,
      'tools/call',
      BESIDE_A_CALL,
    ],
  ] as const) {
    it(`says of a run whose client went ${when} that it was cancelled, as the figures do`, async () => {
      const port = await freePort();
      const waits = {
        'script.json': {
          steps: [discover(), listing(LOOK_UP), call({ waitsForCancel: true, result: textResult('late') })],
        },
      };
      const gateway = await audited({ files: waits }, ['--metrics', String(port)]);
      const going = new AbortController();
      const called = await fetch(gateway.url, {
        ...modern('tools/call', { name: 'act', arguments: { value } }),
        signal: going.signal,
      });
      await until('its call', () =>
        readFileSync(join(gateway.directory, 'log'), 'utf8').includes(reached) ? true : undefined,
      );
      going.abort();
      expect(await called.text().catch(() => 'gone')).to.equal('gone');
      const outcome = await until('its outcome', () =>
        auditOf(gateway.directory).find(({ record }) => record === 'outcome'),
      );
      expect(outcome).to.include(expected);
      const figures = await until('its figure', async () => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        return text.includes('svc_gateway_run_seconds_count') ? text : undefined;
      });
      expect(figures).to.match(/^svc_gateway_run_seconds_count\{tool="act",outcome="cancelled"\} 1$/m);
      expect((await gateway.stop()).status).to.equal(0);
    });
  }

  it('is of one gateway at a time; the next one takes over what a killed one left, and says what it does not know', async () => {
    const waits = {
      'script.json': {
        steps: [discover(), listing(LOOK_UP), call({ waitsForCancel: true, result: textResult('late') })],
      },
    };
    const gateway = await audited({ files: waits });
    const { directory } = gateway;
    const other = JSON.parse(readFileSync(join(directory, 'gateway.json'), 'utf8'));
    writeFileSync(
      join(directory, 'other.json'),
      JSON.stringify({
        ...other,
        listen: { ...other.listen, port: other.listen.port === 65535 ? 65534 : other.listen.port + 1 },
      }),
    );
    const second = await runToEnd({ argv: ['gateway', 'other.json'], directory, environment: ENVIRONMENT });
    expect([second.status, firstLine(second.stderr)]).to.deep.equal([78, '{"error":"audit_unavailable"}\n']);
    const cut = callTool(gateway, 'act', ASK)
      .then(async (response) => response.text())
      .catch(() => 'cut');
    await until('its call', () =>
      readFileSync(join(directory, 'log'), 'utf8').includes('tools/call') ? true : undefined,
    );
    gateway.child.kill('SIGKILL');
    expect(await cut).to.equal('cut');
    expect(auditOf(directory).map(({ record }) => record)).to.deep.equal(['intent']);
    const { child, ended } = start({
      argv: ['gateway', 'gateway.json'],
      directory,
      environment: ENVIRONMENT,
      options: { timeout: 0 },
    });
    let output = '';
    child.stdout?.on('data', (text: string) => {
      output += text;
    });
    await until('the next one is ready', () => (output.includes('\n') ? true : undefined));
    expect(auditOf(directory)[1]).to.include({
      call_id: auditOf(directory)[0]?.['call_id'],
      record: 'outcome',
      outcome_code: 'unknown',
      dispatch_state: 'unknown',
      write_effects_may_have_occurred: true,
      cleanup_status: 'uncertain',
    });
    child.kill('SIGTERM');
    expect((await ended).status).to.equal(0);
    removeWorkDirectory(directory);
  });

  it('that cannot be written fences what may write, and nothing else', async () => {
    const gateway = await audited();
    expect((await messagesOf(await callTool(gateway, 'act', ASK))).at(-1)).to.have.nested.property(
      'result.isError',
      false,
    );
    rmSync(join(gateway.directory, 'audit'), { recursive: true });
    for (let time = 0; time < 2; time += 1) {
      const refused = await callTool(gateway, 'act', ASK);
      expect([refused.status, Object(await refused.json()).error.data.reason]).to.deep.equal([503, 'writes_fenced']);
    }
    expect(readFileSync(join(gateway.directory, 'log'), 'utf8').match(/tools\/call/g)).to.have.length(1);
    expect((await fetch(new URL('/health/ready', gateway.url))).status).to.equal(503);
    expect((await messagesOf(await callTool(gateway, 'echo', 'a'))).at(-1)).to.deep.nested.include({
      'result.structuredContent.value': 'a',
    });
    expect((await gateway.stop()).status).to.equal(70);
  });

  it('ends the gateway with --exit-on-fence', async () => {
    const gateway = await audited({}, ['--exit-on-fence']);
    await (await callTool(gateway, 'act', ASK)).text();
    rmSync(join(gateway.directory, 'audit'), { recursive: true });
    await (await callTool(gateway, 'act', ASK)).text();
    expect((await gateway.ended).status).to.equal(70);
    removeWorkDirectory(gateway.directory);
  });

  const files = (directory: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      readdirSync(join(directory, 'audit'))
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => [name, readFileSync(join(directory, 'audit', name), 'utf8')])
        .filter(([, text]) => text !== ''),
    );

  /** One that was killed in a call that may write; its directory, with all that it left. */
  async function killed(): Promise<string> {
    const gateway = await audited({
      files: {
        'script.json': {
          steps: [discover(), listing(LOOK_UP), call({ waitsForCancel: true, result: textResult('late') })],
        },
      },
    });
    const keyed = modern(
      'tools/call',
      { name: 'act', arguments: { value: ASK } },
      { meta: { 'svc/idempotency_key': 'k' } },
    );
    const cut = fetch(gateway.url, keyed)
      .then(async (response) => response.text())
      .catch(() => 'cut');
    await until('its call', () =>
      readFileSync(join(gateway.directory, 'log'), 'utf8').includes('tools/call') ? true : undefined,
    );
    gateway.child.kill('SIGKILL');
    expect(await cut).to.equal('cut');
    await gateway.ended;
    return gateway.directory;
  }

  const holdPort = async (port: number): Promise<() => Promise<void>> => {
    const holder = createServer();
    await new Promise<void>((resolve) => {
      holder.listen(port, '127.0.0.1', resolve);
    });
    return async () =>
      new Promise((resolve) => {
        holder.close(() => {
          resolve();
        });
      });
  };
  const FAILURES: readonly (readonly [
    code: string,
    fail: (directory: string) => Promise<() => Promise<void>>,
    environment: Readonly<Record<string, string>>,
  ])[] = [
    [
      'listener_unavailable',
      async (directory) => holdPort(JSON.parse(readFileSync(join(directory, 'gateway.json'), 'utf8')).listen.port),
      ENVIRONMENT,
    ],
    ['credential_unavailable', async () => async () => undefined, {}],
    [
      'provider_runtime_unavailable',
      async (directory) => {
        const script = readFileSync(join(directory, 'script.json'), 'utf8');
        writeFileSync(join(directory, 'script.json'), 'broken');
        return async () => {
          writeFileSync(join(directory, 'script.json'), script);
        };
      },
      ENVIRONMENT,
    ],
  ];
  it('loses nothing by starts that fail, and the next that serves knows what was left', async () => {
    const directory = await killed();
    const before = files(directory);
    expect(Object.keys(before)).to.have.length(2);
    for (const [code, fail, environment] of FAILURES) {
      const undo = await fail(directory);
      // As many in all as would have pushed out every file.
      for (let time = 0; time < 2; time += 1) {
        const { status, stderr } = await runToEnd({ argv: ['gateway', 'gateway.json'], directory, environment });
        expect([status, firstLine(stderr)]).to.deep.equal([78, `{"error":"${code}"}\n`]);
        expect(files(directory), code).to.deep.equal(before);
      }
      await undo();
    }
    const { child, ended } = start({
      argv: ['gateway', 'gateway.json'],
      directory,
      environment: ENVIRONMENT,
      options: { timeout: 0 },
    });
    let output = '';
    child.stdout?.on('data', (text: string) => {
      output += text;
    });
    await until('it is ready', () => (output.includes('\n') ? true : undefined));
    expect(auditOf(directory).map(({ outcome_code: outcome }) => outcome)).to.deep.equal([undefined, 'unknown']);
    child.kill('SIGTERM');
    expect((await ended).status).to.equal(0);
    removeWorkDirectory(directory);
  });

  it('loses nothing to gateways that serve and record nothing', async () => {
    const gateway = await audited();
    await (await callTool(gateway, 'act', ASK)).text();
    const { directory } = gateway;
    gateway.child.kill('SIGTERM');
    await gateway.ended;
    const before = files(directory);
    for (let time = 0; time < 4; time += 1) {
      const { child, ended } = start({
        argv: ['gateway', 'gateway.json'],
        directory,
        environment: ENVIRONMENT,
        options: { timeout: 0 },
      });
      let output = '';
      child.stdout?.on('data', (text: string) => {
        output += text;
      });
      await until('it is ready', () => (output.includes('\n') ? true : undefined));
      child.kill(time % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
      await ended;
    }
    expect(files(directory)).to.deep.include(before);
    removeWorkDirectory(directory);
  });

  it('is looked at before anything listens', async () => {
    const { directory } = await gatewayDirectory(WRITING);
    const starts = async (): Promise<unknown> => {
      const { status, stderr } = await runToEnd({
        argv: ['gateway', 'gateway.json'],
        directory,
        environment: ENVIRONMENT,
      });
      return [status, firstLine(stderr)];
    };
    expect(await starts()).to.deep.equal([78, '{"error":"audit_unavailable"}\n']);
    mkdirSync(join(directory, 'audit'), { mode: 0o755 });
    expect(await starts()).to.deep.equal([78, '{"error":"audit_unavailable"}\n']);
    removeWorkDirectory(directory);
  });
});
