import type { MoneyBudget } from './budget.ts';
import { skippedBefore, type JudgedRun, type Trial, type TrialPlan, type TrialResult } from './trial.ts';

/** How one run of a trial goes. */
export type PerformTrial = (
  trial: Trial,
  /** Millionths of a dollar that the run may spend; null: no bound but its own. */
  shareMicrousd: number | null,
) => Promise<PerformedRun>;

export type PerformedRun =
  | { readonly ok: true; readonly run: JudgedRun }
  | { readonly ok: false; readonly problem: string };

export interface TrialRunner {
  readonly perform: PerformTrial;
  readonly mode: TrialPlan['mode'];
  /** Runs at once. */
  readonly jobs: number;
  /** Null: none. */
  readonly budget: MoneyBudget | null;
  /** What a run may spend by the limits of its application, where those bound it. */
  readonly boundOf: (trial: Trial) => Promise<number | null>;
  readonly signal: AbortSignal;
  /** Called with each result, in the order of the trials. */
  readonly onResult: (result: TrialResult) => void;
}

interface Pending {
  readonly trial: Trial;
  readonly runs: (JudgedRun | undefined)[];
  left: number;
  /** The first thing that went wrong with the trial itself. */
  end: { readonly status: 'skipped'; readonly reason: 'budget' | 'interrupted' } | Problem | null;
}

interface Problem {
  readonly status: 'error';
  readonly problem: string;
}

/** Runs trials, so many at once, and gives their results in the order of the trials. */
export async function runTrials(trials: readonly Trial[], runner: TrialRunner): Promise<readonly TrialResult[]> {
  const results: (TrialResult | undefined)[] = trials.map(() => undefined);
  let reported = 0;
  const finish = (index: number, result: TrialResult): void => {
    results[index] = result;
    for (let next = results[reported]; next !== undefined; next = results[reported]) {
      runner.onResult(next);
      reported += 1;
    }
  };
  const steps: (() => Promise<void>)[] = [];
  for (const [index, trial] of trials.entries()) {
    const reason = skippedBefore(trial, runner.mode);
    if (reason !== null) {
      finish(index, { trial, status: 'skipped', reason, runs: [] });
      continue;
    }
    const pending: Pending = { trial, runs: [], left: trial.runs, end: null };
    for (let run = 0; run < trial.runs; run += 1)
      steps.push(async () => {
        await runOnce(pending, run, runner);
        pending.left -= 1;
        if (pending.left === 0) finish(index, resultOf(pending));
      });
  }
  const queue = steps.values();
  const work = async (): Promise<void> => {
    for (const step of queue) await step();
  };
  await Promise.all(Array.from({ length: Math.min(runner.jobs, steps.length) }, work));
  return results.filter((result) => result !== undefined);
}

async function runOnce(pending: Pending, index: number, runner: TrialRunner): Promise<void> {
  const { trial } = pending;
  // Of a trial that cannot be run there is no second try.
  if (pending.end?.status === 'error') return;
  if (runner.signal.aborted) {
    pending.end ??= { status: 'skipped', reason: 'interrupted' };
    return;
  }
  const isPaid = trial.mode === 'live' && runner.budget !== null;
  const share = isPaid ? await runner.budget.reserve(await runner.boundOf(trial)) : null;
  if (isPaid && share === null) {
    pending.end ??= { status: 'skipped', reason: 'budget' };
    return;
  }
  let spent: number | null = null;
  try {
    const performed = await runner.perform(trial, share);
    if (performed.ok) {
      spent = performed.run.attempt.figures.costMicrousd;
      pending.runs[index] = performed.run;
    } else {
      spent = 0;
      pending.end ??= { status: 'error', problem: performed.problem };
    }
  } finally {
    if (isPaid && share !== null) runner.budget.settle(share, spent);
  }
}

function resultOf({ trial, runs: found, end }: Pending): TrialResult {
  const runs = found.filter((run) => run !== undefined);
  if (end !== null && (end.status === 'error' || runs.every(({ misses }) => misses.length === 0)))
    return { trial, runs, ...end };
  return { trial, runs, status: runs.every(({ misses }) => misses.length === 0) ? 'passed' : 'failed' };
}
