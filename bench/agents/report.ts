import { median } from '../figure.ts';
import { feedbackKind, isFault } from './conversation.ts';
import { wilson, type Rate } from './interval.ts';
import type { Played } from './play.ts';
import { AREAS, type Area } from './task.ts';

/** How often an answer that came right after a kind of feedback came to something. */
export interface FeedbackCount {
  readonly feedback: string;
  /** `right`, `wrong value`, `ran`, or the kind of the feedback that followed. */
  readonly then: string;
  readonly times: number;
}

/** What a trial found: all of it stands in the JSON, and `renderReport` shows the same as a table. */
export interface Report {
  readonly model: string;
  readonly repeats: number;
  readonly success: Rate;
  readonly byArea: readonly (Rate & { readonly area: Area })[];
  readonly turns: { readonly median: number; readonly most: number };
  /** Of all runs; null where the model did not tell them of each. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  /** Of all runs, in US dollars; null where the model has no price. */
  readonly costUsd: number | null;
  readonly endings: Readonly<Record<string, number>>;
  readonly corrections: readonly FeedbackCount[];
  readonly runs: readonly Played[];
}

/** Sums up the runs of a trial. */
export function reportOf(model: string, repeats: number, runs: readonly Played[]): Report {
  const rights = (some: readonly Played[]): Rate => wilson(some.filter(({ isRight }) => isRight).length, some.length);
  const turns = runs.map((run) => run.turns.length);
  const tokens = known(runs.map((run) => run.tokens));
  const costs = known(runs.map(({ costMicrousd }) => costMicrousd));
  return {
    model,
    repeats,
    success: rights(runs),
    byArea: AREAS.map((area) => ({ area, ...rights(runs.filter(({ task }) => task.startsWith(`${area}/`))) })).filter(
      (row) => row.runs > 0,
    ),
    turns: { median: runs.length === 0 ? 0 : median(turns), most: Math.max(0, ...turns) },
    tokens:
      tokens === null
        ? null
        : { input: sum(tokens.map(({ input }) => input)), output: sum(tokens.map(({ output }) => output)) },
    costUsd: costs === null ? null : sum(costs) / 1e6,
    endings: counts(
      runs.map(({ ending, isRight }) => (ending === 'returned' && !isRight ? 'returned, wrong' : ending)),
    ),
    corrections: correctionsOf(runs),
    runs,
  };
}

/** What came before what: each feedback about a fault, with what the next answer came to. */
export function correctionsOf(runs: readonly Played[]): readonly FeedbackCount[] {
  const steps = runs.flatMap((run) =>
    run.turns.flatMap(({ reply }, at) => {
      const feedback = reply === null ? null : feedbackKind(reply);
      const next = run.turns[at + 1];
      if (feedback === null || !isFault(feedback) || next === undefined) return [];
      return [[feedback, next.reply === null ? lastStep(run) : nextStep(next.reply)] as const];
    }),
  );
  return Object.entries(counts(steps.map((step) => step.join('\n'))))
    .map(([step, times]) => {
      const [feedback = '', then = ''] = step.split('\n');
      return { feedback, then, times };
    })
    .toSorted((a, b) => b.times - a.times || a.feedback.localeCompare(b.feedback) || a.then.localeCompare(b.then));
}

function lastStep({ isRight, ending }: Played): string {
  return isRight ? 'right' : ending === 'returned' ? 'wrong value' : ending;
}

function nextStep(reported: string): string {
  const kind = feedbackKind(reported);
  return isFault(kind) ? kind : 'ran';
}

/** As lines of text. */
export function renderReport(report: Report): string {
  const { model, repeats, success, byArea, turns, tokens, costUsd, endings, corrections } = report;
  const lines = [
    `${model}: ${String(success.runs)} runs${repeats > 1 ? `, each task ${String(repeats)} times` : ''}`,
    '',
    table([
      ['', 'right', 'of', 'rate', '95 % interval'],
      ...byArea.map((row) => [row.area, ...rateCells(row)]),
      ['all', ...rateCells(success)],
    ]),
    '',
    `turns: ${String(turns.median)} (median), ${String(turns.most)} at most`,
    `tokens: ${tokens === null ? 'not told' : `${String(tokens.input)} in, ${String(tokens.output)} out`}`,
    `cost: ${costUsd === null ? 'no price' : `$${costUsd.toFixed(4)}`}`,
    `endings: ${Object.entries(endings)
      .map(([ending, times]) => `${ending} ${String(times)}`)
      .join(', ')}`,
  ];
  if (corrections.length > 0)
    lines.push(
      '',
      table([
        ['what was told', 'what the next answer came to', 'times'],
        ...corrections.map(({ feedback, then, times }) => [feedback, then, String(times)]),
      ]),
    );
  return `${lines.join('\n')}\n`;
}

function rateCells({ successes, runs, share, low, high }: Rate): readonly string[] {
  const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;
  return [String(successes), String(runs), percent(share), `${percent(low)} to ${percent(high)}`];
}

/** Columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function counts(words: readonly string[]): Readonly<Record<string, number>> {
  const found = new Map<string, number>();
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
  return Object.fromEntries(found);
}

/** All values; null where one of them is not known. */
function known<T>(values: readonly (T | null)[]): readonly T[] | null {
  const present = values.flatMap((value) => (value === null ? [] : [value]));
  return present.length === values.length ? present : null;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
