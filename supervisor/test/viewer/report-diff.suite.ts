import { expect } from 'chai';
import type { ReportCase } from '../../../viewer/src/data.ts';
import { compareCases } from '../../../viewer/src/model/report-diff.ts';

const one = (name: string, status: ReportCase['status'], more: Partial<ReportCase> = {}): ReportCase => ({
  name,
  file: 'tests/cases.json',
  model: null,
  mode: 'replay',
  status,
  problem: null,
  pass_rate: null,
  cost_usd: null,
  tokens: null,
  turns: null,
  duration_ms: null,
  runs: [],
  ...more,
});

describe('two reports of tests', () => {
  it('are compared case by case, what fails now first', () => {
    const rows = compareCases(
      [one('a', 'passed'), one('b', 'failed'), one('c', 'passed'), one('d', 'passed'), one('f', 'skipped')],
      [one('e', 'failed'), one('a', 'passed'), one('b', 'passed'), one('c', 'failed'), one('f', 'passed')],
    );
    expect(rows.map(({ key, change }) => [key.split(' · ')[1], change])).to.deep.equal([
      ['c', 'broken'],
      ['f', 'other'],
      ['b', 'fixed'],
      ['d', 'gone'],
      ['e', 'new'],
      ['a', 'same'],
    ]);
  });

  it('tell models, files and cases of one name apart', () => {
    const rows = compareCases(
      [one('a', 'passed', { model: 'x' }), one('a', 'passed'), one('a', 'failed')],
      [one('a', 'passed', { file: 'tests/other.json' }), one('a', 'passed', { model: 'x' }), one('a', 'passed')],
    );
    expect(rows.map(({ key, change }) => [key, change])).to.deep.equal([
      ['tests/cases.json · a (2)', 'gone'],
      ['tests/other.json · a', 'new'],
      ['tests/cases.json · a [x]', 'same'],
      ['tests/cases.json · a', 'same'],
    ]);
  });

  it('that passed less often differ', () => {
    const rate = (value: number): Partial<ReportCase> => ({ pass_rate: { rate: value } });
    expect(compareCases([one('a', 'failed', rate(0.9))], [one('a', 'failed', rate(0.5))])[0]?.change).to.equal('other');
  });
});
