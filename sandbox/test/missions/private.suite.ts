/** A private run keeps what its missions handle to its owner (runtime.md §7, §12; evidence.md §1, §4). */
import { expect } from 'chai';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { envelopeText } from '../../../contract/envelope/text.ts';
import { useSupervisor, type Application } from '../../../supervisor/test/capabilities/runs.ts';

const SECRET = 'planted-5c1f0e';

/** A workflow that evaluates these programs in a mission that was granted the secret, and then does the last thing. */
function handling(programs: readonly string[], last: string): Application {
  const evaluations = programs.map(
    (program) => `(kernel/eval-source-with "m" ${JSON.stringify(program)} {"token" "${SECRET}-params"})`,
  );
  return {
    components: [{ library: 'kernel' }],
    missions: { m: { components: [], data: { token: `${SECRET}-data` }, providers: [] } },
    selected: { workflow: [], mission: [] },
    privateEvents: true,
    body: `(let [all [${evaluations.join(' ')}]] (println "${SECRET}-workflow" all) ${last})`,
  };
}

const PROGRAMS = [
  `(def kept data/token) (println kept) {:value kept :params data/params}`,
  `(fail {:kind "${SECRET}-kind" :value data/token})`,
  `(return [kept (str "${SECRET}-source")])`,
  `(throw (ex-info (str data/token) {:data data/params}))`,
  `(nowhere "${SECRET}-unbound")`,
  `(tool/${SECRET}-tool {})`,
  `(inc data/token)`,
];

describe('a private run of missions', () => {
  const runs = useSupervisor();

  for (const [title, last, code] of [
    ['that succeeds', 'all', null],
    ['that fails with what it saw', `(fail {:kind "${SECRET}-last" :all all})`, 'explicit_failure'],
    ['whose workflow errs', `(throw (ex-info "${SECRET}-message" {:all all}))`, 'workflow_failed'],
  ] as const) {
    it(`${title} shows nothing of it outside the files of its owner`, async () => {
      const done = await runs.run(handling(PROGRAMS, last));
      expect([done.unexpected, done.code]).to.deep.equal([null, code]);
      expect(envelopeText(done.envelope)).to.not.include(SECRET);
      expect(done.envelope.artifact_class).to.equal('private');
      expect(JSON.stringify(done.events)).to.not.include(SECRET);
      expect(done.usage).to.deep.include({ evaluations_by_mission: { m: PROGRAMS.length } });
      const holding = new Set<string>();
      const folder = join(runs.root(), '.svc');
      for (const name of await readdir(folder, { recursive: true })) {
        const path = join(folder, name);
        const found = await stat(path);
        if (!found.isFile() || !(await readFile(path)).includes(SECRET)) continue;
        holding.add(name.slice(0, name.indexOf('/')));
        expect((found.mode & 0o777).toString(8), name).to.equal('600');
      }
      expect([...holding].toSorted()).to.deep.equal(code === null ? ['inspection', 'results'] : ['inspection']);
    });
  }

  it('has the programs, what they were and what they named, in its inspection', async () => {
    const done = await runs.run(handling(PROGRAMS, 'nil'));
    const sources = done.records
      .filter(({ type }) => type === 'evaluation-source')
      .map(({ payload }) => payload['source']);
    expect(sources).to.deep.equal(PROGRAMS);
    expect(done.records.filter(({ type }) => type === 'evaluation-analysis')).to.have.length(PROGRAMS.length - 2);
  });
});
