/** `svc watch` (first-day.md §1): a round at each change of what the application names. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../until.ts';
import { start, type Started } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory } from './work-directory.ts';

const SOURCE = (greeting: string): string => `(ns main) (defn run [input] {:said "${greeting}"})`;
const FILES = {
  'svc-project.json': {
    kind: 'svc-project',
    version: 1,
    application: { path: 'svc.json' },
    artifacts: { root: '.svc', trace: true },
  },
  'svc.json': {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    input: { value: {} },
  },
  'main.clj': SOURCE('hello'),
  'tests/greets.json': { name: 'greets', expect: { value: { said: 'hello' } } },
};

describe('svc watch (first-day.md §1)', () => {
  let directory = '';
  let watching: Started;
  let said = '';
  beforeEach(async () => {
    directory = makeWorkDirectory(FILES);
    said = '';
    watching = start({ argv: ['watch'], directory });
    for (const stream of [watching.child.stdout, watching.child.stderr])
      stream?.on('data', (text: string) => (said += text));
    await rounds(1);
  });
  afterEach(async () => {
    watching.child.kill('SIGKILL');
    await watching.ended;
    removeWorkDirectory(directory);
  });

  const count = (words: string): number => said.split(words).length - 1;
  const rounds = async (number: number): Promise<void> =>
    void (await until(`round ${number}`, () => (count('Ctrl-C ends') >= number ? true : undefined)));
  const write = async (path: string, text: string): Promise<void> => writeFile(join(directory, path), text);

  it('validates and tests, and again after a save, a replaced file and a mistake', async () => {
    expect(said)
      .to.match(/^\d\d:\d\d:\d\d valid$/m)
      .and.match(/pass {2}greets/);
    await write('main.clj', SOURCE('goodbye'));
    await rounds(2);
    expect(said).to.match(/FAIL {2}greets/);
    // As editors do that write beside and rename.
    await write('main.clj~', SOURCE('hello'));
    await rename(join(directory, 'main.clj~'), join(directory, 'main.clj'));
    await rounds(3);
    expect(count('pass  greets')).to.equal(2);
    await write('main.clj', '(ns main) (defn run [input]');
    await rounds(4);
    expect(said)
      .to.match(/not valid/)
      .and.include('main.clj');
    await write('main.clj', SOURCE('hello'));
    await rounds(5);
    expect(count('pass  greets')).to.equal(3);
  });

  it('sees files that go and come, and cases that are new', async () => {
    await rm(join(directory, 'main.clj'));
    await rounds(2);
    expect(count('not valid')).to.equal(1);
    await write('main.clj', SOURCE('hello'));
    await rounds(3);
    await write('tests/more.json', JSON.stringify({ name: 'greets more', expect: { value: { said: 'hello' } } }));
    await rounds(4);
    expect(said).to.include('pass  greets more');
  });

  it('makes one round of many saves, and none of what is none of its files', async () => {
    for (let at = 0; at < 20; at += 1) await write('main.clj', SOURCE(`hello ${at}`));
    await write('main.clj', SOURCE('hello'));
    await rounds(2);
    await mkdir(join(directory, 'elsewhere'));
    await write('elsewhere/notes.txt', 'notes');
    await write('main.clj', SOURCE('last'));
    await until('the last save', () => (said.includes('FAIL  greets') ? true : undefined));
    expect(count('pass  greets') + count('FAIL  greets')).to.be.at.most(4);
  });

  it('ends with Ctrl-C in the middle of a round, and says no more than that', async () => {
    await write('main.clj', '(ns main) (defn run [input] (loop [] (recur)))');
    await until('a round that goes on', () => (count(' valid\n') >= 2 ? true : undefined));
    const before = said.length;
    watching.child.kill('SIGINT');
    const { status, stderr } = await watching.ended;
    expect([status, stderr]).to.deep.equal([0, '']);
    const lines = said.slice(before).split('\n').filter(Boolean);
    expect(
      lines.every((line) => /^(?:skip|FAIL) {2}greets|^ {6}run: |^interrupted$|^0 passed, |^report: /u.test(line)),
      said,
    ).to.equal(true);
    expect(lines.filter((line) => line === 'interrupted').length).to.be.at.most(1);
  });

  it('ends with Ctrl-C', async () => {
    watching.child.kill('SIGINT');
    const { status, stderr } = await watching.ended;
    expect([status, stderr]).to.deep.equal([0, '']);
  });
});
