import type { CaseReport, RunReportEntry, TestReport } from './report.ts';

const MS = 1000;

/** The report as JUnit's XML, a suite for each file, as continuous integration reads it. */
export function junitXml({ totals, duration_ms, application, started_at, cases }: TestReport): string {
  const files = [...new Set(cases.map(({ file }) => file))];
  const suites = files.map((file) =>
    suiteXml(
      file,
      started_at,
      cases.filter((one) => one.file === file),
    ),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({
      name: application,
      tests: totals.cases,
      failures: totals.failed,
      errors: 0,
      skipped: totals.skipped,
      time: secondsText(duration_ms),
    })}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteXml(file: string, startedAt: string, cases: readonly CaseReport[]): string {
  const count = (status: CaseReport['status']): number => cases.filter((one) => one.status === status).length;
  const time = secondsText(cases.reduce((sum, one) => sum + millisecondsOf(one), 0));
  return [
    `  <testsuite${attributes({
      name: file,
      tests: cases.length,
      failures: count('failed'),
      errors: 0,
      skipped: count('skipped'),
      time,
      timestamp: startedAt,
    })}>`,
    ...cases.map(caseXml),
    '  </testsuite>',
  ].join('\n');
}

/** Whole, so that the times of the cases add up to that of their suite as they are written. */
function millisecondsOf({ runs }: CaseReport): number {
  return Math.round(runs.reduce((sum, { duration_ms }) => sum + duration_ms, 0));
}

function secondsText(milliseconds: number): string {
  return (milliseconds / MS).toFixed(3);
}

function caseXml(one: CaseReport): string {
  const name = one.model === null ? one.name : `${one.name} [${one.model}]`;
  const head = `    <testcase${attributes({ name, classname: one.file, time: secondsText(millisecondsOf(one)) })}`;
  if (one.status === 'passed') return `${head}/>`;
  if (one.status === 'skipped') return `${head}><skipped${attributes({ message: one.skipped_for ?? '' })}/></testcase>`;
  const lines = [...(one.problem === null ? [] : [one.problem]), ...one.runs.flatMap(missLines)];
  return `${head}><failure${attributes({ message: lines[0] ?? 'failed' })}>${escaped(lines.join('\n'))}</failure></testcase>`;
}

function missLines({ run_ref, misses }: RunReportEntry): readonly string[] {
  return misses.map(
    ({ expectation, path, problem, expected, actual }) =>
      `${expectation}${path}: ${problem}${expected === null ? '' : `; expected ${expected}`}${actual === null ? '' : `; actual ${actual}`} (${run_ref})`,
  );
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}"`)
    .join('');
}

/** What XML 1.0 has no character for is replaced. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
