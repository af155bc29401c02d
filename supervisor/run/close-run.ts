import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { remainingMs } from '../../system/clock.ts';
import { closeServices, hasReachedProviders } from './environments.ts';
import { closeSinks } from './open-run.ts';
import type { Run } from './run.ts';
import { countsOf, type RunCounts } from './usage/run-counts.ts';

/** What is known of a run once none of it is alive. */
export interface ClosedRun {
  readonly counts: RunCounts;
  /** Milliseconds that it had left. */
  readonly remainingMs: number;
  /** Whether any provider callback may have run. */
  readonly providerActivity: boolean;
  /** The `provider_cleanup_*` of providers that could not be released; null where all were. */
  readonly cleanupFailure: Diagnostic | null;
}

/**
 * Closes a run (runtime.md §10, "Stop order"): nothing more is granted, every call and evaluation is seen dead, and the
 * providers are released in the reverse order of their commitment.
 */
export async function closeRun(run: Run): Promise<ClosedRun> {
  const { environments, journal, clock, runDeadline } = run;
  journal.enter('draining');
  await closeServices(environments);
  const counts = countsOf(environments.broker, environments.kernel);
  const remaining = remainingMs(runDeadline, clock.monotonic());
  const cleanupFailure = await environments.close();
  return { counts, remainingMs: remaining, cleanupFailure, providerActivity: hasReachedProviders(environments) };
}

/** Does `work` with a run, whatever becomes of it nothing of the run is alive or open behind it. */
export async function withRun<T>(run: Run, work: (run: Run) => Promise<T>): Promise<T> {
  try {
    return await work(run);
  } finally {
    // Each of these does nothing a second time; after a throw they are the first.
    await closeServices(run.environments);
    await run.environments.close();
    await closeSinks(run);
  }
}
