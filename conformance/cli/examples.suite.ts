import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { validEnvelope } from './envelope-check.ts';
import { SCRIPTED } from './examples/failed-run.ts';
import { FURTHER, OFFERED, QUOTES, STEPS, type ExampleStep } from './examples/steps.ts';
import { mismatches } from './match.ts';
import { PROGRAM } from './program.ts';
import { runResident } from './resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory } from './work-directory.ts';

/** A key that nobody is shown, and the server of files that comes with the program. */
const ENVIRONMENT = { OPENROUTER_API_KEY: 'none', PATH: [dirname(PROGRAM), process.env['PATH'] ?? ''].join(delimiter) };
const EXAMPLES = join(import.meta.dirname, '../../examples');

describe('svc init --example (cli.md §8, §9)', () => {
  let directory: string;
  beforeEach(() => {
    directory = makeWorkDirectory();
  });
  afterEach(() => {
    removeWorkDirectory(directory);
  });

  const layOut = async (tree: string): Promise<void> => {
    expect(await runResident({ argv: ['init', tree, '--example', tree], directory })).to.deep.include({ status: 0 });
  };
  const offlineOptions = ({ tree, offline }: ExampleStep): readonly string[] =>
    offline === null || offline === '' ? [] : ['--host-config', `${tree}/${offline}/svc-host.replay.json`];
  const project = ({ tree, step }: Pick<ExampleStep, 'tree' | 'step'>): string =>
    `${tree}/${step === null ? '' : `${step}.`}svc-project.json`;

  for (const [tree, list] of Object.entries(OFFERED)) {
    it(`${tree}: the published list, for its owner alone`, async () => {
      const envelope = validEnvelope(
        (await runResident({ argv: ['--json', 'init', 'app', '--example', tree], directory })).stdout,
      );
      expect(envelope).to.deep.include({ command: 'init', status: 'ok', result: { created: list } });
      expect(readdirSync(join(directory, 'app'))).to.have.members([...list]);
    });
  }

  for (const [tree, list] of Object.entries(FURTHER)) {
    it(`${tree}: all of it, listed in a pipe and under --json; no envelope can list it`, async () => {
      const created = { created: list };
      expect(await runResident({ argv: ['init', 'app', '--example', tree], directory })).to.deep.include({
        status: 0,
        stdout: `${JSON.stringify(created)}\n`,
        stderr: '',
      });
      expect(readdirSync(join(directory, 'app'))).to.have.members([...list]);
      const { stdout } = await runResident({ argv: ['--json', 'init', 'other', '--example', tree], directory });
      expect(JSON.parse(stdout)).to.deep.include({ command: 'init', status: 'ok', result: created });
      const refused = await runResident({
        argv: ['init', 'third', '--example', tree, '--envelope', 'envelope.json'],
        directory,
      });
      expect(refused.status).to.equal(2);
      expect(refused.stderr)
        .to.include('arguments/invalid_arguments: option --envelope is not accepted with these arguments')
        .and.include('leave out --envelope');
      expect(readdirSync(directory)).to.have.members(['app', 'other']);
    });
  }

  it('hosted-runner and the agent of gateway are valid, and the pins of gateway hold', async () => {
    await layOut('hosted-runner');
    await layOut('gateway');
    const argvs = [
      ['validate', 'hosted-runner/application/svc.json'],
      ['validate', 'gateway/refunds.svc-project.json'],
      ['gateway', 'gateway/gateway.json', '--check'],
    ];
    const environment = { GATEWAY_TOKEN: 'x'.repeat(32) };
    for (const argv of argvs) {
      const { status, stderr } = await runResident({ argv, directory, environment });
      expect({ argv, status, stderr }).to.deep.equal({ argv, status: 0, stderr: '' });
    }
  });

  for (const example of STEPS) {
    const {
      tree,
      step,
      value,
      requests,
      offline,
      leaves,
      captures = [],
      isPrivate = false,
      exit = 0,
      failure,
    } = example;
    const name = `${tree}${step === null ? '' : `, ${step}`}`;
    it(`${name} is valid, with its own host and offline`, async () => {
      await layOut(tree);
      for (const options of [[], offlineOptions(example)]) {
        const { status, stderr } = await runResident({ argv: ['validate', project(example), ...options], directory });
        expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      }
    });

    it(`${name} comes to its value without a network`, async () => {
      await layOut(tree);
      for (const argv of captures)
        expect(await runResident({ argv: ['run', ...argv], directory: join(directory, tree) })).to.deep.include({
          status: 5,
        });
      const output = isPrivate ? ['--private-output', 'value.json'] : [];
      const { status, stdout, stderr } = await runResident({
        argv: ['run', project(example), ...offlineOptions(example), '--inspect', 'run.svcins', ...output],
        directory,
        environment: ENVIRONMENT,
      });
      if (failure === undefined) expect(stderr).to.equal('');
      else expect(stderr).to.include(failure);
      expect(status).to.equal(exit);
      if (value !== undefined)
        expect(
          mismatches(value, JSON.parse(isPrivate ? readFileSync(join(directory, 'value.json'), 'utf8') : stdout), ''),
        ).to.deep.equal([]);
      if (isPrivate && value !== undefined)
        expect(JSON.parse(stdout)).to.deep.equal({ artifact_class: 'private', status: 'ok' });
      if (leaves !== undefined) expect(readFileSync(join(directory, tree, leaves), 'utf8')).to.match(/\w/);
      if (offline === null) return;
      const fixtures = [tree, offline, 'replay.jsonl'].filter((part) => part !== '').join('/');
      const checked = await runResident({
        argv: ['fixtures', 'check', '--fixtures', fixtures, '--inspection', 'run.svcins'],
        directory,
      });
      expect(JSON.parse(checked.stdout)).to.deep.equal({
        entries: requests,
        missing: [],
        unused: [],
        unused_answers: [],
      });
    });
  }

  it('adaptive-web-parser, node run.mjs: repairs once, adopts, and asks no model again', async () => {
    await layOut('adaptive-web-parser');
    const before = readdirSync(join(directory, 'adaptive-web-parser'));
    const { stdout, stderr } = await promisify(execFile)('node', ['run.mjs'], {
      cwd: join(directory, 'adaptive-web-parser'),
      env: { ...process.env, SVC: PROGRAM },
    });
    expect(stderr).to.equal('');
    const [first, second, ...more] = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(first).to.deep.include({
      status: 'passed',
      mode: 'repaired',
      records: QUOTES,
      checks: { original: 2, held_out: 2 },
    });
    expect(first).to.have.nested.property('llm_usage[0].calls', 2);
    expect(second).to.deep.equal({ status: 'passed', mode: 'reused', records: QUOTES, llm_usage: [] });
    expect(more).to.deep.equal([]);
    expect(readdirSync(join(directory, 'adaptive-web-parser')).filter((name) => !before.includes(name))).to.deep.equal([
      '.svc',
    ]);
  });

  it('every step of every tree is held to its value', () => {
    const projects = readdirSync(EXAMPLES).flatMap((tree) =>
      readdirSync(join(EXAMPLES, tree))
        .filter((name) => name.endsWith('svc-project.json'))
        .map((name) => `${tree}/${name}`),
    );
    // The host of one is a program of its own (integration/capabilities), that of another a gateway
    // (integration/gateway), and the third asks a person: its cases are replayed (conformance/trials).
    const elsewhere = new Set([
      'custom-capabilities/svc-project.json',
      'gateway/refunds.svc-project.json',
      'refund-approvals/svc-project.json',
    ]);
    expect([...STEPS, ...SCRIPTED].map(project)).to.have.members(projects.filter((path) => !elsewhere.has(path)));
  });
});
