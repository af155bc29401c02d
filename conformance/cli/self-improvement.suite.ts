import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { SCRIPTED } from './examples/failed-run.ts';
import { PROGRAM } from './program.ts';
import { runResident } from './resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from './work-directory.ts';

const WORK = '.svc-private-improvement';

interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The script by its own shell, from a folder beside the tree. */
async function script(directory: string, ...argv: readonly string[]): Promise<Finished> {
  try {
    return {
      code: 0,
      ...(await promisify(execFile)('sh', ['app/run-self-improvement.sh', ...argv], {
        cwd: directory,
        env: { PATH: process.env['PATH'], SVC: PROGRAM },
      })),
    };
  } catch (error) {
    const { code, stdout, stderr } = Object(error);
    return { code, stdout, stderr };
  }
}

describe('debug-a-failed-run, run-self-improvement.sh (cli.md §9)', () => {
  let directory: string;
  let tree: string;
  beforeEach(async () => {
    directory = makeWorkDirectory();
    tree = join(directory, 'app');
    expect(await runResident({ argv: ['init', 'app', '--example', 'debug-a-failed-run'], directory })).to.deep.include({
      status: 0,
    });
  });
  afterEach(() => {
    removeWorkDirectory(directory);
  });

  const valueOf = (name: string): unknown => JSON.parse(readFileSync(join(tree, WORK, `${name}.json`), 'utf8'));
  const ownFiles = () => [...snapshot(tree)].filter(([path]) => !/(?:^|\/)\.svc/.test(path));

  it('goes through all five stages without a network, twice, and changes no file of the tree', async () => {
    const before = ownFiles();
    for (const time of ['first', 'again']) {
      const { code, stdout, stderr } = await script(directory, '-');
      expect({ time, code, stderr }).to.deep.equal({ time, code: 0, stderr: '' });
      expect(stdout.match(/^\d\. /gm)).to.deep.equal(['1. ', '2. ', '3. ', '4. ', '5. ']);
      expect(stdout.match(/exit 5: \S+/g)).to.deep.equal([
        'exit 5: target.svc-project.json',
        'exit 5: variants/workflow-control/svc-project.json',
        'exit 5: self-check.svc-project.json',
        'exit 5: self-check-workflow.svc-project.json',
      ]);
    }
    const checks = { same_run: true, same_program: true, page_reached: true };
    expect(valueOf('self-check')).to.deep.equal({ boundary_kind: 'mission', checks });
    expect(valueOf('self-check-workflow')).to.deep.equal({ boundary_kind: 'workflow', checks });
    expect(valueOf('self-debugger')).to.deep.include({ decision: 'diagnosed', component_id: 'pricing.rule' });
    expect([valueOf('own-order'), valueOf('next-order'), valueOf('empty-order')]).to.deep.equal([
      { order: 'order A-100 over 100', total: 120 },
      { order: 'order B-250 over 250', total: 270 },
      { order: 'order C-0 over 0', total: 20 },
    ]);
    expect(ownFiles()).to.deep.equal(before);
  });

  it('the helper as it is fails the checks because it shows another program than the one that is proved', async () => {
    expect(await runResident({ argv: ['run', 'target.svc-project.json'], directory: tree })).to.deep.include({
      status: 5,
    });
    expect(
      await runResident({ argv: ['run', 'self-check.svc-project.json', '--envelope', 'check.json'], directory: tree }),
    ).to.deep.include({ status: 5 });
    const inspection = join(tree, '.svc-private-debugger/inspection');
    const [name = ''] = readdirSync(inspection);
    const failure =
      readFileSync(join(inspection, name), 'utf8')
        .split('\n')
        .find((line) => line.includes('"record_type":"explicit-failure-value"')) ?? '';
    expect(Object(JSON.parse(failure)).record.payload.value).to.deep.equal({
      kind: 'helper-disagrees',
      checks: { same_run: true, same_program: false, page_reached: false },
    });
  });

  it('stops at a target that no longer fails, before anything is asked', async () => {
    const rule = join(tree, 'target/rule.clj');
    writeFileSync(rule, readFileSync(rule, 'utf8').replace('(+ net 2)', '(+ net 20)'));
    const { code, stdout, stderr } = await script(directory, '-');
    expect({ code, stages: stdout.match(/^\d\. /gm) }).to.deep.equal({ code: 1, stages: ['1. '] });
    expect(stderr).to.include('a run that is to fail with status 5 ended with 0');
    expect(existsSync(join(tree, '.svc-private-debugger'))).to.equal(false);
  });

  it('reads the environment file that it is given, from where it is called, and ends with what the program says of it', async () => {
    writeFileSync(join(directory, 'my.env'), 'A LINE THAT IS NONE\n');
    for (const [name, code] of [
      ['my.env', 'environment_file_invalid'],
      ['nobody.env', 'environment_file_not_found'],
    ] as const) {
      const { code: status, stdout, stderr } = await script(directory, name);
      expect({ status, stages: stdout.match(/^\d\. /gm) }).to.deep.equal({ status: 4, stages: ['1. ', '2. '] });
      expect(stderr).to.include(`local_preflight/${code}`);
    }
  });

  it('says how it is used where it is given nothing', async () => {
    expect(await script(directory)).to.deep.equal({
      code: 2,
      stdout: '',
      stderr: 'usage: sh run-self-improvement.sh ENVFILE|-\n',
    });
  });

  it('every application of it is valid, with its own host and offline', async () => {
    for (const { step, offline } of SCRIPTED) {
      for (const options of [[], offline === null ? [] : ['--host-config', `${offline}/svc-host.replay.json`]]) {
        const { status, stderr } = await runResident({
          argv: ['validate', `${step}.svc-project.json`, ...options],
          directory: tree,
        });
        expect({ step, status, stderr }).to.deep.equal({ step, status: 0, stderr: '' });
      }
    }
  });
});
