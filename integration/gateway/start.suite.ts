import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { runToEnd } from '../../conformance/cli/program.ts';
import { removeWorkDirectory } from '../../conformance/cli/work-directory.ts';
import { ENVIRONMENT, TOKEN, gatewayDirectory, messagesOf, modern, startTestGateway } from './gateway.ts';

const PROGRAM = '(ns main)\n(defn run [input] {:value (get input "value")})\n';
const TOOLS = { echo: { program: PROGRAM }, other: { program: PROGRAM } };
type Document = Readonly<Record<string, unknown>>;

describe('the start of a gateway (gateway.md §1, documents.md §8)', () => {
  let directory: string;
  before(async () => { ({ directory } = await gatewayDirectory({ tools: TOOLS })); });
  after(() => { removeWorkDirectory(directory); });

  const pinned = (): Document => JSON.parse(readFileSync(`${directory}/gateway.json`, 'utf8'));
  const tools = (change: object): object => ({ ...pinned(), tools: [pinned()['tools']].flat().map((tool) => ({ ...Object(tool), ...change })) });
  const startOf = async (document: unknown, options: readonly string[] = [], environment: Readonly<Record<string, string>> = ENVIRONMENT): Promise<readonly [status: number | null, stdout: string, stderr: string]> => {
    writeFileSync(`${directory}/tried.json`, typeof document === 'string' ? document : JSON.stringify(document));
    const { status, stdout, stderr } = await runToEnd({ argv: ['gateway', 'tried.json', ...options], directory, environment });
    return [status, stdout, stderr];
  };
  const refusedWith = async (code: string, ...start: Parameters<typeof startOf>): Promise<void> => {
    expect(await startOf(...start)).to.deep.equal([78, '', `{"error":"${code}"}\n`]);
  };

  it('is refused with the first code in the order of the documents', async () => {
    await refusedWith('config_invalid', '{');
    await refusedWith('duplicate_json_key', '{"version":1,"version":1}');
    await refusedWith('origin_invalid', { ...pinned(), listen: { ...Object(pinned()['listen']), allowed_origins: ['null'] } });
    await refusedWith('audit_invalid', tools({ allow_write: true }));
    await refusedWith('host_invalid', { ...pinned(), host: { path: 'absent.json' } });
  });

  it('is refused without a bearer that could be one, and never by a literal', async () => {
    const bearer = (binding: string): object => ({ ...pinned(), authentication: { bearer: { binding } } });
    await refusedWith('credential_unavailable', bearer('literal'));
    await refusedWith('credential_unavailable', bearer('unknown'));
    await refusedWith('credential_unavailable', pinned(), [], {});
    await refusedWith('credential_unavailable', pinned(), [], { GATEWAY_TOKEN: 'x'.repeat(31) });
    await refusedWith('credential_unavailable', pinned(), ['--env-file', 'absent.env']);
  });

  it('is refused where a tool is not what was accepted', async () => {
    const other = `sha256:${'f'.repeat(64)}`;
    await refusedWith('application_content_digest_mismatch', tools({ expected_application_content_digest: other }));
    await refusedWith('installation_pin_mismatch', tools({ installation_config_pins: { a: other } }));
    await refusedWith('provider_pin_mismatch', tools({ provider_snapshot_pins: { 'workflow/a': other } }));
    await refusedWith('template_invalid', tools({ application: { manifest: 'absent.json' } }));
  });

  it('is refused over the directory of artifacts, and by an address that is taken', async () => {
    await refusedWith('artifact_root_unavailable', { ...pinned(), artifacts: { root: 'absent' } });
    const holder = createServer();
    await new Promise<void>((resolve) => { holder.listen(0, '127.0.0.1', resolve); });
    const at = holder.address();
    await refusedWith('listener_unavailable', { ...pinned(), listen: { ...Object(pinned()['listen']), port: typeof at === 'object' && at !== null ? at.port : 0 } });
    await new Promise<void>((resolve) => { holder.close(() => { resolve(); }); });
  });

  for (const [what, change] of [
    ['has no contract', { contracts: {} }], ['keeps its events private', { events: { policy: 'private' } }], ['names all its runs alike', { events: { policy: 'normal', run_id: 'x' } }],
  ] as const) {
    it(`is refused by an application that ${what}`, async () => {
      const manifest: Document = JSON.parse(readFileSync(`${directory}/echo/svc.json`, 'utf8'));
      mkdirSync(`${directory}/changed`, { recursive: true });
      for (const file of ['main.clj', 'input.json', 'result.json']) writeFileSync(`${directory}/changed/${file}`, readFileSync(`${directory}/echo/${file}`));
      writeFileSync(`${directory}/changed/svc.json`, JSON.stringify({ ...manifest, ...change }));
      await refusedWith('template_invalid', tools({ application: { manifest: 'changed/svc.json' } }));
    });
  }

  it('is only tried by --check, which tells every tool\'s fault and needs no bearer', async () => {
    expect(await startOf(pinned(), ['--check'], {})).to.deep.equal([0, '', '']);
    const fault = (tool: string): string => `{"error":"application_content_digest_mismatch","tool":"${tool}"}\n`;
    expect(await startOf(tools({ expected_application_content_digest: `sha256:${'f'.repeat(64)}` }), ['--check'], {})).to.deep.equal([78, '', `${fault('echo')}${fault('other')}`]);
  });

  it('prints the pins that a document needs, all of them or none', async () => {
    const [status, stdout] = await startOf(tools({ expected_application_content_digest: `sha256:${'f'.repeat(64)}` }), ['--print-pins'], {});
    expect(status).to.equal(0);
    expect(Object.keys(JSON.parse(stdout))).to.deep.equal(['echo', 'other']);
    expect((await startOf({ ...tools({}), artifacts: { root: 'absent' } }, ['--print-pins'], {}))[0], 'artifacts are not touched').to.equal(0);
    await refusedWith('template_invalid', tools({ application: { manifest: 'absent.json' } }), ['--print-pins']);
  });
});

describe('the end of a gateway (gateway.md §1)', () => {
  const ENDLESS = { endless: { program: '(ns main)\n(defn run [_] (loop [n 0] (recur (inc n))))\n', manifest: { limits: { run_duration_ms: 600_000 } } } };

  it('does not come with SIGHUP, and comes clean with SIGTERM', async () => {
    const gateway = await startTestGateway({ tools: TOOLS });
    gateway.child.kill('SIGHUP');
    expect((await fetch(gateway.url, modern('tools/list'))).status).to.equal(200);
    expect(await gateway.stop()).to.deep.include({ status: 0, stderr: '' });
  });

  it('is told to a call that does not end in time, and then is not clean', async () => {
    const gateway = await startTestGateway({ tools: ENDLESS });
    const called = await fetch(gateway.url, modern('tools/call', { name: 'endless', arguments: {} }));
    const [end, messages] = await Promise.all([gateway.stop(), messagesOf(called)]);
    expect(end.status).to.equal(70);
    expect(messages.at(-1)).to.have.nested.property('result.content[0].text', 'cancelled: the gateway was stopped before the run had ended');
  });

  it('comes at once with a second signal', async () => {
    const gateway = await startTestGateway({ tools: ENDLESS });
    const called = await fetch(gateway.url, modern('tools/call', { name: 'endless', arguments: {} }));
    gateway.child.kill('SIGINT');
    expect((await gateway.stop()).status).to.equal(70);
    await called.text().catch(() => null);
  });

  it('leaves the bearer in nothing that it wrote', async () => {
    const gateway = await startTestGateway({ tools: TOOLS });
    const answer = await (await fetch(gateway.url, modern('tools/call', { name: 'echo', arguments: { value: 'x' } }))).text();
    const { stdout, stderr } = await gateway.stop();
    expect(`${answer}${stdout}${stderr}`).not.to.include(TOKEN);
    expect(existsSync(gateway.directory)).to.equal(false);
  });
});
