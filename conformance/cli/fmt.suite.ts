/** `svc fmt` (cli.md §10, fmt). */
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { PROGRAM } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from './work-directory.ts';

const UNTIDY = '(ns main)\n(defn run [input]\n(inc 1)) ; as it is \n';
const TIDY = '(ns main)\n(defn run [input]\n  (inc 1)) ; as it is \n';
const FILES = {
  'svc.json': {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    input: { value: {} },
  },
  'main.clj': UNTIDY,
  'other.clj': UNTIDY,
};

describe('svc fmt (cli.md §10, fmt)', () => {
  let directory = '';
  beforeEach(() => {
    directory = makeWorkDirectory(FILES);
  });
  afterEach(() => {
    removeWorkDirectory(directory);
  });

  function fmt(
    argv: readonly string[],
    input: string | Buffer = '',
  ): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(PROGRAM, ['fmt', ...argv], { cwd: directory, input, encoding: 'utf8' });
  }
  const read = (name: string): string => readFileSync(join(directory, name), 'utf8');

  it('lays out the components of the application, and leaves nothing beside them', () => {
    chmodSync(join(directory, 'main.clj'), 0o640);
    expect(fmt([])).to.include({ status: 0, stdout: 'main.clj\n', stderr: '' });
    expect(read('main.clj')).to.equal(TIDY);
    expect(read('other.clj')).to.equal(UNTIDY);
    expect(statSync(join(directory, 'main.clj')).mode & 0o777).to.equal(0o640);
    expect(readdirSync(directory).toSorted()).to.deep.equal(['main.clj', 'other.clj', 'svc.json']);
    expect(fmt([])).to.include({ status: 0, stdout: '', stderr: '' });
  });

  it('with --check names what would change, changes nothing and exits with 1', () => {
    const before = snapshot(directory);
    expect(fmt(['--check', 'main.clj', 'other.clj'])).to.include({ status: 1, stdout: 'main.clj\nother.clj\n' });
    expect(snapshot(directory)).to.deep.equal(before);
    fmt(['main.clj']);
    expect(fmt(['--check', 'main.clj'])).to.include({ status: 0, stdout: '' });
  });

  it('lays out standard input', () => {
    expect(fmt(['--stdin'], UNTIDY)).to.include({ status: 0, stdout: TIDY });
    expect(fmt(['--stdin', '--check'], UNTIDY)).to.include({ status: 1, stdout: '' });
    expect(fmt(['--stdin'], '')).to.include({ status: 0, stdout: '' });
  });

  it('says where a text cannot be read, and lays out the others', () => {
    writeFileSync(join(directory, 'broken.clj'), '(a\n(b]\n');
    const { status, stdout, stderr } = fmt(['broken.clj', 'none.clj', 'mian.clj', 'main.clj', '.']);
    expect(status).to.equal(3);
    expect(stdout).to.equal('main.clj\n');
    expect(stderr)
      .to.match(/broken\.clj:2:3: /)
      .and.include('none.clj: there is no such file\n')
      .and.include('mian.clj: there is no such file; did you mean main.clj?\n')
      .and.include('it is no file');
    expect(read('broken.clj')).to.equal('(a\n(b]\n');
    expect(fmt(['--stdin'], '(')).to.include({ status: 3, stdout: '' });
    expect(fmt(['--stdin'], Buffer.from([0x28, 0xff, 0x29]))).to.include({ status: 3, stdout: '' });
  });

  it('takes a text of 2000000 bytes and none of more', () => {
    const filled = (bytes: number): string => `${';'.repeat(bytes - 1)}\n`;
    for (const bytes of [1_999_999, 2_000_000]) expect(fmt(['--stdin', '--check'], filled(bytes)).status).to.equal(0);
    expect(fmt(['--stdin'], filled(2_000_001))).to.include({ status: 3, stdout: '' });
  });

  it('keeps a link a link', () => {
    symlinkSync('main.clj', join(directory, 'link.clj'));
    expect(fmt(['link.clj']).status).to.equal(0);
    expect(read('main.clj')).to.equal(TIDY);
    expect(fmt(['link.clj']).stdout).to.equal('');
  });

  it('refuses wrong arguments, and a folder without an application', () => {
    expect(fmt(['--stdin', 'main.clj']).status).to.equal(2);
    expect(fmt(['--chek']).status).to.equal(2);
    const empty = makeWorkDirectory();
    try {
      const { status, stderr } = spawnSync(PROGRAM, ['fmt'], { cwd: empty, encoding: 'utf8' });
      expect(status).to.equal(3);
      expect(stderr).to.include('svc-project.json');
    } finally {
      removeWorkDirectory(empty);
    }
  });
});
