import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseExpectedFailures } from './expected-failures.ts';
import { readTestRecord } from './test-record.ts';

const scripts = import.meta.dirname;

const SUITE = `
  describe('a block', () => {
    it('that passes', async () => {});
    it('that fails', () => { throw new Error('told'); });
    it('that fails later', async () => { await null; throw new Error('told later'); });
    it('that hangs', () => new Promise(() => {})).timeout(50);
  });
`;

interface Ended {
  readonly status: unknown;
  readonly message: string;
  /** Titles that passed, as the record has them. */
  readonly passed: readonly string[];
}

describe('the list of expected failures', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-expected-')));
    await writeFile(join(folder, 'one.suite.mjs'), SUITE);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs the suite under a list. */
  async function tested(listed: object, ...more: readonly string[]): Promise<Ended> {
    const hooks = join(folder, 'hooks.mjs');
    await writeFile(
      hooks,
      `import { expecting } from ${JSON.stringify(join(scripts, 'expected-failures.ts'))};\nexport const mochaHooks = expecting(${JSON.stringify(folder)}, ${JSON.stringify(listed)});\n`,
    );
    const record = join(folder, 'record');
    await writeFile(record, '');
    const mocha = [
      join(scripts, '../node_modules/mocha/bin/mocha.js'),
      '--no-config',
      '--require',
      hooks,
      '--require',
      join(scripts, 'test-record.ts'),
      ...more,
      join(folder, 'one.suite.mjs'),
    ];
    const ended = await new Promise<Omit<Ended, 'passed'>>((resolve) => {
      execFile(process.execPath, mocha, { env: { ...process.env, SVC_TEST_RECORD: record } }, (error, stdout, stderr) =>
        resolve({ status: error?.code ?? 0, message: stdout + stderr }),
      );
    });
    return {
      ...ended,
      passed: readTestRecord(record)
        .filter(({ passed }) => passed)
        .map(({ title }) => title),
    };
  }

  const FAILS = { 'a block that fails': 'not built yet', 'a block that fails later': 'not built yet' };

  it('takes tests that fail as they are listed for right, and says why', async () => {
    const { status, message } = await tested({ 'one.suite.mjs': FAILS }, '--grep', 'passes|fails');
    expect(status, message).to.equal(0);
    expect(message).to.include('3 passing').and.include('expected to fail: not built yet');
  });

  it('changes nothing for the others', async () => {
    const { status, message, passed } = await tested({});
    expect(status).to.equal(3);
    expect(message).to.include('1 passing').and.include('told later');
    expect(passed).to.deep.equal(['a block that passes']);
  });

  it('fails where a test on it passes', async () => {
    const { status, message } = await tested(
      { 'one.suite.mjs': { ...FAILS, 'a block that passes': 'was not built' } },
      '--grep',
      'passes|fails',
    );
    expect(status, message).to.equal(1);
    expect(message).to.include('passes, and is on the list of expected failures: was not built');
  });

  it('fails where a test on it, or its file, is not there, also when other tests are asked for', async () => {
    const ended = await tested({ 'one.suite.mjs': { 'a block that went': 'not built yet' } }, '--grep', 'passes');
    expect(ended.status, ended.message).to.not.equal(0);
    expect(ended.message).to.include('one.suite.mjs has 0 tests of this title: a block that went');
    const lost = await tested({ 'two.suite.mjs': FAILS }, '--grep', 'passes');
    expect(lost.status, lost.message).to.not.equal(0);
    expect(lost.message).to.include('two.suite.mjs is not there');
  });

  it('lets a test that is not told apart by its failure stand as failed: one that hangs', async () => {
    const { status, message } = await tested(
      { 'one.suite.mjs': { 'a block that hangs': 'not built yet' } },
      '--grep',
      'hangs',
    );
    expect(status, message).to.equal(1);
  });

  it('has a reason for each', () => {
    for (const list of ['[]', '{"a":[""]}', '{"a":{"b":""}}', '{"a":{"b":1}}', 'null'])
      expect(() => parseExpectedFailures(list), list).to.throw(/expected failures/);
    expect(parseExpectedFailures('{"a":{"b":"c"}}')).to.deep.equal({ a: { b: 'c' } });
  });
});
