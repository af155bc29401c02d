import { expect } from 'chai';
import { renderEnd, renderPart, renderQuickChoice, renderSuite, type PartResult } from './lines.ts';

const passing = { file: 'a.test.ts', passed: 3, failures: [], seconds: 1.26, processorSeconds: 0.84 };
const failing = { file: 'b.test.ts', passed: 1, failures: ['one\n  two'], seconds: 2, processorSeconds: 3 };
const part = (verdict: PartResult['verdict'], changes: Partial<PartResult> = {}): PartResult => ({
  name: 'unit',
  suites: [passing, failing],
  faults: [],
  verdict,
  ...changes,
});

describe('the lines of a run of tests', () => {
  it('have one for each suite, and at once what failed in it', () => {
    expect(renderSuite(passing, 7, 10)).to.equal('ok   a.test.ts: 3 passed, 1.3 s, 0.8 s of processors (7 of 10 left)');
    expect(renderSuite(failing, 0, 10)).to.equal(
      'FAIL b.test.ts: 1 passed, 1 failed, 2.0 s, 3.0 s of processors (0 of 10 left)\n\n  one\n    two\n',
    );
  });

  it('count each part as mocha does', () => {
    expect(renderPart(part('passed', { suites: [passing] }))).to.equal(
      'test: unit, 1 suites in 1 s of their processes and 1 s of processors\n  3 passing',
    );
    expect(renderPart(part('failed', { faults: ['told'] }))).to.match(/: failed\n {2}4 passing\n {2}2 failing$/);
  });

  it('begin a quick run with what it takes and what it leaves', () => {
    const suite = { part: 'integration', file: 'integration/a.suite.ts' } as const;
    const left = { part: 'conformance', file: 'conformance/b.suite.ts' } as const;
    const lines = renderQuickChoice({
      chosen: [{ part: 'unit', file: 'a.test.ts' }, suite],
      left: [left],
      unitLeft: 3,
      unaffected: 7,
    });
    expect(lines.split('\n')).to.deep.equal([
      'test: 1 files of unit tests, and 1 suites that the change may affect',
      '  integration/a.suite.ts',
      'test: left for want of time, 1 that it may affect, and 3 other files of unit tests',
      '  conformance/b.suite.ts',
      'test: left, 7 suites that name nothing of the change; most of them start the built program',
      '',
    ]);
  });

  it('end with nothing where all passed', () => {
    expect(renderEnd([part('passed', { suites: [passing] })], [])).to.equal('');
  });

  it('end with what is unsteady, what was left out and what failed', () => {
    const parts = [part('unsteady'), part('failed', { name: 'matrix', suites: [], faults: ['told'] })];
    expect(renderEnd(parts, ['shells: no zsh'])).to.equal(
      [
        'test: failed beside others and passed alone, to be mended',
        'test: what failed in unit, b.test.ts',
        '\n  one\n    two\n',
        '  1 unsteady',
        'test: left out on this machine',
        '  shells: no zsh',
        'test: failed in matrix',
        'test: what failed in matrix',
        '\n  told\n',
        '',
      ].join('\n'),
    );
  });
});
