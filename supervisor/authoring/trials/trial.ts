import type { TestCase } from '../../documents/cases/load.ts';
import type { TrialAttempt } from './attempt.ts';
import type { Miss, Scores } from './expectations.ts';

/** One case in one form: replayed, or live with one model; run as often as the case says. */
export interface Trial {
  readonly subject: TestCase;
  readonly mode: 'replay' | 'live';
  /** In place of the installed ones; null: those. */
  readonly model: string | null;
  readonly runs: number;
}

/** A run that was held against its case. */
export interface JudgedRun {
  readonly attempt: TrialAttempt;
  readonly misses: readonly Miss[];
  readonly scores: Scores;
}

/** What a trial came to. */
export type TrialResult =
  | { readonly trial: Trial; readonly status: 'passed' | 'failed'; readonly runs: readonly JudgedRun[] }
  /** Nothing, or not all, was run, and why not; the runs that there were are kept. */
  | {
      readonly trial: Trial;
      readonly status: 'skipped';
      readonly reason: SkipReason;
      readonly runs: readonly JudgedRun[];
    }
  /** It could not be run at all: what the case itself, or its host, lacks. */
  | { readonly trial: Trial; readonly status: 'error'; readonly problem: string; readonly runs: readonly JudgedRun[] };

export type SkipReason = 'live' | 'budget' | 'interrupted' | 'no_fixtures';

/** Which cases are run, and how. */
export interface TrialPlan {
  /** Parts of names or whole ones; empty: all. */
  readonly names: readonly string[];
  readonly tags: readonly string[];
  readonly mode: 'replay' | 'live' | 'record';
  /** Of live cases; empty: what each says. */
  readonly models: readonly string[];
}

/** Cases that names and tags choose: by whole names, where one is given that no case has, by a part of it. */
export function chooseCases(
  cases: readonly TestCase[],
  { names, tags }: Pick<TrialPlan, 'names' | 'tags'>,
): { readonly chosen: readonly TestCase[]; readonly unknown: readonly string[] } {
  const isNamed = (one: TestCase, name: string): boolean =>
    cases.some((other) => other.name === name) ? one.name === name : one.name.includes(name);
  return {
    chosen: cases.filter(
      (one) =>
        (names.length === 0 || names.some((name) => isNamed(one, name))) &&
        (tags.length === 0 || tags.some((tag) => one.tags.includes(tag))),
    ),
    unknown: [
      ...names.filter((name) => !cases.some((one) => isNamed(one, name))),
      ...tags.filter((tag) => !cases.some((one) => one.tags.includes(tag))),
    ],
  };
}

/** Trials of the cases in their order, the models of one case beside each other. */
export function planTrials(
  cases: readonly TestCase[],
  { mode, models }: Pick<TrialPlan, 'mode' | 'models'>,
): readonly Trial[] {
  return cases.flatMap((subject): readonly Trial[] => {
    if (mode === 'record') return [{ subject, mode: 'live', model: subject.model, runs: 1 }];
    if (!subject.isLive) return [{ subject, mode: 'replay', model: null, runs: subject.repeat }];
    const of = models.length === 0 ? [subject.model] : models;
    return of.map((model) => ({ subject, mode: 'live', model, runs: subject.repeat }));
  });
}

/** Whether a trial is left out before anything of it is run. */
export function skippedBefore({ subject }: Trial, mode: TrialPlan['mode']): SkipReason | null {
  if (mode === 'record') return subject.fixtures?.endsWith('.jsonl') === true ? null : 'no_fixtures';
  return subject.isLive && mode === 'replay' ? 'live' : null;
}
