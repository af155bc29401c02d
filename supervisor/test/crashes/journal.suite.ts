import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readJournal } from '../../evidence/publication/journal/states.ts';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from '../../../conformance/cli/work-directory.ts';
import { JOURNAL } from './killing-file-system.ts';
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
    artifacts: { root: 'artifacts', trace: true, result: true },
  },
  'main.clj': '(ns main)\n(defn run [input] {:n 1})\n',
  'input.json': {},
};

/**
 * Effects of a journal at most: its place, the sync of that, and a write and a sync for each state; lines that wait go
 * together.
 */
const EFFECTS = 16;
const SEALED: ReadonlySet<string | null | undefined> = new Set(['sealed', 'publishing', 'published']);
const NOTE = /^note: run cmd-\S+ was interrupted; [^/\n]+ \(result_hash: sha256:[0-9a-f]{64}\)\n$/;

describe('a run killed with SIGKILL after each effect of its journal (runtime.md §14, §15.1)', function () {
  this.timeout(600_000);
  const runs = useKilledRuns();

  for (const isPrivate of [false, true]) {
    const argv = ['run', 'p.json', ...(isPrivate ? ['--private-input', 'input.json'] : [])];
    it(`${isPrivate ? 'private' : 'normal'} run: the journal says how far it was; the next run sweeps it and tells of a value`, async () => {
      const seen = new Set<string | null>();
      for (let nth = 0; nth < EFFECTS; nth += 1) {
        const directory = makeWorkDirectory(FILES);
        try {
          const { signal } = await runs.run(directory, { isPrivate, kill: { step: JOURNAL, nth, when: 'after' } });
          if (signal === null) break;
          const place = `effect ${nth}`;
          const [entry, ...others] = readdirSync(join(directory, 'artifacts')).includes('runs')
            ? readdirSync(join(directory, 'artifacts/runs'))
            : [];
          expect(others, place).to.deep.equal([]);
          const state =
            entry === undefined ? null : readJournal(readFileSync(join(directory, 'artifacts/runs', entry))).state;
          seen.add(state);

          const next = await runToEnd({ argv, directory });
          expect(next.status, `${place}: ${next.stderr}`).to.equal(0);
          if (SEALED.has(state)) expect(next.stderr, place).to.match(NOTE);
          else expect(next.stderr, place).to.equal('');
          // Only a journal without its first line is left for a while.
          const left = [...snapshot(directory).keys()].filter((path) => path.startsWith('artifacts/runs'));
          expect(left, place).to.have.lengthOf(state === null && entry !== undefined ? 2 : 0);
        } finally {
          removeWorkDirectory(directory);
        }
      }
      expect([...seen]).to.include(null);
      expect(
        [...seen].some((state) => SEALED.has(state)),
        [...seen].join(),
      ).to.equal(true);
      expect(
        [...seen].some((state) => state !== null && !SEALED.has(state)),
        [...seen].join(),
      ).to.equal(true);
    });
  }

  it('nothing is left of a run that ends', async () => {
    const directory = makeWorkDirectory(FILES);
    await runs.run(directory, { isPrivate: false, kill: null });
    expect([...snapshot(directory).keys()].filter((path) => path.startsWith('artifacts/runs'))).to.deep.equal([]);
    removeWorkDirectory(directory);
  });
});
