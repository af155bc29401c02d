import { visibleText } from '../../contract/visible-text.ts';
import type { CaseReport, FigureReport, RunReportEntry, TestReport } from '../../supervisor/api/test.ts';
import { styled, type Styling } from './styling.ts';

const MS = 1000;
const PERCENT = 100;
/** Columns of two texts beside each other where nobody says how wide a line may be. */
const WIDTH = 100;
const INDENT = '      ';

const WORDS = { passed: 'pass', failed: 'FAIL', skipped: 'skip' } as const;
const REASONS: Readonly<Record<NonNullable<CaseReport['skipped_for']>, string>> = {
  live: 'live cases run with --live',
  budget: 'the budget is spent',
  interrupted: 'interrupted',
  no_fixtures: 'it names no fixtures to record',
};

/** A case on one line, and below it what it missed. */
export function caseText(one: CaseReport, styling: Styling): string {
  const word = WORDS[one.status];
  const lead = one.status === 'failed' ? styled(word, 'red', styling) : word;
  const notes = [
    ...(one.mode === 'live' ? [one.model === null ? 'live' : `live, ${visibleText(one.model)}`] : []),
    ...(one.skipped_for === null ? [] : [REASONS[one.skipped_for]]),
    ...(one.recorded ? ['recorded'] : []),
    ...(one.updated ? ['updated'] : []),
    ...(one.runs.length > 1 && one.pass_rate !== null ? [rateText(one)] : []),
    ...(one.scores === null ? [] : [scoresText(one.scores)]),
  ];
  const time = one.duration_ms === null ? '' : `  ${seconds(one.duration_ms.mean)}`;
  const line = `${lead}  ${visibleText(one.name)}${notes.length === 0 ? '' : `  (${notes.join('; ')})`}${time}`;
  const below = [
    ...(one.problem === null ? [] : [visibleText(one.problem)]),
    ...one.runs.flatMap((run) => runLines(run, styling)),
  ];
  return `${[line, ...below.map((text) => `${INDENT}${text}`)].join('\n')}\n`;
}

function runLines({ misses, missed_requests: missed }: RunReportEntry, styling: Styling): readonly string[] {
  return [
    ...misses.flatMap(({ expectation, path, problem, expected, actual }) => [
      `${expectation}${visibleText(path)}: ${visibleText(problem)}`,
      ...(expected === null ? [] : [`  expected ${visibleText(expected)}`]),
      ...(actual === null ? [] : [`  actual   ${visibleText(actual)}`]),
    ]),
    ...missed.flatMap(({ request_hash, nearest_hash, place, asked, recorded }) => [
      `no fixture answers the request; it differs from the nearest recorded one ${place === '' ? 'as a whole' : `at ${visibleText(place)}`}`,
      ...besideEachOther(
        ['asked', request_hash, ...textLines(asked)],
        ['recorded', nearest_hash, ...textLines(recorded)],
        (styling.width ?? WIDTH) - INDENT.length,
      ).map((line) => `  ${line}`),
    ]),
  ];
}

function textLines(text: string | null): readonly string[] {
  return text === null ? ['(nothing)'] : text.split('\n').map(visibleText);
}

/** Two columns, each text on as many lines as it needs. */
function besideEachOther(left: readonly string[], right: readonly string[], width: number): readonly string[] {
  const column = Math.floor((width - 5) / 2);
  const [ours, theirs] = [left, right].map((lines) => lines.flatMap((line) => chunks(line, column)));
  const height = Math.max(ours?.length ?? 0, theirs?.length ?? 0);
  return Array.from({ length: height }, (_, index) =>
    `${(ours?.[index] ?? '').padEnd(column)} | ${theirs?.[index] ?? ''}`.trimEnd(),
  );
}

function chunks(text: string, length: number): readonly string[] {
  const characters = Array.from(text);
  if (characters.length <= length) return [text];
  return Array.from({ length: Math.ceil(characters.length / length) }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(''),
  );
}

/** What all cases came to; a row for each case that ran more than once, or live, and for each model. */
export function reportText(
  { totals, cases, models, duration_ms }: TestReport,
  { stored, wasInterrupted }: { readonly stored: string | null; readonly wasInterrupted: boolean },
  styling: Styling,
): string {
  const measured = cases.filter(({ mode, runs }) => runs.length > 0 && (mode === 'live' || runs.length > 1));
  const counts = [
    `${totals.passed} passed`,
    ...(totals.failed === 0 ? [] : [styled(`${totals.failed} failed`, 'red', styling)]),
    ...(totals.skipped === 0 ? [] : [`${totals.skipped} skipped`]),
    `${totals.runs} ${totals.runs === 1 ? 'run' : 'runs'}`,
    ...(totals.cost_usd === null || totals.cost_usd === 0 ? [] : [money(totals.cost_usd)]),
    ...(totals.tokens === null || totals.tokens === 0 ? [] : [`${totals.tokens} tokens`]),
    seconds(duration_ms),
  ];
  const updated = cases.filter((one) => one.updated);
  return [
    ...(measured.length === 0 ? [] : ['', ...table(measured.map((one) => [labelOf(one), one]))]),
    ...(models.length < 2 ? [] : ['', ...table(models.map((one) => [one.model, one]))]),
    '',
    ...updated.map(({ name, file }) => `updated ${visibleText(name)} in ${visibleText(file)}`),
    ...(wasInterrupted ? ['interrupted'] : []),
    counts.join(', '),
    ...(stored === null ? [] : [`report: ${visibleText(stored)}`]),
    '',
  ].join('\n');
}

function labelOf({ name, model }: CaseReport): string {
  return model === null ? name : `${name} [${model}]`;
}

const HEADINGS = [
  '',
  'passed',
  '95 %',
  'cost mean',
  'worst',
  'tokens mean',
  'worst',
  'turns',
  'worst',
  'time',
  'worst',
];

function table(rows: readonly (readonly [label: string, figures: FigureReport])[]): readonly string[] {
  const cells = [
    HEADINGS,
    ...rows.map(([label, { pass_rate: rate, cost_usd: cost, tokens, turns, duration_ms: time }]) => [
      visibleText(label),
      rate === null ? '-' : `${rate.passed}/${rate.runs}`,
      rate === null ? '-' : `${percent(rate.low)}-${percent(rate.high)} %`,
      ...pair(cost, money),
      ...pair(tokens, (figure) => String(Math.round(figure))),
      ...pair(turns, (figure) => String(Math.round(figure * 10) / 10)),
      ...pair(time, seconds),
    ]),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => Array.from(row[column] ?? '').length)));
  return cells.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function pair(spread: FigureReport['tokens'], text: (figure: number) => string): readonly [string, string] {
  return spread === null ? ['-', '-'] : [text(spread.mean), text(spread.worst)];
}

function rateText({ pass_rate: rate }: FigureReport): string {
  return rate === null ? '' : `${rate.passed} of ${rate.runs}, 95 %: ${percent(rate.low)} to ${percent(rate.high)} %`;
}

function scoresText(scores: Readonly<Record<string, number>>): string {
  return Object.entries(scores)
    .map(([name, score]) => `${visibleText(name)} ${score.toFixed(2)}`)
    .join(', ');
}

function percent(rate: number): string {
  return String(Math.round(rate * PERCENT));
}

function money(dollars: number): string {
  return `$${dollars.toFixed(dollars < 0.01 ? 6 : 4)}`;
}

function seconds(ms: number): string {
  return `${(ms / MS).toFixed(2)} s`;
}
