import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readTestRecord } from './test-record.ts';

describe('the record of tests', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-record-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('has the last line of a test that ran again', async () => {
    const record = join(folder, 'record');
    const lines = [
      { file: 'a', title: 'x', passed: false },
      { file: 'b', title: 'x', passed: false },
      { file: 'a', title: 'x', passed: true },
    ];
    await writeFile(record, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(readTestRecord(record)).to.deep.equal([lines[2], lines[1]]);
  });
});
