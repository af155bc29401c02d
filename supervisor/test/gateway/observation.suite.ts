/** What an operator can look at while a gateway serves (gateway.md §13). */
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import {
  ENVIRONMENT,
  TOKEN,
  firstLine,
  freePort,
  gatewayDirectory,
  messagesOf,
  modern,
  startTestGateway,
} from './gateway.ts';

const SECRET = 'sk-planted-0815-4711';
const FILES = {
  tools: {
    echo: {
      program:
        '(ns main)\n(defn run [input] (if (= "x" (get input "value")) (fail {:reason "x"}) {:value (get input "value")}))\n',
    },
  },
};
const log = (directory: string): readonly Readonly<Record<string, unknown>>[] =>
  readFileSync(join(directory, 'gateway.log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('the log and the figures of a gateway', () => {
  it('tell what it did, and nothing of what was said to it', async () => {
    const port = await freePort();
    const gateway = await startTestGateway(FILES, ['--log', 'gateway.log', '--metrics', String(port)]);
    for (const value of [SECRET, SECRET, 'x'])
      await messagesOf(await fetch(gateway.url, modern('tools/call', { name: 'echo', arguments: { value } })));
    expect(
      (
        await fetch(gateway.url, {
          ...modern('tools/list'),
          headers: { authorization: `Bearer ${SECRET}-of-somebody-else-altogether` },
        })
      ).status,
    ).to.equal(401);
    const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(figures).to.match(/^svc_gateway_requests_total\{status="200"\} 3$/m);
    expect(figures).to.match(/^svc_gateway_requests_total\{status="401"\} 1$/m);
    expect(figures).to.match(/^svc_gateway_run_seconds_count\{tool="echo",outcome="success"\} 2$/m);
    expect(figures).to.match(/^svc_gateway_run_seconds_count\{tool="echo",outcome="execution_failed"\} 1$/m);
    expect(figures).to.match(/^svc_gateway_runs 0$/m);
    expect(figures).to.match(/^svc_gateway_resident_bytes [1-9]/m);
    for (const [path, init, status] of [
      ['/', {}, 404],
      ['/metrics', { method: 'POST' }, 405],
      ['/mcp', modern('tools/list'), 404],
    ] as const)
      expect((await fetch(`http://127.0.0.1:${port}${path}`, init)).status, path).to.equal(status);
    expect((await fetch(`http://localhost:${port}/metrics`).catch(() => null))?.status ?? 400).to.equal(400);
    let text = '';
    const end = await gateway.stop((directory) => {
      expect(statSync(join(directory, 'gateway.log')).mode & 0o777).to.equal(0o600);
      const lines = log(directory);
      expect(
        lines.map(({ kind }) => kind).filter((kind) => kind !== 'counters' && kind !== 'startup_stage'),
      ).to.deep.equal(['ready', 'stopped']);
      expect(
        lines.filter(({ kind }) => kind === 'counters').reduce((sum, line) => sum + Number(line['status_2xx'] ?? 0), 0),
      ).to.equal(3);
      text = JSON.stringify(lines);
    });
    for (const secret of [SECRET, TOKEN, '127.0.0.1']) expect(text + figures).not.to.include(secret);
    expect(end).to.include({ status: 0, stderr: '' });
    expect(Object(JSON.parse(end.stdout))).to.include({ metrics_port: port });
  });

  it("tell why one did not start, and a log that is not its owner's alone is none", async () => {
    const { directory } = await gatewayDirectory(FILES);
    const document = JSON.parse(readFileSync(join(directory, 'gateway.json'), 'utf8'));
    writeFileSync(
      join(directory, 'wrong.json'),
      JSON.stringify({
        ...document,
        tools: document.tools.map((tool: object) => ({
          ...tool,
          expected_application_content_digest: `sha256:${'0'.repeat(64)}`,
        })),
      }),
    );
    const wrong = await runToEnd({
      argv: ['gateway', 'wrong.json', '--log', 'gateway.log'],
      directory,
      environment: ENVIRONMENT,
    });
    expect([wrong.status, wrong.stderr.replace(/:1:\d+:/, ':1:PLACE:')]).to.deep.equal([
      78,
      '{"error":"application_content_digest_mismatch"}\nwrong.json:1:PLACE: tool echo: content_differs at /tools/0/expected_application_content_digest: look at what changed in the application, then run svc gateway with --write-pins to write all pins again\n',
    ]);
    const reported = {
      kind: 'startup_failed',
      tool: 'echo',
      code: 'application_content_digest_mismatch',
      cause: 'content_differs',
      pointer: '/tools/0/expected_application_content_digest',
    };
    expect(log(directory).at(-1)).to.deep.include(reported);
    writeFileSync(join(directory, 'open.log'), '', { mode: 0o644 });
    for (const place of ['open.log', 'absent/gateway.log', 'echo', '/dev/full', 'gateway.json/log']) {
      const refused = await runToEnd({
        argv: ['gateway', 'gateway.json', '--log', place],
        directory,
        environment: ENVIRONMENT,
      });
      const [first, second] = refused.stderr.split('\n');
      expect([refused.status, refused.stdout, first], place).to.deep.equal([78, '', '{"error":"log_unavailable"}']);
      expect(second).to.include('--log wants a file of this user alone');
    }
    removeWorkDirectory(directory);
  });

  describe('tell why an application is no template', () => {
    let directory: string;
    before(async () => {
      ({ directory } = await gatewayDirectory(FILES));
    });
    after(() => {
      removeWorkDirectory(directory);
    });

    const read = (name: string) => Object(JSON.parse(readFileSync(join(directory, name), 'utf8')));
    async function startupLines(
      files: Readonly<Record<string, string>>,
      options: readonly string[] = [],
    ): Promise<Readonly<Record<string, unknown>>> {
      cpSync(join(directory, 'echo'), join(directory, 'changed'), { recursive: true });
      for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, 'changed', name), text);
      const document = read('gateway.json');
      writeFileSync(
        join(directory, 'tried.json'),
        JSON.stringify({
          ...document,
          tools: document.tools.map((tool: object) => ({ ...tool, application: { manifest: 'changed/svc.json' } })),
        }),
      );
      const { status, stdout, stderr } = await runToEnd({
        argv: ['gateway', 'tried.json', '--log', 'gateway.log', ...options],
        directory,
        environment: ENVIRONMENT,
      });
      expect([status, stdout, Object(JSON.parse(firstLine(stderr))).error]).to.deep.equal([78, '', 'template_invalid']);
      const line = Object(log(directory).at(-1));
      expect(line).to.deep.include({ kind: 'startup_failed', tool: 'echo', code: 'template_invalid' });
      expect(JSON.stringify(line)).not.to.include(SECRET);
      return { cause: line.cause, pointer: line.pointer };
    }
    const manifest = (change: object): Readonly<Record<string, string>> => ({
      'svc.json': JSON.stringify({ ...read('echo/svc.json'), ...change }),
    });
    const annotated = JSON.stringify({
      type: 'object',
      properties: { value: { type: 'string', 'x-mcp-header': 'a b' } },
    });

    const causes: readonly (readonly [
      what: string,
      files: () => Readonly<Record<string, string>>,
      cause: string,
      pointer: string | null,
    ])[] = [
      ['no JSON', () => ({ 'svc.json': `{"${SECRET}` }), 'invalid_json', null],
      [
        'a member of another type',
        () => manifest({ workflow: { entry: 7, components: [] } }),
        'schema_violation',
        '/workflow/entry',
      ],
      ['a member that nobody knows', () => manifest({ [SECRET]: 1 }), 'schema_violation', ''],
      [
        'no contract of its input',
        () => manifest({ contracts: { result_schema: { path: 'result.json' } } }),
        'contract_missing',
        '/contracts/input_schema',
      ],
      [
        'no contract of its result',
        () => manifest({ contracts: { input_schema: { path: 'input.json' } } }),
        'contract_missing',
        '/contracts/result_schema',
      ],
      ['private events', () => manifest({ events: { policy: 'private' } }), 'events_private', '/events/policy'],
      [
        'one name for all runs',
        () => manifest({ events: { policy: 'normal', run_id: SECRET } }),
        'run_identity_shared',
        '/events/run_id',
      ],
      [
        'one trace for all runs',
        () => manifest({ events: { policy: 'normal', trace_id: SECRET } }),
        'run_identity_shared',
        '/events/trace_id',
      ],
      [
        'a program that does not compile',
        () => ({ ...manifest({}), 'main.clj': `(ns main)\n(defn run [input] (str "${SECRET}" ${SECRET}))\n` }),
        'undefined_variable',
        null,
      ],
      [
        'a contract that cannot be told',
        () => ({
          ...manifest({}),
          'main.clj': '(ns main)\n(defn run [input] {:value (get input "value")})\n',
          'input.json': annotated,
        }),
        'contract_unfit',
        '/contracts',
      ],
      [
        'a project in its place',
        () => ({
          'svc.json': JSON.stringify({ kind: 'svc-project', version: 1, application: { path: 'application.json' } }),
          'application.json': JSON.stringify(read('echo/svc.json')),
        }),
        'project_given',
        null,
      ],
    ];
    for (const [what, files, cause, pointer] of causes) {
      it(`which has ${what}`, async () => {
        expect(await startupLines(files())).to.deep.equal({ cause, pointer });
      });
    }

    it('to those who check or ask for pins, too', async () => {
      for (const option of ['--check', '--print-pins'])
        expect(await startupLines(manifest({ events: { policy: 'private' } }), [option]), option).to.deep.equal({
          cause: 'events_private',
          pointer: '/events/policy',
        });
    });
  });
});
