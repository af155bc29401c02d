import type { Outcome } from '../../contract/outcome.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import type { RunBroker } from '../calls/broker/broker.ts';
import type { Kernel } from '../calls/kernel/interface.ts';
import type { RunDeadline } from './deadlines.ts';
import type { FrozenMission } from './run-started.ts';
import type { RunContext } from './run-context.ts';

/** What a run may reach once everything is frozen (runtime.md §1 step 15). */
export interface RunEnvironments {
  readonly broker: RunBroker;
  readonly kernel: Kernel;
  /** By mission name. */
  readonly missions: ReadonlyMap<string, FrozenMission>;
  /** `workflow/<name>` and `mission/<name>` of every capability that usage may count. */
  readonly usageKeys: readonly string[];
  /** Provider snapshots of all occurrences (providers.md §2). */
  readonly snapshots: readonly JsonObject[];
  /** Until when the run may go on: its time runs from when everything was authorised. */
  readonly runDeadline: RunDeadline;
  /** Whether a provider was reached to get here. */
  readonly providerActivity: boolean;
  /**
   * Releases what was acquired, in reverse, within one budget, once; the `provider_cleanup_*` of a failure (runtime.md
   * §10).
   */
  close(): Promise<Diagnostic | null>;
}

/**
 * Steps 13 to 15 of a run: local and active checks, acquisition, and the frozen environments. A refusal has released
 * them.
 */
export type OpenEnvironments = (context: RunContext) => Promise<Outcome<RunEnvironments>>;

/** Nothing is granted any more, and every call and evaluation is dead when this returns. Does nothing a second time. */
export async function closeServices({ broker, kernel }: RunEnvironments): Promise<void> {
  await Promise.all([broker.close(), kernel.close()]);
}

/** Whether a provider may have been reached by now. */
export function hasReachedProviders({ providerActivity, broker }: RunEnvironments): boolean {
  return providerActivity || broker.providerActivity();
}
