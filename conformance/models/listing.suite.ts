import { expect } from 'chai';
import { PROGRAM, runToEnd } from '../cli/program.ts';
import { checkEnvelope } from '../envelopes/checker/check-envelope.ts';
import { ModelRoom } from './room.ts';

const LISTED = ['models', '--host-config', 'svc-host.json'];

describe('models (providers.md §13)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  const both = ['normal', 'private_inspection'];

  it('lists what a host document installs, and resolves nothing', async () => {
    await room.serve([]);
    const install = {
      shown: room.model({ model: 'anthropic:claude-haiku-4-5', accepts_data: both }),
      hidden: room.model(),
      tools: {
        source: 'mcp',
        installation_revision: 'r2',
        transport: { type: 'stdio', command: 'server' },
        tools: { t: { as: 't', effect: 'read' } },
      },
      traces: { source: 'svc_private_trace_snapshot', installation_revision: 'r1', directory: 'absent' },
      replay: { source: 'llm_replay', installation_revision: 'r1', fixtures: 'absent.jsonl' },
      decide: {
        source: 'decision_replay',
        installation_revision: 'r1',
        fixtures: 'absent.jsonl',
        max_cost_per_call: { currency: 'USD', amount: '0.01' },
        max_total_tokens_per_call: 10,
      },
    };
    const { status, stdout, stderr, envelope } = await room.run({ argv: LISTED, install, environment: {} });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    expect(checkEnvelope(envelope)).to.deep.equal([]);
    const normal = {
      installation_revision: 'r1',
      data_class: 'normal',
      accepts_data: ['normal'],
      destinations: ['workflow'],
    };
    expect(JSON.parse(stdout)).to.deep.equal({
      installations: [
        { alias: 'decide', source: 'custom', ...normal },
        { alias: 'hidden', source: 'llm', ...normal },
        { alias: 'replay', source: 'llm_replay', ...normal },
        { alias: 'shown', source: 'llm', ...normal, accepts_data: both, model_selector: 'anthropic:claude-haiku-4-5' },
        { alias: 'tools', source: 'mcp', ...normal, installation_revision: 'r2', destinations: ['mission'] },
        {
          alias: 'traces',
          source: 'svc_private_trace_snapshot',
          ...normal,
          data_class: 'private_inspection',
          accepts_data: both,
          destinations: ['mission'],
        },
      ],
    });
    expect(room.server.connections()).to.equal(0);
  });

  it('takes the host of a project', async () => {
    await room.layOut({
      install: {},
      files: {
        'project.json': JSON.stringify({
          kind: 'svc-project',
          version: 1,
          application: { path: 'svc.json' },
          host: { path: 'svc-host.json' },
        }),
      },
    });
    expect(await room.command(['models', 'project.json'])).to.include({ status: 0, stdout: '{"installations":[]}\n' });
  });

  it('needs exactly one of both, and a project rather than a manifest', async () => {
    await room.layOut({
      files: { 'project.json': JSON.stringify({ kind: 'svc-project', version: 1, application: { path: 'svc.json' } }) },
    });
    for (const [argv, code] of [
      [['models'], 'invalid_arguments'],
      [['models', 'svc.json'], 'invalid_arguments'],
      [['models', 'project.json', '--host-config', 'svc-host.json'], 'invalid_arguments'],
      [['models', 'project.json'], 'project_host_undeclared'],
    ] as const) {
      const { status, stderr, stdout } = await room.command(argv);
      expect({ status, stdout }, argv.join(' ')).to.deep.equal({ status: 2, stdout: '' });
      expect(stderr).to.include(`error: arguments/${code}: `);
    }
    await room.layOut({ files: { 'svc-host.json': '{"install":{"a":{"source":"llm"}}}' } });
    expect(await room.command(LISTED)).to.include({ status: 3, stdout: '' });
  });

  it('shows a terminal what is known of each model', async () => {
    await room.layOut({ install: { shown: room.model({ model: 'openai:gpt-4o' }), mine: room.model() } });
    const { stdout } = await runToEnd({
      program: 'script',
      argv: ['-qec', `'${PROGRAM}' ${LISTED.join(' ')}`, '/dev/null'],
      directory: room.directory,
      environment: { TERM: 'dumb', SHELL: '/bin/sh' },
    });
    expect(stdout)
      .to.match(/^shown +llm +r1\r$/m)
      .and.to.match(/^ {2}openai:gpt-4o\r$/m)
      .and.to.match(/^ {2}tokens: context \d+, output 16384\r$/m)
      .and.to.match(/^ {2}price of a million tokens: \$\d/m);
    expect(stdout).to.match(/^mine +llm +r1\r\n {2}its selector is not shown\r\n[^]*not in the catalogue/m);
  });
});
