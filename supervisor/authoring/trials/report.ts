import { buildPointer } from '../../../contract/json/pointer.ts';
import type { TrialFigures } from './attempt.ts';
import { rateOf, spreadOf, sumOf, type Rate, type Spread } from './statistics.ts';
import type { JudgedRun, SkipReason, TrialResult } from './trial.ts';

/** What a whole `svc test` came to, as it is kept, printed and compared (first-day.md §2). */
export interface TestReport {
  readonly version: 1;
  readonly kind: 'svc-test-report';
  readonly report: string;
  /** RFC 3339. */
  readonly started_at: string;
  readonly duration_ms: number;
  readonly application: string;
  readonly mode: 'replay' | 'live' | 'record';
  readonly totals: Totals;
  /** One for each model that cases were run with; empty where no case names any. */
  readonly models: readonly ModelReport[];
  readonly cases: readonly CaseReport[];
}

export interface Totals {
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly runs: number;
  /** Null: not known. */
  readonly cost_usd: number | null;
  readonly tokens: number | null;
}

/** Figures over several runs; null: not known. */
export interface FigureReport {
  readonly pass_rate: Rate | null;
  readonly cost_usd: Spread | null;
  readonly tokens: Spread | null;
  readonly turns: Spread | null;
  readonly duration_ms: Spread | null;
}

export interface ModelReport extends FigureReport {
  readonly model: string;
}

/** A case, and each of its runs. */
export interface CaseReport extends FigureReport {
  readonly name: string;
  readonly file: string;
  readonly tags: readonly string[];
  readonly mode: 'replay' | 'live';
  readonly model: string | null;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped; null where it was run. */
  readonly skipped_for: SkipReason | null;
  /** Why it could not be run; null where it could. */
  readonly problem: string | null;
  /** Mean scores by name; null where no program gave any. */
  readonly scores: Readonly<Record<string, number>> | null;
  /** Its expected values were rewritten. */
  readonly updated: boolean;
  /** Its fixtures were written. */
  readonly recorded: boolean;
  readonly runs: readonly RunReportEntry[];
}

/** One run of a case. */
export interface RunReportEntry {
  readonly run_ref: string;
  readonly status: 'passed' | 'failed';
  /** Of the error that the run ended with. */
  readonly code: string | null;
  readonly duration_ms: number;
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  readonly turns: number;
  readonly model_calls: number;
  readonly scores: Readonly<Record<string, number>> | null;
  readonly misses: readonly {
    readonly expectation: string;
    /** RFC 6901, in the value. */
    readonly path: string;
    readonly problem: string;
    readonly expected: string | null;
    readonly actual: string | null;
  }[];
  readonly missed_requests: readonly {
    readonly request_hash: string;
    readonly nearest_hash: string;
    readonly place: string;
    readonly asked: string | null;
    readonly recorded: string | null;
  }[];
}

/** What is said of a whole command beside its results. */
export interface ReportHead {
  readonly report: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly application: string;
  readonly mode: TestReport['mode'];
  /** Files as a person opens them. */
  readonly fileName: (path: string) => string;
  readonly updated: ReadonlySet<TrialResult>;
  readonly recorded: ReadonlySet<TrialResult>;
}

const MICRO = 1_000_000;

export function buildReport(results: readonly TrialResult[], head: ReportHead): TestReport {
  const cases = results.map((result) => caseReport(result, head));
  const runs = results.flatMap((result) => result.runs);
  const costs = runs.map(({ attempt }) => attempt.figures.costMicrousd);
  const tokens = runs.map(({ attempt }) => attempt.figures.tokens);
  const count = (status: CaseReport['status']): number => cases.filter((one) => one.status === status).length;
  return {
    version: 1,
    kind: 'svc-test-report',
    report: head.report,
    started_at: new Date(head.startedAt).toISOString(),
    duration_ms: Math.round(head.durationMs),
    application: head.application,
    mode: head.mode,
    totals: {
      cases: cases.length,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      runs: runs.length,
      cost_usd: dollars(total(costs)),
      tokens: total(tokens),
    },
    models: modelReports(results),
    cases,
  };
}

function total(figures: readonly (number | null)[]): number | null {
  const known = figures.filter((figure) => figure !== null);
  return known.length < figures.length ? null : sumOf(known);
}

function dollars(microusd: number | null): number | null {
  return microusd === null ? null : microusd / MICRO;
}

function modelReports(results: readonly TrialResult[]): readonly ModelReport[] {
  const models = new Set(results.flatMap(({ trial }) => trial.model ?? []));
  return [...models].map((model) => ({
    model,
    ...figureReport(results.filter(({ trial }) => trial.model === model).flatMap(({ runs }) => runs)),
  }));
}

function figureReport(runs: readonly JudgedRun[]): FigureReport {
  const figures = runs.map(({ attempt }) => attempt.figures);
  const spread = (of: (figures: TrialFigures) => number | null): Spread | null => spreadOf(figures.map(of));
  return {
    pass_rate: rateOf(runs.filter(isPassed).length, runs.length),
    cost_usd: spread(({ costMicrousd }) => dollars(costMicrousd)),
    tokens: spread(({ tokens }) => tokens),
    turns: spread(({ turns }) => turns),
    duration_ms: spread(({ durationMs }) => durationMs),
  };
}

function isPassed({ misses }: JudgedRun): boolean {
  return misses.length === 0;
}

function caseReport(result: TrialResult, { fileName, updated, recorded }: ReportHead): CaseReport {
  const { trial, status, runs } = result;
  const { name, file, tags } = trial.subject;
  const isUpdated = updated.has(result);
  const isWritten = recorded.has(result);
  return {
    name,
    file: fileName(file),
    tags,
    mode: trial.mode,
    model: trial.model,
    status: isUpdated ? 'passed' : status === 'error' ? 'failed' : status,
    skipped_for: status === 'skipped' ? result.reason : null,
    problem: status === 'error' ? result.problem : null,
    scores: meanScores(runs),
    updated: isUpdated,
    recorded: isWritten,
    ...figureReport(runs),
    runs: runs.map(runEntry),
  };
}

function meanScores(runs: readonly JudgedRun[]): Readonly<Record<string, number>> | null {
  const all = runs.flatMap(({ scores }) => (scores === null ? [] : [...scores]));
  if (all.length === 0) return null;
  const names = [...new Set(all.map(([name]) => name))];
  return Object.fromEntries(
    names.map((name) => {
      const found = all.flatMap(([other, score]) => (other === name ? [score] : []));
      return [name, sumOf(found) / found.length];
    }),
  );
}

function runEntry(run: JudgedRun): RunReportEntry {
  const { attempt, misses, scores } = run;
  const { durationMs, costMicrousd, tokens, turns, modelCalls } = attempt.figures;
  return {
    run_ref: attempt.runRef,
    status: isPassed(run) ? 'passed' : 'failed',
    code: attempt.code,
    duration_ms: Math.round(durationMs),
    cost_usd: dollars(costMicrousd),
    tokens,
    turns,
    model_calls: modelCalls,
    scores: scores === null ? null : Object.fromEntries(scores),
    misses: misses.map(({ expectation, path, problem, expected, actual }) => ({
      expectation,
      path: buildPointer(path),
      problem,
      expected,
      actual,
    })),
    missed_requests: attempt.missed.map(({ requestHash, nearestHash, place, asked, recorded }) => ({
      request_hash: requestHash,
      nearest_hash: nearestHash,
      place,
      asked,
      recorded,
    })),
  };
}
