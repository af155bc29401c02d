import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findSuites, parseWanted } from './parts.ts';

describe('the parts of the tests that a command wants', () => {
  it('are named, each before its patterns', () => {
    expect(parseWanted(['unit', 'a', 'b', 'conformance', 'c'])).to.deep.equal([
      { part: 'unit', patterns: ['a', 'b'] },
      { part: 'conformance', patterns: ['c'] },
    ]);
  });

  it('are refused without a name or without patterns', () => {
    expect(() => parseWanted(['a'])).to.throw('not a part of the tests: a');
    expect(() => parseWanted(['unit', 'integration', 'a'])).to.throw('no patterns for unit');
  });
});

describe('the suites of a part', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'svc-parts-'));
    mkdirSync(join(root, 'a/b'), { recursive: true });
    for (const file of ['a/two.test.ts', 'a/b/one.test.ts', 'a/other.ts']) writeFileSync(join(root, file), '');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('are what its patterns match, each file once and in order', () => {
    const wanted = [{ part: 'unit', patterns: ['{a,z}/**/*.test.ts', 'a/two.test.ts'] }] as const;
    expect(findSuites(root, wanted)).to.deep.equal([
      { part: 'unit', file: 'a/b/one.test.ts' },
      { part: 'unit', file: 'a/two.test.ts' },
    ]);
  });

  it('are missed when a pattern matches nothing', () => {
    expect(() => findSuites(root, [{ part: 'unit', patterns: ['a/**/*.suite.ts'] }])).to.throw(
      'no file matches a/**/*.suite.ts',
    );
  });
});
