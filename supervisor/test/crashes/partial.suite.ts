import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readProvenPrefix } from '../../evidence/inspection/proven-prefix.ts';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from '../../../conformance/cli/work-directory.ts';
import { JOURNAL, type Kill } from './killing-file-system.ts';
import { useKilledRuns } from './killed-run.ts';

const FILES = {
  'svc.json': {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    input: { value: {} },
  },
  'p.json': {
    kind: 'svc-project',
    version: 1,
    application: { path: 'svc.json' },
    artifacts: { root: 'artifacts', trace: true, inspection: true },
  },
  'main.clj': '(ns main)\n(defn run [input] (println "seen") 1)\n',
};
/** The first line of the journal is synced while the run goes on: how far its inspection is by then is not said. */
const UNDERWAY: Kill = { step: JOURNAL, nth: 4, when: 'after' };
/** Everything was evaluated and sealed, and nothing has been published. */
const SEALED: Kill = { step: 'link', nth: 0, when: 'before' };
const PARTIAL = /^artifacts\/inspection\/cmd-[0-7][0-9a-z]{25}\.svcins\.partial$/;

describe('an inspection whose run was killed (evidence.md §6)', () => {
  const runs = useKilledRuns();

  /** What the file then holds at least, and how it may end. */
  const instants = [
    ['under way', UNDERWAY, 0, ['none', 'seal']],
    ['sealed', SEALED, 3, ['seal']],
  ] as const;
  for (const [state, kill, records, rests] of instants) {
    it(`${state}: is invisible until the next run, which keeps what it proves`, async () => {
      const directory = makeWorkDirectory(FILES);
      try {
        expect((await runs.run(directory, { isPrivate: false, kill })).signal).to.equal('SIGKILL');
        expect(
          [...snapshot(directory).keys()].filter((path) => path.endsWith('.svcins') || PARTIAL.test(path)),
        ).to.deep.equal([]);
        const next = await runToEnd({ argv: ['run', 'p.json'], directory });
        expect(next.status, next.stderr).to.equal(0);
        const left = [...snapshot(directory).keys()].filter(
          (path) => path.startsWith('artifacts/inspection/') && path !== 'artifacts/inspection/',
        );
        const [partial = '', ...more] = left.filter((path) => PARTIAL.test(path));
        expect({ more, files: left.length }).to.deep.equal({ more: [], files: 2 });
        const file = join(directory, partial);
        expect(statSync(file).mode & 0o777).to.equal(0o600);
        const proven = await readProvenPrefix(createReadStream(file), 20_000_000);
        expect(rests).to.include(proven.rest);
        expect(proven.records).to.be.at.least(records);
        // It stays as it is: the run after changes nothing.
        await runToEnd({ argv: ['run', 'p.json'], directory });
        expect([...snapshot(directory).keys()].filter((path) => PARTIAL.test(path))).to.deep.equal([partial]);
      } finally {
        removeWorkDirectory(directory);
      }
    });
  }
});
