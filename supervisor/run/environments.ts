import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import type { RunBroker } from '../broker/broker.ts';
import type { Kernel } from '../broker/interface.ts';
import type { RunnableApplication } from './application.ts';
import type { FrozenMission } from './evidence-session.ts';
import type { RunContext } from './run-context.ts';

/** What a run may reach once everything is frozen (runtime.md §1 step 15). */
export interface Environments {
  readonly broker: RunBroker;
  readonly kernel: Kernel;
  /** By mission name. */
  readonly missions: ReadonlyMap<string, FrozenMission>;
  /** `workflow/<name>` and `mission/<name>` of every capability that usage may count. */
  readonly usageKeys: readonly string[];
  /** Provider snapshots of all occurrences (providers.md §2). */
  readonly snapshots: readonly JsonObject[];
  /** Whether a provider was reached to get here. */
  readonly providerActivity: boolean;
  /** Releases what was acquired, in reverse, within one budget, once; the `provider_cleanup_*` of a failure (runtime.md §10). */
  close(): Promise<Diagnostic | null>;
}

export type OpenedEnvironments =
  | { readonly ok: true; readonly value: Environments }
  /** What was acquired before is released; `later` says how that failed. A failure carries its own provider activity. */
  | { readonly ok: false; readonly diagnostic: Diagnostic; readonly later?: readonly Diagnostic[] };

/** Steps 13 to 15 of a run: local and active checks, acquisition, and the frozen environments. */
export type OpenEnvironments = (application: RunnableApplication, context: RunContext) => Promise<OpenedEnvironments>;
