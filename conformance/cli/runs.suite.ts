import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { start, type Ended } from './program.ts';
import { runResident } from './resident/resident.ts';
import { until } from '../until.ts';
import { makeWorkDirectory, removeWorkDirectory } from './work-directory.ts';

const PROJECT = {
  kind: 'svc-project',
  version: 1,
  application: { path: 'svc.json' },
  artifacts: { root: '.svc', trace: true, envelope: true, inspection: true },
};
const MANIFEST = {
  version: 1,
  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
  input: { value: { n: 1 } },
};
const FILES = {
  'svc-project.json': PROJECT,
  'svc.json': MANIFEST,
  'main.clj': '(ns main)\n(defn run [input] {"n" (/ 10 (get input "n"))})\n',
  'zero.json': { n: 0 },
  'five.json': { n: 5 },
};

interface Listed {
  readonly runs: readonly {
    readonly run_ref: string;
    readonly status: string;
    readonly interrupted: boolean;
    readonly input: string | null;
  }[];
  readonly total: number;
}

describe('svc runs, and words that stand for a run (first-day.md §1)', () => {
  let directory: string;
  beforeEach(() => {
    directory = makeWorkDirectory(FILES);
  });
  afterEach(() => removeWorkDirectory(directory));

  const svc = (...argv: readonly string[]): Promise<Ended> => runResident({ argv, directory });

  async function listed(...options: readonly string[]): Promise<Listed> {
    const { status, stdout, stderr } = await svc('runs', ...options);
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const list: Listed = JSON.parse(stdout);
    return list;
  }

  it('lists nothing of a project that has not run', async () => {
    expect(await listed()).to.deep.equal({ runs: [], total: 0 });
  });

  it('says of a run that was interrupted that it was, beside the code of its envelope', async () => {
    writeFileSync(join(directory, 'main.clj'), '(ns main)\n(defn run [_] (loop [n 0] (recur (inc n))))\n');
    const running = start({ argv: ['run'], directory });
    const traces = join(directory, '.svc/traces');
    await until('a trace of the run', () =>
      existsSync(traces) && readdirSync(traces).some((name) => statSync(join(traces, name)).size > 0)
        ? true
        : undefined,
    );
    running.child.kill('SIGINT');
    expect((await running.ended).status).to.equal(130);
    const [row] = (await listed()).runs;
    expect(row).to.include({ status: 'error', code: 'internal_error', interrupted: true });
  });

  it('lists runs newest first with their inputs, those that failed alone, and names them by words', async () => {
    expect((await svc('run', '--input', 'five.json')).status).to.equal(0);
    expect((await svc('run', '--input', 'zero.json')).status).to.equal(5);
    expect((await svc('run')).status).to.equal(0);
    const all = await listed('svc-project.json');
    expect(all.runs.map(({ status, input }) => [status, input])).to.deep.equal([
      ['ok', null],
      ['error', 'zero.json'],
      ['ok', 'five.json'],
    ]);
    expect(await listed('--limit', '1')).to.deep.equal({ runs: all.runs.slice(0, 1), total: 3 });
    expect((await listed('--failed')).runs).to.deep.equal(all.runs.slice(1, 2));
    expect(await listed('--json')).to.deep.equal(all);

    const failed = all.runs[1]?.run_ref ?? '';
    const explained = (await svc('explain', 'latest-failed')).stdout;
    expect(explained).to.include(failed).and.to.include('evaluation_failed');
    expect((await svc('explain', failed.slice(0, 14))).stdout).to.equal(explained);
    expect((await svc('explain', 'latest', '--project', 'svc-project.json')).stdout).to.include(all.runs[0]?.run_ref);

    const advised = /next {6}(svc transcript .+transcript\.json) shows/.exec(explained)?.[1] ?? '';
    mkdirSync(join(directory, 'private'));
    expect((await svc(...advised.split(' ').slice(1))).status).to.equal(0);
    expect(statSync(join(directory, 'private/transcript.json')).size).to.be.greaterThan(0);
    expect(explained).not.to.include('DIR');

    const recorded = await svc('fixtures', 'record', 'latest', '--out', 'replay.jsonl');
    expect(recorded.stderr).to.include('the inspected run has no answer of a model');
  });

  it('says which project knows no such run', async () => {
    await svc('run');
    const { status, stderr } = await svc('explain', 'latest-failed');
    expect(status).to.equal(3);
    expect(stderr).to.include('no run of the project failed');
    expect((await svc('explain', 'cmd-7zzzzzzz')).stderr).to.include('svc runs lists them');
  });

  it('is right again when runs went and came', async () => {
    for (const input of ['five.json', 'zero.json']) await svc('run', '--input', input);
    expect((await listed()).total).to.equal(2);
    for (const folder of ['traces', 'envelopes', 'inspection'])
      for (const name of readdirSync(join(directory, '.svc', folder))) rmSync(join(directory, '.svc', folder, name));
    expect(await listed()).to.deep.equal({ runs: [], total: 0 });
    await svc('run');
    expect((await listed()).runs).to.have.lengthOf(1);
  });

  it('opens no private trace', async () => {
    await svc('run', '--private-input', 'five.json', '--private-output', 'out.json');
    const [trace = ''] = readdirSync(join(directory, '.svc/traces'));
    expect(trace).to.match(/\.private\.jsonl$/);
    expect(readFileSync(join(directory, '.svc/traces', trace), 'utf8')).not.to.include('five.json');
    writeFileSync(join(directory, '.svc/traces', trace), 'damaged');
    const [run] = (await listed()).runs;
    expect(run).to.include({ status: 'ok', input: null });
  });
});
