import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../until.ts';
import { start, type Ended } from './program.ts';
import { runResident } from './resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from './work-directory.ts';

const PROJECT = {
  kind: 'svc-project',
  version: 1,
  application: { path: 'svc.json' },
  artifacts: { root: 'artifacts', trace: true, inspection: true, result: true, envelope: true },
};
const MANIFEST = {
  version: 1,
  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
  input: { value: { wait: false } },
};
const FILES = {
  'p.json': PROJECT,
  'bare.json': { kind: 'svc-project', version: 1, application: { path: 'svc.json' } },
  'svc.json': MANIFEST,
  'main.clj': '(ns main)\n(defn run [input] (if (get input "wait") (loop [] (recur)) 1))\n',
  'wait.json': { wait: true },
};
const HOUR_S = 3600;

describe('svc prune (cli.md §10)', () => {
  let directory: string;
  beforeEach(() => {
    directory = makeWorkDirectory(FILES);
  });
  afterEach(() => removeWorkDirectory(directory));

  const svc = (...argv: readonly string[]): Promise<Ended> => runResident({ argv, directory });
  const below = (folder: string): readonly string[] => readdirSync(join(directory, 'artifacts', folder)).toSorted();
  const refs = (): readonly string[] => below('envelopes').map((name) => name.replace('.json', ''));

  async function runs(count: number): Promise<readonly string[]> {
    const before = new Set(count > 0 && snapshot(directory).has('artifacts/envelopes/') ? refs() : []);
    for (let nth = 0; nth < count; nth += 1) expect((await svc('run', 'p.json')).status).to.equal(0);
    return refs().filter((ref) => !before.has(ref));
  }
  /** All artifacts of these runs were last changed so long ago. */
  function age(of: readonly string[], seconds: number): void {
    const at = Date.now() / 1000 - seconds;
    for (const folder of ['traces', 'inspection', 'results', 'envelopes']) {
      for (const name of below(folder))
        if (of.some((ref) => name.startsWith(ref))) utimesSync(join(directory, 'artifacts', folder, name), at, at);
    }
  }
  function report({ status, stdout, stderr }: Ended): Record<string, unknown> {
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  it('deletes what is older, and leaves what is younger or kept', async () => {
    const [old, stored] = await runs(2);
    if (old === undefined || stored === undefined) throw new Error('two runs');
    age([old, stored], 49 * HOUR_S);
    const [young] = await runs(1);
    mkdirSync(join(directory, 'artifacts/keep'), { mode: 0o700 });
    writeFileSync(join(directory, 'artifacts/keep', stored), '');
    const planned = report(await svc('prune', 'p.json', '--max-age-days', '2', '--dry-run'));
    expect(planned).to.include({ dry_run: true, kept_exceeds_max_bytes: false });
    expect(planned).to.deep.include({ deleted: [old], kept: [stored], skipped: [], dangling_keep_markers: [] });
    expect(refs()).to.have.members([old, stored, young]);
    expect(report(await svc('prune', 'p.json', '--max-age-days', '2'))).to.deep.equal({ ...planned, dry_run: false });
    for (const folder of ['traces', 'inspection', 'results', 'envelopes']) {
      expect(
        below(folder).map((name) => name.slice(0, name.indexOf('.'))),
        folder,
      ).to.have.members([stored, young]);
    }
  });

  it('leaves a run that goes on while it deletes others', async () => {
    const old = await runs(2);
    age(old, 49 * HOUR_S);
    const running = start({ argv: ['run', 'p.json', '--input', 'wait.json'], directory });
    await until('the run reserves its trace', () =>
      below('traces').some((name) => name.startsWith('.svc-private-')) ? true : undefined,
    );
    const { deleted, skipped } = report(await svc('prune', 'p.json', '--max-bytes', '0'));
    expect(deleted).to.have.members(old);
    // It may have left a first file already.
    for (const each of Object(skipped))
      expect(each)
        .to.deep.include({ reason: 'in_progress' })
        .and.satisfy(({ run_ref: ref }: { readonly run_ref: string }) => !old.includes(ref));
    running.child.kill('SIGINT');
    expect((await running.ended).status).to.equal(130);
    expect(below('traces').filter((name) => name.endsWith('.jsonl'))).to.have.length(1);
  });

  it('may run twice at once', async () => {
    const old = await runs(4);
    age(old, 49 * HOUR_S);
    const [one, other] = (
      await Promise.all([svc('prune', 'p.json', '--max-bytes', '0'), svc('prune', 'p.json', '--max-bytes', '0')])
    ).map(report);
    expect([...Object(one).deleted, ...Object(other).deleted]).to.have.members(old);
    expect(refs()).to.deep.equal([]);
  });

  for (const [what, argv, status, line] of [
    [
      'a project without artifacts',
      ['bare.json', '--max-bytes', '0'],
      7,
      /^error: prune\/prune_unavailable: .*; the project has no artifacts\.root\n/,
    ],
    [
      'an application',
      ['svc.json', '--max-bytes', '0'],
      2,
      /^error: arguments\/invalid_arguments: .*; svc\.json is an application; name the project document/,
    ],
    [
      'a file that is not there',
      ['none.json', '--max-bytes', '0'],
      3,
      /^error: prune\/application_not_found: .*; it is the document that the command names \(none\.json\); /,
    ],
    [
      'a project of which nothing ran',
      ['p.json', '--max-bytes', '0'],
      7,
      /^error: prune\/prune_unavailable: .*; no run has left artifacts yet\n/,
    ],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const ended = await svc('prune', ...argv);
      expect(ended.status).to.equal(status);
      expect(ended.stdout).to.equal('');
      expect(ended.stderr).to.match(line);
    });
  }
});
