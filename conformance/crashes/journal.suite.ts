import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readJournal } from '../../supervisor/journal/states.ts';
import { runToEnd } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from '../cli/work-directory.ts';
import { JOURNAL } from './killing-file-system.ts';
import { buildKilledRuns } from './killed-run.ts';
import type { KilledRuns } from './killed-run.ts';

const FILES = {
  'svc.json': { version: 1, workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' }, input: { value: {} } },
  'p.json': { kind: 'svc-project', version: 1, application: { path: 'svc.json' }, artifacts: { root: 'artifacts', trace: true, result: true } },
  'main.clj': '(ns main)\n(defn run [input] {:n 1})\n',
  'input.json': {},
};

/** What the journal says after each of its effects: two make its place, one syncs that, then a line is written and synced. */
const STATES = [null, null, null, ...['prepared', 'authorized', 'running', 'draining', 'sealed', 'publishing'].flatMap((state) => [state, state]), 'published'];
const SEALED: ReadonlySet<string | null | undefined> = new Set(['sealed', 'publishing', 'published']);
const NOTE = /^note: run cmd-\S+ was interrupted; [^/\n]+ \(result_hash: sha256:[0-9a-f]{64}\)\n$/;

describe('a run killed with SIGKILL after each effect of its journal (runtime.md §14, §15.1)', function () {
  this.timeout(300_000);
  let runs: KilledRuns;
  before(async () => { runs = await buildKilledRuns(); });
  after(() => { runs.remove(); });

  for (const isPrivate of [false, true]) {
    const argv = ['run', 'p.json', ...(isPrivate ? ['--private-input', 'input.json'] : [])];
    for (const [nth, state] of STATES.entries()) {
      it(`${isPrivate ? 'private' : 'normal'} run, effect ${nth}: the journal says ${state ?? 'nothing'}; the next run sweeps it${SEALED.has(state) ? ' and tells of the value' : ''}`, async () => {
        const directory = makeWorkDirectory(FILES);
        try {
          expect((await runs.run(directory, { isPrivate, kill: { step: JOURNAL, nth, when: 'after' } })).signal).to.equal('SIGKILL');
          const entries = readdirSync(join(directory, 'artifacts/runs'));
          expect(entries).to.have.lengthOf(nth === 0 ? 0 : 1);
          for (const entry of entries) expect(readJournal(readFileSync(join(directory, 'artifacts/runs', entry))).state).to.equal(state);

          const next = await runToEnd({ argv, directory });
          expect(next.status, next.stderr).to.equal(0);
          if (SEALED.has(state)) expect(next.stderr).to.match(NOTE);
          else expect(next.stderr).to.equal('');
          // Only a journal without its first line is left for a while.
          const left = [...snapshot(directory).keys()].filter((path) => path.startsWith('artifacts/runs'));
          expect(left).to.have.lengthOf(state === null && nth > 0 ? 2 : 0);
        } finally {
          removeWorkDirectory(directory);
        }
      });
    }
  }

  it('nothing is left of a run that ends', async () => {
    const directory = makeWorkDirectory(FILES);
    await runs.run(directory, { isPrivate: false, kill: null });
    expect([...snapshot(directory).keys()].filter((path) => path.startsWith('artifacts/runs'))).to.deep.equal([]);
    removeWorkDirectory(directory);
  });
});
