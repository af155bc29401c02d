import { expect } from 'chai';
import { junitXml } from './junit.ts';
import type { CaseReport, RunReportEntry, TestReport } from './report.ts';

function runOf(milliseconds: number): RunReportEntry {
  return {
    run_ref: 'cmd-1',
    status: 'passed',
    code: null,
    duration_ms: milliseconds,
    cost_usd: null,
    tokens: null,
    turns: 0,
    model_calls: 0,
    scores: null,
    misses: [],
    missed_requests: [],
  };
}

function caseOf(name: string, runs: readonly number[]): CaseReport {
  return {
    pass_rate: null,
    cost_usd: null,
    tokens: null,
    turns: null,
    duration_ms: null,
    name,
    file: 'tests/a.json',
    tags: [],
    mode: 'replay',
    model: null,
    status: 'passed',
    skipped_for: null,
    problem: null,
    scores: null,
    updated: false,
    recorded: false,
    runs: runs.map(runOf),
  };
}

function timesOf(report: string, element: string): readonly string[] {
  return [...report.matchAll(new RegExp(`<${element} [^>]*time="([^"]*)"`, 'g'))].map(([, time]) => time ?? '');
}

describe('the times of a JUnit report (first-day.md §2)', () => {
  const report: TestReport = {
    version: 1,
    kind: 'svc-test-report',
    report: 'cmd-1',
    started_at: '2026-01-01T00:00:00.000Z',
    duration_ms: 300,
    application: 'svc.json',
    mode: 'replay',
    totals: { cases: 3, passed: 3, failed: 0, skipped: 0, runs: 4, cost_usd: null, tokens: null },
    models: [],
    cases: [caseOf('a', [100]), caseOf('b', [200]), caseOf('c', [0.6, 0.6])],
  };
  const xml = junitXml(report);

  it('are whole milliseconds, and those of a suite are the sum of its cases', () => {
    expect(timesOf(xml, 'testcase')).to.deep.equal(['0.100', '0.200', '0.001']);
    expect(timesOf(xml, 'testsuite')).to.deep.equal(['0.301']);
    expect(timesOf(xml, 'testsuites')).to.deep.equal(['0.300']);
  });
});
