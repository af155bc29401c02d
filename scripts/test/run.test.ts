import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { TestRun } from './run.ts';

const root = join(import.meta.dirname, '../..');

const SUITES = {
  'passes.mjs': `it('passes', () => {}); describe('a block', () => { it('passes, too', () => {}); });`,
  'fails.mjs': `describe('a block', () => { it('fails', () => { throw new Error('told'); }); });
    describe('another', () => { it('passes', () => {}); });`,
  'hook.mjs': `describe('with a hook', () => {
      before(() => { throw new Error('told'); });
      it('never begins', () => {});
    });`,
  'empty.mjs': '',
  'ends.mjs': `it('ends the process', () => { console.log('the last words'); process.exit(3); });`,
  'first-time.mjs': `import { existsSync, writeFileSync } from 'node:fs';
    it('passes the second time', () => {
      const mark = import.meta.filename + '.mark';
      const isFirst = !existsSync(mark);
      writeFileSync(mark, '');
      if (isFirst) throw new Error('the first time');
    });`,
  'programs.mjs': `it('knows no program', () => { if ('SVC_PROGRAM' in process.env) throw new Error('one'); });`,
  'program.mjs': `it('knows the program', () => {
      if (process.env.SVC_PROGRAM !== '/the/program') throw new Error('another');
    });`,
} as const;

describe('a run of suites', () => {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-run-')));
    for (const [name, text] of Object.entries(SUITES)) writeFileSync(join(folder, name), text);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  interface Ran {
    readonly isWell: boolean;
    readonly text: string;
    readonly seconds: Readonly<Record<string, number>>;
  }

  async function run(names: readonly (keyof typeof SUITES)[], part: 'unit' | 'conformance' = 'unit'): Promise<Ran> {
    const suites = names.map((name) => ({ part, file: relative(root, join(folder, name)) }));
    let text = '';
    const environment = { ...process.env, SVC_TEST_RECORD: '', SVC_PROGRAM: '/inherited' };
    const testRun = new TestRun(suites, {
      root,
      workers: { least: 2, most: 2 },
      readIdle: () => 0,
      measured: {},
      program: '/the/program',
      environment,
      write: (more) => {
        text += more;
      },
    });
    try {
      const isWell = await testRun.execute(false);
      return { isWell, text: text.replaceAll(relative(root, folder), ''), seconds: testRun.seconds };
    } finally {
      testRun.close();
    }
  }

  it('is well when all pass, and has a line for each', async () => {
    const { isWell, text, seconds } = await run(['passes.mjs', 'empty.mjs']);
    expect([isWell, Object.keys(seconds).length]).to.deep.equal([true, 2]);
    expect(text).to.match(/^ok {3}\/passes\.mjs: 2 passed, [\d.]+ s, [\d.]+ s of processors \(1 of 2 left\)$/m);
    expect(text).to.match(/^ok {3}\/empty\.mjs: 0 passed, [\d.]+ s, [\d.]+ s of processors \(0 of 2 left\)$/m);
    expect(text)
      .to.match(/^ {2}2 passing$/m)
      .and.not.include('failing');
  });

  it('is not well after a failure of a test or of a hook, which it tells at once and at the end', async () => {
    const { isWell, text } = await run(['fails.mjs', 'hook.mjs', 'passes.mjs']);
    expect(isWell).to.equal(false);
    expect(text)
      .to.match(/^FAIL \/fails\.mjs: 1 passed, 1 failed/m)
      .and.match(/^FAIL \/hook\.mjs: 0 passed, 1 failed/m);
    expect(text.match(/Error: told/g)).to.have.lengthOf(4);
    expect(text)
      .to.match(/^ {2}3 passing\n {2}2 failing$/m)
      .and.include('test: failed in unit');
  });

  it('is not well when a process ends before its suites', async () => {
    const { isWell, text } = await run(['ends.mjs']);
    expect(isWell).to.equal(false);
    expect(text)
      .to.include('the process ended with status 3, and these did not end: /ends.mjs')
      .and.include('the last words');
    expect(text)
      .to.match(/^ {2}1 failing$/m)
      .and.not.include('once more');
  });

  it('is well when what failed passes by itself, and says that it is unsteady', async () => {
    const { isWell, text } = await run(['first-time.mjs', 'passes.mjs']);
    expect([isWell, existsSync(join(folder, 'first-time.mjs.mark'))]).to.deep.equal([true, true]);
    expect(text)
      .to.match(/^ {2}2 passing\n {2}1 failing$/m)
      .and.match(/^ {2}1 unsteady$/m);
  });

  it('names the program to conformance suites alone', async () => {
    expect((await run(['programs.mjs'])).isWell).to.equal(true);
    expect((await run(['program.mjs'], 'conformance')).isWell).to.equal(true);
  });
});
