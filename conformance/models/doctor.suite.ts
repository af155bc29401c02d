import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM, runToEnd } from '../cli/program.ts';
import { checkEnvelope } from '../envelopes/checker/check-envelope.ts';
import type { ModelAction } from '../servers/llm/script.ts';
import { ModelRoom, MODEL_SECRET, type ModelApplication, type ModelReport } from './room.ts';

/** Not on every machine, and not every machine lets it trace: then the requests that servers saw are the proof. */
const MAY_TRACE = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true']).status === 0;
const DOCTOR = ['doctor', 'svc.json', '--host-config', 'svc-host.json'];
const CONNECT = { argv: [...DOCTOR, '--connect'] };

/** `name status/code` of every row but those of the machine. */
function rows({ stdout }: Pick<ModelReport, 'stdout'>): readonly string[] {
  const {
    checks,
  }: { readonly checks: readonly { readonly name: string; readonly status: string; readonly code: string }[] } =
    JSON.parse(stdout);
  return checks
    .filter(({ name }) => name !== 'runtime' && name !== 'viewer')
    .map(({ name, status, code }) => `${name} ${status}/${code}`);
}

describe('doctor (providers.md §12)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  /** Its envelope keeps to the interface, and standard output is its result. */
  async function doctor(application: ModelApplication = {}): Promise<ModelReport> {
    const report = await room.run({ argv: DOCTOR, ...application });
    if (report.envelope['schema_version'] !== undefined) expect(checkEnvelope(report.envelope)).to.deep.equal([]);
    if ('result' in report.envelope) expect(JSON.parse(report.stdout)).to.deep.equal(report.envelope['result']);
    else expect(report.stdout).to.equal('');
    return report;
  }

  describe('without --connect', () => {
    it('looks at the machine alone when nothing is named', async () => {
      // Where no document lies that it would take without being told.
      const directory = join(room.directory, 'empty');
      mkdirSync(directory);
      const { status, stdout } = await runToEnd({ argv: ['doctor', '--envelope', 'envelope.json'], directory });
      const envelope: unknown = JSON.parse(readFileSync(join(directory, 'envelope.json'), 'utf8'));
      expect(checkEnvelope(envelope)).to.deep.equal([]);
      expect(status).to.equal(0);
      expect(JSON.parse(stdout)).to.deep.include({
        model_aliases: [],
        provider_activity: false,
        readiness: 'not_applicable',
        usage: { llm_usage_state: 'available', llm_usage: [] },
      });
      expect(JSON.parse(stdout)).to.have.deep.nested.property('checks[0]', {
        name: 'runtime',
        status: 'pass',
        code: 'supported',
      });
      expect(rows({ stdout })).to.deep.equal(['application skipped/not_requested']);
      expect(envelope).to.deep.include({ status: 'ok', warnings: [], secondary_errors: [] });
    });

    it('lists what a host installs, by alias, with the checks that each has', async () => {
      await room.serve([]);
      const oauth = {
        installation_id: 'o',
        issuer: 'https://login.example',
        scope_ceiling: ['read'],
        client: {
          registration: 'pre_registered',
          auth_method: 'none',
          client_id: 'svc',
          grant_types: ['authorization_code'],
          loopback_redirect: { host: '127.0.0.1', path: '/callback' },
        },
      };
      const tools = { source: 'mcp', installation_revision: 'r1', tools: { t: { as: 't', effect: 'read' } } };
      const install = {
        remote: { ...tools, transport: { type: 'streamable_http', endpoint: 'https://tools.example/mcp', oauth } },
        local: { ...tools, transport: { type: 'stdio', command: 'server' } },
        replay: { source: 'llm_replay', installation_revision: 'r1', fixtures: 'absent.jsonl' },
        traces: { source: 'svc_trace_snapshot', installation_revision: 'r1', directory: 'traces' },
        small: room.model(),
      };
      const { status, stdout, stderr } = await doctor({ argv: ['doctor', '--host-config', 'svc-host.json'], install });
      expect(status).to.equal(0);
      expect(rows({ stdout })).to.deep.equal([
        'application skipped/not_requested',
        'provider/local/local skipped/application_required',
        'provider/local/connectivity skipped/requires_connect',
        'provider/remote/local skipped/application_required',
        'provider/remote/authorization skipped/requires_connect',
        'provider/remote/connectivity skipped/requires_connect',
        'provider/replay/local skipped/application_required',
        'provider/small/local skipped/application_required',
        'provider/small/credentials skipped/requires_connect',
        'provider/small/connectivity skipped/requires_connect',
        'provider/traces/local skipped/application_required',
      ]);
      const unselected = { default: null, selected: false, installation_revision: 'r1' };
      expect(JSON.parse(stdout)).to.deep.include({
        readiness: 'unverified',
        model_aliases: [
          { alias: 'replay', source: 'llm_replay', ...unselected },
          { alias: 'small', source: 'llm', ...unselected },
        ],
      });
      expect(stderr).to.match(/^warning: model_uncataloged: [^\n]+ \(provider small\)\n$/);
    });

    it('checks the selected ones, reads no credential and opens nothing', async () => {
      await room.serve([]);
      const { status, stdout } = await doctor({ environment: {} });
      expect(status).to.equal(0);
      expect(rows({ stdout })).to.deep.equal([
        'application pass/valid',
        'provider/small/local pass/available',
        'provider/small/selection pass/declarative',
        'provider/small/credentials skipped/requires_connect',
        'provider/small/connectivity skipped/requires_connect',
      ]);
      expect(JSON.parse(stdout)).to.include({ readiness: 'unverified', provider_activity: false });
      expect(room.server.connections()).to.equal(0);
    });

    it('is ready where there is nothing to connect to', async () => {
      const replay = { source: 'llm_replay', installation_revision: 'r1', fixtures: 'replay.jsonl' };
      const line = JSON.stringify({ schema_version: 2, request_hash: `sha256:${'0'.repeat(64)}`, response: {} });
      const { stdout } = await doctor({
        install: { small: replay },
        select: [{ name: 'small', config: { default: true } }],
        files: { 'replay.jsonl': line },
      });
      expect(rows({ stdout })).to.deep.equal([
        'application pass/valid',
        'provider/small/local pass/available',
        'provider/small/selection pass/declarative',
      ]);
      expect(JSON.parse(stdout))
        .to.include({ readiness: 'ready' })
        .and.to.have.deep.property('model_aliases', [
          { alias: 'small', source: 'llm_replay', installation_revision: 'r1', default: true, selected: true },
        ]);
    });

    it('tells every local failure, the first of them first', async () => {
      const wrong = {
        bad: room.model({ model: 'nobody:m' }),
        seeded: room.model({ model: 'anthropic:claude-haiku-4-5', params: { seed: 1 } }),
        fixed: { source: 'llm_replay', installation_revision: 'r1', fixtures: 'absent.jsonl' },
      };
      const { status, stdout, stderr, envelope } = await doctor({
        install: { ...wrong, small: room.model() },
        select: [{ name: 'seeded' }, { name: 'bad' }, { name: 'small' }, { name: 'fixed' }],
      });
      expect(status).to.equal(4);
      expect(rows({ stdout }).filter((row) => row.includes('/local '))).to.deep.equal([
        'provider/bad/local fail/adapter_unavailable',
        'provider/fixed/local fail/fixtures_unreadable',
        'provider/seeded/local fail/model_contract_unsupported',
        'provider/small/local pass/available',
      ]);
      expect(rows({ stdout })).to.include.members([
        'provider/bad/selection pass/declarative',
        'provider/bad/credentials skipped/requires_connect',
      ]);
      expect(envelope).to.have.nested.include({
        'error.code': 'model_contract_unsupported',
        'error.subject.name': 'seeded',
        'result.readiness': 'failed',
        'secondary_errors[0].code': 'adapter_unavailable',
        'secondary_errors[1].code': 'fixtures_unreadable',
      });
      expect(envelope)
        .to.have.property('warnings')
        .that.deep.includes({ code: 'model_uncataloged', message: WARNING, provider: 'small', model: null });
      // The report is the result: standard error has the warnings alone.
      expect(stderr).to.match(/^(warning: [^\n]+\n)+$/);
    });

    it('shows selectors that may be shown, when it is asked to', async () => {
      await room.serve([]);
      const install = { shown: room.model({ model: 'openai:gpt-4o' }), hidden: room.model() };
      const { stdout } = await doctor({
        argv: [...DOCTOR, '--show-model-selectors'],
        install,
        select: [{ name: 'shown' }],
      });
      expect(JSON.parse(stdout)).to.have.deep.property('model_aliases', [
        { alias: 'hidden', source: 'llm', installation_revision: 'r1', default: null, selected: false },
        {
          alias: 'shown',
          source: 'llm',
          installation_revision: 'r1',
          default: false,
          selected: true,
          model_selector: 'openai:gpt-4o',
        },
      ]);
      expect((await doctor({ install, select: [{ name: 'shown' }] })).stdout).not.to.include('gpt-4o');
    });

    it('fails the row of the application, and leaves the others unverified', async () => {
      const { status, stdout, envelope } = await doctor({ manifest: { worflow: 1 } });
      expect(status).to.equal(3);
      expect(rows({ stdout })).to.deep.equal([
        'application fail/schema_violation',
        'provider/small/local skipped/not_verified_due_to_failure',
        'provider/small/selection skipped/not_verified_due_to_failure',
        'provider/small/credentials skipped/not_verified_due_to_failure',
        'provider/small/connectivity skipped/not_verified_due_to_failure',
      ]);
      expect(envelope).to.have.nested.include({ 'error.code': 'schema_violation', 'result.provider_activity': false });
    });

    const withoutReport: readonly (readonly [string, ModelApplication, string])[] = [
      ['a host', { files: { 'svc-host.json': '{' } }, 'host_invalid'],
      ['a bundle', { files: { 'main.clj': '(ns main) (defn run [input] (nobody input))' } }, 'undefined_variable'],
      ['a provider declaration', { select: [{ name: 'nobody' }] }, 'provider_unknown'],
    ];
    for (const [title, application, code] of withoutReport) {
      it(`has no report where ${title} is at fault: ${code}`, async () => {
        const { status, stdout, stderr, envelope } = await doctor(application);
        expect(status).to.equal(3);
        expect(stdout).to.equal('');
        expect(stderr).to.match(new RegExp(`^error: [a-z_]+/${code}: [^\\n]+\\n(?: {2}[^\\n]+\\n)*$`));
        expect(envelope).to.have.nested.include({ 'error.code': code }).and.not.to.have.property('result');
      });
    }

    it('tells a broken host as a run does: every fault, where it is and what to write', async () => {
      const host = JSON.stringify({
        credentials: { key: 'KEY' },
        install: { small: { source: 'llm', installation_revision: 'r1', credential: 'KEY', model: 'openai:gpt-4o' } },
      });
      const named = ['--host-config', 'svc-host.json'];
      await room.layOut({
        files: {
          'svc-host.json': host,
          'project.json': JSON.stringify({
            kind: 'svc-project',
            version: 1,
            application: { path: 'svc.json' },
            host: { path: 'svc-host.json' },
          }),
        },
      });
      const commands = [
        ['run', 'svc.json', ...named],
        DOCTOR,
        ['doctor', ...named],
        ['doctor', 'project.json'],
        ['models', ...named],
        ['models', 'project.json'],
      ];
      const reported: string[] = [];
      for (const argv of commands) {
        const { status, stdout, stderr } = await room.command(argv);
        expect({ status, stdout }, argv.join(' ')).to.deep.equal({ status: 3, stdout: '' });
        reported.push(stderr.replace(/run_ref: [^)]+/, 'run_ref'));
      }
      expect(reported[0]).to.match(
        /^error: host\/host_schema_invalid: [^\n]+\n {2}at svc-host\.json:1:\d+\n {2}problem: [^\n]+\n {2}remedy: write a name: [^\n]+\n(?:also svc-host\.json:1:\d+ [^\n]+\n){3}$/,
      );
      expect(new Set(reported)).to.have.property('size', 1);
    });

    if (MAY_TRACE)
      it('makes no connection and opens no file with a secret, as the system sees it', async () => {
        await room.serve([]);
        await room.layOut({
          files: {
            'keys.env': `MODEL_KEY=${MODEL_SECRET}\n`,
            'key.txt': MODEL_SECRET,
            'svc-host.json': JSON.stringify({
              credentials: { a: { file: 'key.txt' }, b: { env: 'MODEL_KEY' } },
              install: { small: room.model({ credential: 'a' }), other: room.model({ credential: 'b' }) },
            }),
          },
          select: [{ name: 'small' }, { name: 'other' }],
        });
        const log = await mkdtemp(join(tmpdir(), 'svc-strace-'));
        try {
          const traced = async (argv: readonly string[]): Promise<string> => {
            const file = join(log, 'calls');
            const { stdout } = await runToEnd({
              program: 'strace',
              argv: ['-f', '-qq', '-s', '256', '-e', 'trace=connect,socket,openat,open', '-o', file, PROGRAM, ...argv],
              directory: room.directory,
              environment: { MODEL_KEY: MODEL_SECRET },
            });
            expect(stdout).to.include('readiness');
            return readFile(file, 'utf8');
          };
          const SECRETS = /key\.txt|keys\.env/;
          const SOCKETS = /AF_INET/;
          const plain = await traced(DOCTOR);
          expect(plain).to.include('svc-host.json').and.not.to.match(SECRETS).and.not.to.match(SOCKETS);
          // What the same look finds where both are there.
          expect(await traced([...DOCTOR, '--connect', '--env-file', 'keys.env']))
            .to.match(SECRETS)
            .and.to.match(SOCKETS);
        } finally {
          await rm(log, { recursive: true });
        }
      });
  });

  describe('with --connect', () => {
    const credentialRow = 'provider/small/credentials';
    const connectivityRow = 'provider/small/connectivity';

    it('asks each model once, with one token, and is ready', async () => {
      await room.serve([
        { times: 'any', action: { answer: { text: 'x', finish: 'length', usage: { input: 4, output: 1 } } } },
      ]);
      const { status, stdout, stderr } = await doctor({
        ...CONNECT,
        install: { small: room.model({ params: { temperature: 0.5 } }) },
      });
      expect(status).to.equal(0);
      expect(rows({ stdout })).to.deep.equal([
        'application pass/valid',
        'provider/small/local pass/available',
        'provider/small/selection pass/declarative',
        `${credentialRow} pass/available`,
        `${connectivityRow} pass/available`,
      ]);
      expect(JSON.parse(stdout)).to.deep.include({
        readiness: 'ready',
        provider_activity: true,
        usage: {
          llm_usage_state: 'available',
          llm_usage: [
            {
              alias: 'small',
              installation_revision: 'r1',
              calls: 1,
              successful_calls: 1,
              usage_calls: 1,
              missing_usage_calls: 0,
              usage_overflow: false,
              usage: { input: 4, output: 1 },
            },
          ],
        },
      });
      expect(room.server.requests.map(({ body }) => JSON.parse(body) as unknown)).to.deep.equal([
        { model: 'm', temperature: 0.5, max_tokens: 1, messages: [{ role: 'user', content: 'ping' }] },
      ]);
      expect(stderr).to.match(/^warning: model_uncataloged/);
    });

    const refusals: readonly (readonly [string, ModelAction, string])[] = [
      ['401', { status: 401, body: { error: { message: 'no {{credential}}' } } }, 'authentication_rejected'],
      ['403', { status: 403, body: {} }, 'authentication_rejected'],
      ['402', { status: 402, body: {} }, 'connectivity_rejected'],
      ['404', { status: 404, body: {} }, 'connectivity_rejected'],
      ['408', { status: 408, body: {} }, 'connectivity_rejected'],
      ['409', { status: 409, body: {} }, 'connectivity_rejected'],
      ['429', { status: 429, body: {} }, 'connectivity_rate_limited'],
      ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'connectivity_protocol_error'],
      ['503', { status: 503, body: {} }, 'connectivity_unavailable'],
      ['a reset', { fault: 'reset' }, 'connectivity_unavailable'],
      ['no JSON', { fault: 'not_json' }, 'connectivity_protocol_error'],
      ['no HTTP', { fault: 'garbage' }, 'connectivity_unavailable'],
      ['no usage, where it was promised', { answer: { text: 'x', usage: null } }, 'connectivity_outcome_unknown'],
    ];
    for (const [title, action, code] of refusals) {
      it(`tells of ${title}: ${code}`, async () => {
        await room.serve([{ action }, { action: { answer: { text: 'ok' } } }]);
        const { status, stdout, stderr, envelope } = await doctor({
          ...CONNECT,
          install: {
            small: room.model({ usage_guarantees: { tokens: true, cost_currency: null } }),
            later: room.model(),
          },
          select: [{ name: 'small' }, { name: 'later' }],
        });
        expect(status).to.equal(4);
        expect(envelope).to.have.nested.include({
          'error.phase': 'active_preflight',
          'error.code': code,
          'error.provider_activity': true,
          'error.subject.operation': 'connectivity',
          'error.subject.occurrence.index': 0,
        });
        const unverified = 'skipped/not_verified_due_to_failure';
        const own =
          code === 'authentication_rejected'
            ? [`${credentialRow} fail/${code}`, `${connectivityRow} pass/available`]
            : [`${credentialRow} ${unverified}`, `${connectivityRow} fail/${code}`];
        expect(rows({ stdout })).to.include.members([
          ...own,
          // It does not depend on what failed (world.md §2.4).
          'provider/later/local pass/available',
          'provider/later/connectivity pass/available',
        ]);
        expect(JSON.parse(stdout)).to.deep.include({
          readiness: 'failed',
          provider_activity: true,
          usage: { llm_usage_state: 'unavailable', llm_usage: null },
        });
        expect(room.server.requests).to.have.length(2);
        expect(stdout + stderr + JSON.stringify(envelope)).not.to.include(MODEL_SECRET);
      });
    }

    it('does not wait longer than the whole step may last', async () => {
      await room.serve([{ times: 'any', action: { fault: 'silent' } }]);
      const { status, stdout, envelope } = await doctor({
        ...CONNECT,
        hostLimits: { doctor_connectivity_timeout_ms: 300 },
      });
      expect(status).to.equal(4);
      expect(stdout).to.equal('');
      expect(envelope)
        .to.have.nested.include({
          'error.code': 'connectivity_timeout',
          'error.subject': null,
          'error.provider_activity': true,
        })
        .and.not.to.have.property('result');
    });

    it('asks nobody without a credential', async () => {
      await room.serve([]);
      const { status, stdout } = await doctor({ ...CONNECT, environment: {} });
      expect(status).to.equal(4);
      expect(rows({ stdout }).slice(-2)).to.deep.equal([
        `${credentialRow} fail/credential_unavailable`,
        `${connectivityRow} skipped/not_verified_due_to_failure`,
      ]);
      expect(JSON.parse(stdout)).to.deep.include({
        provider_activity: false,
        usage: { llm_usage_state: 'available', llm_usage: [] },
      });
      expect(room.server.connections()).to.equal(0);
    });

    it('asks nobody of an alias whose local check failed, and the others', async () => {
      await room.serve([{ action: { answer: { text: 'ok' } } }]);
      const { stdout } = await doctor({
        ...CONNECT,
        install: { small: room.model(), bad: room.model({ model: 'nobody:m' }) },
        select: [{ name: 'small' }, { name: 'bad' }],
      });
      expect(rows({ stdout })).to.include.members([
        'provider/bad/local fail/adapter_unavailable',
        'provider/bad/selection pass/declarative',
        'provider/bad/connectivity skipped/not_verified_due_to_failure',
        `${connectivityRow} pass/available`,
      ]);
      expect(room.server.requests).to.have.length(1);
    });

    it('takes credentials from the environment file, which it reads when one is needed alone', async () => {
      await room.serve([{ action: { answer: { text: 'ok' } } }]);
      const options = ['--env-file', 'keys.env'];
      expect(
        (await doctor({ ...CONNECT, options, environment: {}, files: { 'keys.env': 'MODEL_KEY=of-the-file\n' } }))
          .status,
      ).to.equal(0);
      await rm(join(room.directory, 'keys.env'));
      const absent = await doctor({ ...CONNECT, options });
      expect(absent.status).to.equal(4);
      expect(absent.envelope)
        .to.have.nested.include({ 'error.code': 'environment_file_not_found', 'error.subject': null })
        .and.not.to.have.property('result');
      const replay = { source: 'llm_replay', installation_revision: 'r1', fixtures: 'replay.jsonl' };
      const files = {
        'replay.jsonl': JSON.stringify({ schema_version: 2, request_hash: `sha256:${'0'.repeat(64)}`, response: {} }),
      };
      expect((await doctor({ ...CONNECT, options, install: { small: replay }, files })).status).to.equal(0);
    });

    it('needs an application and a host', async () => {
      await room.layOut({
        files: {
          'project.json': JSON.stringify({ kind: 'svc-project', version: 1, application: { path: 'svc.json' } }),
        },
      });
      for (const [argv, code] of [
        [['doctor', '--connect'], 'invalid_arguments'],
        [['doctor', 'svc.json', '--connect'], 'invalid_arguments'],
        [['doctor', 'project.json', '--connect'], 'project_host_undeclared'],
        [['doctor', 'svc.json', '--env-file', 'x'], 'invalid_arguments'],
      ] as const) {
        const { status, stderr } = await room.command(argv);
        expect(status, argv.join(' ')).to.equal(2);
        expect(stderr).to.include(`error: arguments/${code}: `);
      }
    });

    it('has a table with remedies for a terminal', async () => {
      await room.layOut({});
      const { stdout } = await runToEnd({
        program: 'script',
        argv: ['-qec', `'${PROGRAM}' ${CONNECT.argv.join(' ')}`, '/dev/null'],
        directory: room.directory,
        environment: { TERM: 'dumb', SHELL: '/bin/sh' },
      });
      expect(stdout).to.match(
        /provider\/small\/credentials +fail +credential_unavailable\r\n +export the variable, name a file with/,
      );
      expect(stdout).to.match(/readiness: failed\r\n$/);
    });
  });
});

const WARNING =
  'the configured model is not an exact catalog entry; pricing, limits, token estimation, and capability detection may be incomplete';
