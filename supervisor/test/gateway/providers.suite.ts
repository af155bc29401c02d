/**
 * Tools whose applications select providers: a real server of tools over its standard streams, recorded answers, traces
 * (gateway.md §10).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isAlive } from '../../../conformance/cli/descendants.ts';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { LOOK_UP, SERVER, call, discover, listing, textResult } from '../../../conformance/tools/room.ts';
import { until } from '../../../conformance/until.ts';
import {
  ENVIRONMENT,
  gatewayDirectory,
  firstLine,
  messagesOf,
  modern,
  startTestGateway,
  type GatewayFiles,
  type TestGateway,
} from './gateway.ts';

const WORKFLOW =
  '(ns main)\n(defn run [input] {:value (str (get (kernel/eval-source "desk" (get input "value")) :value))})\n';
const COMPONENTS = {
  workflow: {
    components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
    entry: 'main/run',
  },
};
const selecting = (providers: object, alias: string): object => ({
  ...COMPONENTS,
  missions: { desk: { providers: [alias] } },
  providers,
  limits: { run_duration_ms: 120_000, workflow_timeout_ms: 120_000, evaluation_timeout_ms: 60_000 },
});
const desk = (more: object = {}): object => ({
  source: 'mcp',
  installation_revision: 'r1',
  transport: {
    type: 'stdio',
    command: process.execPath,
    args: [SERVER, '--script', 'script.json', '--log', 'log', '--pids', 'pids'],
    ...more,
  },
  tools: { lookUp: { as: 'look-up', effect: 'read' } },
  ceilings: { timeout_ms: 60_000 },
});
const SCRIPT = { steps: [discover(), listing(LOOK_UP), call({ result: textResult('sunny') })] };
const LOOKING = {
  install: { desk: desk() },
  files: { 'script.json': SCRIPT, log: '', pids: '' },
  tools: { look: { program: WORKFLOW, manifest: selecting({ mission: [{ name: 'desk' }] }, 'desk') } },
} satisfies GatewayFiles;
const ASK = '(tool/look-up {:city "Oslo"})';

const lines = (path: string): readonly string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
const pids = (directory: string): readonly number[] => lines(join(directory, 'pids')).map(Number);
const callTool = async (gateway: TestGateway, name: string, value: string): Promise<Response> =>
  fetch(gateway.url, modern('tools/call', { name, arguments: { value } }));

async function answered(gateway: TestGateway, name: string, value: string): Promise<unknown> {
  const response = await callTool(gateway, name, value);
  expect(response.status).to.equal(200);
  return (await messagesOf(response)).at(-1);
}

describe('tools of a gateway that select providers (gateway.md §10)', () => {
  it('print their pins, and are served with one process for all calls, which ends with the gateway', async () => {
    const gateway = await startTestGateway(LOOKING);
    const document = JSON.parse(readFileSync(join(gateway.directory, 'gateway.json'), 'utf8'));
    expect(document.tools[0].installation_config_pins).to.have.all.keys('desk');
    expect(document.tools[0].provider_snapshot_pins).to.have.all.keys('mission/desk');
    const before = pids(gateway.directory);
    for (const end of await Promise.all([answered(gateway, 'look', ASK), answered(gateway, 'look', ASK)])) {
      expect(end).to.have.nested.property('result.structuredContent.value').that.includes('sunny');
      expect(end).to.deep.nested.include({
        'result.isError': false,
        'result._meta.svc/call.effects': 'read',
        'result._meta.svc/call.usage.capability_calls': 1,
      });
    }
    expect(pids(gateway.directory)).to.deep.equal(before);
    expect(await gateway.stop()).to.include({ status: 0, stderr: '' });
    expect(before.filter(isAlive)).to.deep.equal([]);
  });

  it('whose server ends are told so, and served again by another', async () => {
    const gateway = await startTestGateway(LOOKING);
    const first = pids(gateway.directory).filter(isAlive);
    for (const pid of first) process.kill(pid, 'SIGKILL');
    const refused = await until('a refusal', async () => {
      const response = await callTool(gateway, 'look', ASK);
      const text = await response.text();
      return response.status === 503 ? text : undefined;
    });
    expect(JSON.parse(refused)).to.deep.nested.include({
      'error.code': -31998,
      'error.data.reason': 'tool_unavailable',
    });
    expect((await fetch(new URL('/health/ready', gateway.url))).status).to.equal(200);
    await until('an answer', async () => {
      const response = await callTool(gateway, 'look', ASK);
      const text = await response.text();
      return response.status === 200 && text.includes('sunny') ? true : undefined;
    });
    expect(pids(gateway.directory).filter(isAlive)).not.to.deep.equal(first);
    expect((await gateway.stop()).status).to.equal(0);
  });

  it('whose server is another one when it is opened again are fenced, and the rest is served', async () => {
    const gateway = await startTestGateway({
      ...LOOKING,
      tools: { ...LOOKING.tools, echo: { program: '(ns main)\n(defn run [input] {:value (get input "value")})\n' } },
    });
    const other = { ...LOOK_UP, inputSchema: { ...LOOK_UP.inputSchema, required: [] } };
    writeFileSync(
      join(gateway.directory, 'script.json'),
      JSON.stringify({ steps: [discover(), listing(other), call({ result: textResult('sunny') })] }),
    );
    for (const pid of pids(gateway.directory).filter(isAlive)) process.kill(pid, 'SIGKILL');
    await until('the fence', async () =>
      (await fetch(new URL('/health/ready', gateway.url))).status === 503 ? true : undefined,
    );
    expect((await callTool(gateway, 'look', ASK)).status).to.equal(503);
    expect(await answered(gateway, 'echo', 'a')).to.deep.nested.include({ 'result.structuredContent.value': 'a' });
    expect((await fetch(new URL('/health/live', gateway.url))).status).to.equal(200);
    expect((await gateway.stop()).status).to.equal(0);
  });

  it('a call whose client goes leaves the server to the others', async () => {
    const gateway = await startTestGateway({
      ...LOOKING,
      files: {
        ...LOOKING.files,
        'script.json': {
          steps: [
            discover(),
            listing(LOOK_UP),
            { ...call({ waitsForCancel: true, result: textResult('late') }), times: 1 },
            call({ result: textResult('sunny') }),
          ],
        },
      },
    });
    const going = new AbortController();
    const left = fetch(gateway.url, {
      ...modern('tools/call', { name: 'look', arguments: { value: ASK } }),
      signal: going.signal,
    })
      .then(async (response) => response.text())
      .catch(() => 'gone');
    await until('its call', () =>
      lines(join(gateway.directory, 'log')).some((line) => line.includes('tools/call')) ? true : undefined,
    );
    going.abort();
    expect(await left).to.equal('gone');
    expect(await answered(gateway, 'look', ASK))
      .to.have.nested.property('result.structuredContent.value')
      .that.includes('sunny');
    expect((await gateway.stop()).status).to.equal(0);
  });

  it('of traces alone capture them for each call, without a pin of what is captured', async () => {
    const gateway = await startTestGateway({
      install: { past: { source: 'svc_trace_snapshot', installation_revision: 'r1', directory: 'traces' } },
      files: { 'traces/.keep': '' },
      tools: { look: { program: WORKFLOW, manifest: selecting({ mission: [{ name: 'past' }] }, 'past') } },
    });
    const document = JSON.parse(readFileSync(join(gateway.directory, 'gateway.json'), 'utf8'));
    expect(document.tools[0].provider_snapshot_pins).to.deep.equal({});
    expect(await answered(gateway, 'look', '(get (get (tool/past.runs {}) :value) :runs)')).to.deep.nested.include({
      'result.isError': false,
    });
    expect((await gateway.stop()).status).to.equal(0);
  });
});

describe('the start of a gateway with providers (documents.md §8)', () => {
  const startOf = async (
    files: GatewayFiles,
    change: (directory: string) => void = () => undefined,
    options: readonly string[] = [],
  ) => {
    const { directory } = await gatewayDirectory(files);
    try {
      change(directory);
      const { status, stdout, stderr } = await runToEnd({
        argv: ['gateway', 'gateway.json', ...options],
        directory,
        environment: ENVIRONMENT,
      });
      return [status, stdout, firstLine(stderr)];
    } finally {
      removeWorkDirectory(directory);
    }
  };
  const refusal = (code: string): unknown => [78, '', `{"error":"${code}"}\n`];
  const checked = (code: string): unknown => [78, '', `{"error":"${code}","tool":"look"}\n`];
  const edited =
    (path: string, edit: (document: Readonly<Record<string, unknown>>) => object) =>
    (directory: string): void => {
      writeFileSync(
        join(directory, path),
        JSON.stringify(edit(JSON.parse(readFileSync(join(directory, path), 'utf8')))),
      );
    };
  const pinned = (pins: object) =>
    edited('gateway.json', (document) => ({
      ...document,
      tools: [document['tools']].flat().map((tool) => ({ ...Object(tool), ...pins })),
    }));
  const none = `sha256:${'0'.repeat(64)}`;

  it('is refused by pins that are missing, too many, or others', async () => {
    expect(await startOf(LOOKING, pinned({ installation_config_pins: {} }))).to.deep.equal(
      refusal('installation_pin_mismatch'),
    );
    expect(await startOf(LOOKING, pinned({ installation_config_pins: { desk: none } }))).to.deep.equal(
      refusal('installation_pin_mismatch'),
    );
    expect(await startOf(LOOKING, pinned({ provider_snapshot_pins: {} }))).to.deep.equal(
      refusal('provider_pin_mismatch'),
    );
    expect(await startOf(LOOKING, pinned({ provider_snapshot_pins: { 'mission/desk': none } }))).to.deep.equal(
      refusal('provider_pin_mismatch'),
    );
  });

  it('is refused where a server cannot be opened, or has nothing to be opened with', async () => {
    expect(
      await startOf(LOOKING, (directory) => writeFileSync(join(directory, 'script.json'), '{"steps":[]}')),
    ).to.deep.equal(refusal('provider_runtime_unavailable'));
    expect(
      await startOf(LOOKING, (directory) => writeFileSync(join(directory, 'script.json'), '{"steps":[]}'), [
        '--print-pins',
      ]),
    ).to.deep.equal(refusal('provider_runtime_unavailable'));
    const model = {
      source: 'llm',
      installation_revision: 'r1',
      model: 'openai-compat:http://127.0.0.1:9/v1|m',
      credential: 'key',
      structured_output_mode: 'json_schema',
      usage_guarantees: { tokens: false, cost_currency: null },
    };
    const keyed: GatewayFiles = {
      install: { model },
      tools: {
        look: {
          program: '(ns main)\n(defn run [input] input)\n',
          manifest: { missions: {}, providers: { workflow: [{ name: 'model' }] } },
        },
      },
    };
    const withKey = edited('host.json', (document) => ({
      ...document,
      credentials: { ...Object(document['credentials']), key: { env: 'NO_SUCH_KEY' } },
    }));
    expect(await startOf(keyed, withKey, ['--print-pins'])).to.deep.equal(refusal('credential_unavailable'));
  });

  it('is refused by sources that a gateway does not serve', async () => {
    const trace = { source: 'svc_trace_snapshot', installation_revision: 'r1', directory: 'traces' };
    const mixed = {
      install: { past: trace, desk: desk() },
      files: LOOKING.files,
      tools: {
        look: { program: WORKFLOW, manifest: selecting({ mission: [{ name: 'past' }, { name: 'desk' }] }, 'desk') },
      },
    } satisfies GatewayFiles;
    const makes = (directory: string): void => {
      mkdirSync(join(directory, 'traces'));
    };
    expect(await startOf(mixed, makes, ['--check'])).to.deep.equal(checked('provider_source_unsupported'));
    const hidden = {
      install: { past: { ...trace, source: 'svc_private_trace_snapshot' } },
      tools: { look: { program: WORKFLOW, manifest: selecting({ mission: [{ name: 'past' }] }, 'past') } },
    } satisfies GatewayFiles;
    expect(await startOf(hidden, makes, ['--check'])).to.deep.equal(checked('provider_source_unsupported'));
    const catalogue = {
      ...LOOKING,
      tools: {
        look: {
          program: '(ns main)\n(defn run [input] input)\n',
          manifest: { missions: {}, providers: { workflow: [{ name: 'desk', config: { catalog: true } }] } },
        },
      },
    } satisfies GatewayFiles;
    expect(await startOf(catalogue, () => undefined, ['--check'])).to.deep.equal(
      checked('provider_source_unsupported'),
    );
    const absent = {
      install: { past: trace },
      tools: { look: { program: WORKFLOW, manifest: selecting({ mission: [{ name: 'past' }] }, 'past') } },
    } satisfies GatewayFiles;
    expect(await startOf(absent, () => undefined, ['--print-pins'])).to.deep.equal(
      refusal('provider_runtime_unavailable'),
    );
  });
});
