import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { readTestRecord } from './test-record.ts';

const scripts = import.meta.dirname;

const SUITES = {
  'passes.mjs': `it('passes', () => {});`,
  'fails.mjs': `it('fails', () => { throw new Error('told'); });`,
  'hook.mjs': `describe('with a hook', () => { before(() => { throw new Error('told'); }); it('never begins', () => {}); });`,
};

describe('the record of tests', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-record-')));
    for (const [name, text] of Object.entries(SUITES)) await writeFile(join(folder, name), text);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('names the suites of which a test or a hook failed', async () => {
    const failed = join(folder, 'failed');
    const mocha = [join(scripts, '../node_modules/mocha/bin/mocha.js'), '--no-config', '--require', join(scripts, 'test-record.ts'), ...Object.keys(SUITES).map((name) => join(folder, name))];
    await new Promise<void>((resolve) => {
      execFile(process.execPath, mocha, { env: { ...process.env, SVC_TEST_RECORD: '', SVC_TEST_FAILED: failed } }, () => resolve());
    });
    const named = (await readFile(failed, 'utf8')).trimEnd().split('\n');
    expect(named.toSorted()).to.deep.equal(['fails.mjs', 'hook.mjs'].map((name) => relative(join(scripts, '..'), join(folder, name))));
  });

  it('has the last line of a test that ran again', async () => {
    const record = join(folder, 'record');
    const lines = [{ file: 'a', title: 'x', passed: false }, { file: 'b', title: 'x', passed: false }, { file: 'a', title: 'x', passed: true }];
    await writeFile(record, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(readTestRecord(record)).to.deep.equal([lines[2], lines[1]]);
  });
});
