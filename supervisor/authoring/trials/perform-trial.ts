import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { EMPTY_VIEW, withEvent, type RunView } from '../../evidence/live/run-view.ts';
import type { RunObserver } from '../../evidence/live/observer.ts';
import type { RunReport } from '../../run/perform-run.ts';
import type { PreparedApplication, RunFinished, RunRequest, Supervisor } from '../../service/embedding/types.ts';
import type { RunWatch } from '../../service/runs/run-setting.ts';
import { figuresOf, NO_FIGURES, type TrialAttempt } from './attempt.ts';
import { readValue } from './read-value.ts';
import type { Trial } from './trial.ts';

const MICRO = 1_000_000;

/** What was seen of the runs of a supervisor while they went on, each taken once. */
export interface WatchedRuns {
  readonly watch: RunWatch;
  take(runRef: string): { readonly view: RunView; readonly report: RunReport | null };
}

export function watchRuns(): WatchedRuns {
  const views = new Map<string, RunView>();
  const reports = new Map<string, RunReport>();
  const observing = (runRef: string): RunObserver => ({
    started: () => undefined,
    event: (event) => {
      views.set(runRef, withEvent(views.get(runRef) ?? EMPTY_VIEW, event));
    },
  });
  return {
    watch: {
      observer: observing,
      report: (runRef, report) => {
        reports.set(runRef, report);
      },
    },
    take: (runRef) => {
      const found = { view: views.get(runRef) ?? EMPTY_VIEW, report: reports.get(runRef) ?? null };
      views.delete(runRef);
      reports.delete(runRef);
      return found;
    },
  };
}

export interface TrialServices {
  readonly supervisor: Supervisor;
  readonly runs: WatchedRuns;
  /** Milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** What a run leaves; absent: what its project says. */
type Artifacts = RunRequest['artifacts'];

/** Performs one run of a case, with at most `shareMicrousd` of money. */
export async function attemptTrial(
  services: TrialServices,
  application: PreparedApplication,
  {
    trial,
    shareMicrousd,
    artifacts,
  }: {
    readonly trial: Trial;
    readonly shareMicrousd: number | null;
    readonly artifacts?: Artifacts;
  },
): Promise<{ readonly attempt: TrialAttempt; readonly finished: RunFinished<unknown> | null }> {
  const { supervisor, runs, now, signal } = services;
  const { input } = trial.subject;
  const before = now();
  const own = application.limits.llm_cost_microusd;
  const share = shareMicrousd === null || (own !== null && own <= shareMicrousd) ? null : shareMicrousd;
  const handle = supervisor.run(application, {
    ...(input === null ? {} : { input: new TextEncoder().encode(canonicalJson(input)) }),
    ...(share === null ? {} : { limits: { llm_cost_microusd: share } }),
    ...(artifacts === undefined ? {} : { artifacts }),
    signal,
  });
  const end = await handle.result;
  const durationMs = now() - before;
  const { view, report } = runs.take(handle.runRef);
  if (end.kind === 'refused')
    return {
      finished: null,
      attempt: {
        runRef: end.runRef,
        status: 'error',
        code: end.diagnostic?.code ?? end.code,
        message: end.diagnostic?.message ?? 'the run was refused',
        explained: null,
        isPrivate: false,
        value: null,
        figures: { ...NO_FIGURES, durationMs },
        missed: [],
      },
    };
  const { envelope } = end;
  const isOk = envelope.status === 'ok';
  return {
    finished: end,
    attempt: {
      runRef: end.runRef,
      status: envelope.status,
      code: isOk ? null : envelope.error.code,
      message: isOk ? null : envelope.error.message,
      explained: explainedEnd(report, shareMicrousd),
      isPrivate: envelope.artifact_class === 'private',
      value: isOk ? await valueOf(end) : null,
      figures: figuresOf(envelope, view, durationMs),
      missed: report?.misses ?? [],
    },
  };
}

/** What people read below the failure of a run; `share`: what was left of the money of the whole command. */
function explainedEnd(report: RunReport | null, share: number | null): string | null {
  const [fault] = report?.advice.faults?.faults ?? [];
  if (fault === undefined) return report?.advice.provider?.said ?? null;
  const { place, problem, remedy } = fault;
  if (share !== null && problem?.startsWith(`llm_cost_microusd is ${String(share)},`) === true)
    return `--budget left $${(share / MICRO).toFixed(6)} for this run`;
  const at = place === null ? [] : [`at ${place.opens ?? place.file}:${String(place.line)}:${String(place.column)}`];
  const words = [...at, problem, remedy].filter((word) => word !== null);
  return words.length === 0 ? null : words.join('; ');
}

/** The value of a private run is in its result alone. */
async function valueOf({ valueText, artifacts }: RunFinished<unknown>): Promise<TrialAttempt['value']> {
  if (valueText !== null) return readValue(valueText);
  const result = artifacts.find(({ kind }) => kind === 'result');
  if (result === undefined) throw new Error('a private run that succeeded has published its result');
  return readValue(await readFile(fileURLToPath(result.uri), 'utf8'));
}
