import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunnableApplication } from './application.ts';
import type { WorkflowBroker } from './broker.ts';
import type { FrozenMission } from './evidence-session.ts';

/** What a run may reach once everything is frozen (runtime.md §1 step 15). */
export interface Environments {
  readonly broker: WorkflowBroker;
  /** By mission name. */
  readonly missions: ReadonlyMap<string, FrozenMission>;
  /** `workflow/<name>` and `mission/<name>` of every capability that usage may count. */
  readonly usageKeys: readonly string[];
  /** Releases what was acquired, in reverse, within one budget, once; the `provider_cleanup_*` of a failure (runtime.md §10). */
  close(): Promise<Diagnostic | null>;
}

/**
 * Steps 11 to 15 of a run: environment file, local and active checks, acquisition, and the frozen environments.
 * A failure carries its own provider activity.
 */
export type OpenEnvironments = (application: RunnableApplication) => Promise<Outcome<Environments>>;
