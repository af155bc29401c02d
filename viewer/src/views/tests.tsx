import { useEffect, useState } from 'preact/hooks';
import type { Report, ReportCase, ReportHead, ReportList } from '../data.ts';
import { compareCases, type CaseChange, type ComparedCase } from '../model/report-diff.ts';
import { Badge } from '../parts/badge.tsx';
import { runLink } from '../route.ts';
import { ask } from '../source.ts';
import { count, duration, moment, visible } from '../text.ts';
import { Problem } from './problem.tsx';

/** Reports of `svc test`: all of them, one, or two case by case (first-day.md §2). */
export function TestsView({ at: [left, right] }: { readonly at: readonly string[] }) {
  if (left === undefined || left === '') return <ReportsList />;
  return right === undefined ? <OneReport reference={left} /> : <TwoReports left={left} right={right} />;
}

const testsLink = (...references: readonly string[]): string =>
  `#/${['tests', ...references].map(encodeURIComponent).join('/')}`;

/** What a route answers once it has; null until then. */
function useAnswer<T>(load: () => Promise<T>, key: string): T | Error | null {
  const [loaded, setLoaded] = useState<T | Error | null>(null);
  useEffect(() => {
    setLoaded(null);
    load().then(setLoaded, (error: unknown) => {
      setLoaded(error instanceof Error ? error : new Error(String(error)));
    });
  }, [key]);
  return loaded;
}

async function reportOf(reference: string): Promise<Report> {
  return (await ask<{ report: Report }>(`/api/tests/${encodeURIComponent(reference)}`)).report;
}

function ReportsList() {
  const list = useAnswer(async () => ask<ReportList>('/api/tests'), 'all');
  const [marked, setMarked] = useState<readonly string[]>([]);
  if (list instanceof Error) return <Problem fault={list} />;
  if (list === null) return <p class="quiet loading">Loading reports</p>;
  if (list.reports.length === 0)
    return (
      <div class="empty">
        <h1>Tests</h1>
        <p>There is no report yet. Test the project in a terminal, then load this page again:</p>
        <pre class="code">svc test</pre>
      </div>
    );
  const [newer, older] = marked.toSorted((one, other) => placeOf(list.reports, one) - placeOf(list.reports, other));
  return (
    <>
      <div class="bar">
        <h1>Tests</h1>
        {newer !== undefined && older !== undefined ? (
          <a class="button" href={testsLink(older, newer)}>
            Compare the two
          </a>
        ) : (
          <span class="quiet">mark two reports to compare them</span>
        )}
      </div>
      {list.total > list.reports.length ? (
        <p class="notice">
          The newest {count(list.reports.length)} of {count(list.total)} reports are shown.
        </p>
      ) : null}
      <div class="scroll" tabIndex={0} role="region" aria-label="Reports">
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">Compare</span>
              </th>
              <th scope="col">Report</th>
              <th scope="col">Mode</th>
              {FIGURES.map(([name]) => (
                <th key={name} scope="col" class="n">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.reports.map((head, nth) => (
              <tr key={head.report}>
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Compare ${head.report}`}
                    checked={marked.includes(head.report)}
                    onChange={() => {
                      setMarked((before) =>
                        before.includes(head.report)
                          ? before.filter((one) => one !== head.report)
                          : [...before, head.report].slice(-2),
                      );
                    }}
                  />
                </td>
                <th scope="row">
                  <a href={testsLink(head.report)}>{moment(head.started_at)}</a>
                  <Earlier head={head} earlier={list.reports[nth + 1]} />
                </th>
                <td>{visible(head.mode)}</td>
                {FIGURES.map(([name, of]) => (
                  <td key={name} class="n">
                    {of(head)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Earlier({ head, earlier }: { readonly head: ReportHead; readonly earlier: ReportHead | undefined }) {
  if (earlier === undefined) return null;
  return (
    <>
      {' '}
      <a class="quiet" href={testsLink(earlier.report, head.report)}>
        with the one before
      </a>
    </>
  );
}

function placeOf(reports: readonly ReportHead[], reference: string): number {
  return reports.findIndex(({ report }) => report === reference);
}

/** The same figures that the terminal, JUnit and JSON have. */
const FIGURES: readonly (readonly [name: string, of: (head: ReportHead) => string])[] = [
  ['Passed', ({ totals }) => count(totals.passed)],
  ['Failed', ({ totals }) => count(totals.failed)],
  ['Skipped', ({ totals }) => count(totals.skipped)],
  ['Runs', ({ totals }) => count(totals.runs)],
  ['Cost', ({ totals }) => dollars(totals.cost_usd)],
  ['Tokens', ({ totals }) => count(totals.tokens)],
  ['Time', ({ duration_ms: ms }) => duration(ms)],
];

function dollars(usd: number | null): string {
  return usd === null ? '–' : `$${usd.toFixed(usd < 0.01 ? 6 : 4)}`;
}

function OneReport({ reference }: { readonly reference: string }) {
  const report = useAnswer(async () => reportOf(reference), reference);
  if (report instanceof Error) return <Problem fault={report} />;
  if (report === null) return <p class="quiet loading">Loading the report</p>;
  return (
    <>
      <h1>Tests of {moment(report.started_at)}</h1>
      <FiguresTable reports={[report]} />
      <CasesTable rows={compareCases([], report.cases)} isPair={false} />
      <p>
        <a href="#/tests">All reports</a>
      </p>
    </>
  );
}

function TwoReports({ left, right }: { readonly left: string; readonly right: string }) {
  const loaded = useAnswer(async () => Promise.all([reportOf(left), reportOf(right)]), `${left} ${right}`);
  if (loaded instanceof Error) return <Problem fault={loaded} />;
  if (loaded === null) return <p class="quiet loading">Loading both reports</p>;
  const [one, other] = loaded;
  const rows = compareCases(one.cases, other.cases);
  const changed = rows.filter(({ change }) => change !== 'same').length;
  return (
    <>
      <h1>Two reports of tests</h1>
      <FiguresTable reports={[one, other]} />
      <h2>
        {changed === 0 ? 'Every case ended the same way.' : `${count(changed)} of ${count(rows.length)} cases differ`}
      </h2>
      <CasesTable rows={rows} isPair />
      <p>
        <a href="#/tests">All reports</a>
      </p>
    </>
  );
}

function FiguresTable({ reports }: { readonly reports: readonly ReportHead[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Figures of the reports">
      <table>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            {reports.map((head, nth) => (
              <th key={nth} scope="col" class="n">
                <a href={testsLink(head.report)}>{moment(head.started_at)}</a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FIGURES.map(([name, of]) => (
            <tr key={name} class={new Set(reports.map(of)).size > 1 ? 'differs' : ''}>
              <th scope="row">{name}</th>
              {reports.map((head, nth) => (
                <td key={nth} class="n">
                  {of(head)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const CHANGES: Readonly<Record<CaseChange, string>> = {
  broken: 'fails now',
  fixed: 'passes now',
  other: 'differs',
  new: 'only in the second',
  gone: 'only in the first',
  same: 'same',
};

function CasesTable({ rows, isPair }: { readonly rows: readonly ComparedCase[]; readonly isPair: boolean }) {
  const sides = isPair ? (['left', 'right'] as const) : (['right'] as const);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Cases">
      <table>
        <thead>
          <tr>
            <th scope="col">Case</th>
            {isPair ? <th scope="col">Change</th> : null}
            {sides.map((side) => (
              <th key={side} scope="col">
                {isPair ? (side === 'left' ? 'First' : 'Second') : 'Result'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} class={isPair && row.change !== 'same' ? 'differs' : ''}>
              <th scope="row">{visible(row.key)}</th>
              {isPair ? <td>{CHANGES[row.change]}</td> : null}
              {sides.map((side) => (
                <td key={side}>
                  <CaseCell of={row[side]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const STATES = { passed: 'ok', failed: 'failed', skipped: 'unavailable' } as const;

/** What a case came to, with its runs, each of which opens. */
function CaseCell({ of }: { readonly of: ReportCase | null }) {
  if (of === null) return <span class="quiet">absent</span>;
  const { status, problem, runs, pass_rate: rate, cost_usd: cost, tokens, turns, duration_ms: time } = of;
  const figures = [
    ...(rate === null || runs.length < 2 ? [] : [`${count(rate.rate * 100)} % of ${count(runs.length)}`]),
    ...(cost === null || cost.mean === 0 ? [] : [dollars(cost.mean)]),
    ...(tokens === null || tokens.mean === 0 ? [] : [`${count(tokens.mean)} tokens`]),
    ...(turns === null || turns.mean === 0 ? [] : [`${count(turns.mean)} turns`]),
    ...(time === null ? [] : [duration(time.mean)]),
  ];
  return (
    <>
      <Badge state={STATES[status]} /> <span class="quiet">{figures.join(', ')}</span>
      {problem === null ? null : <p>{visible(problem)}</p>}
      <ul>
        {runs.map(({ run_ref: reference, code, misses }, nth) => (
          <li key={reference}>
            <a href={runLink(reference)}>run {nth + 1}</a>
            {code === null ? null : ` ${visible(code)}`}
            {misses.map(({ expectation, path, problem: missed, expected, actual }, at) => (
              <div key={at}>
                {visible(`${expectation}${path}: ${missed}`)}
                {expected === null ? null : <pre class="code">expected {visible(expected)}</pre>}
                {actual === null ? null : <pre class="code">actual {visible(actual)}</pre>}
              </div>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}
