import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import type { ComponentSource } from '../../contract/sandbox-protocol.ts';

/** What a run needs of a checked application, and nothing that only its loading needs. */
export interface RunnableApplication {
  readonly workflow: RunEnvironment;
  /** `namespace/function`. */
  readonly entry: string;
  /** By name, in byte order of the names. */
  readonly missions: ReadonlyMap<string, RunMission>;
  readonly input: JsonObject;
  readonly resultContract: ResultContract | null;
  readonly limits: EffectiveLimits;
  /** Effective class of the run before any provider is selected (runtime.md §12). */
  readonly artifactClass: 'normal' | 'private';
  readonly labels: RunLabels;
  readonly overrides: readonly OverrideFact[];
}

export interface RunComponent extends ComponentSource {
  /** How a diagnostic names this component: logical path, or id of a library (documents.md §13). */
  readonly sourceName: string;
}

export interface RunEnvironment {
  /** Closed set, dependencies first. */
  readonly components: readonly RunComponent[];
  /** 64 hex digits; null without components (documents.md §10). */
  readonly bundleHash: string | null;
}

export interface RunMission extends RunEnvironment {
  readonly data: JsonObject;
  /** Aliases that it may call, in the manifest's order. */
  readonly providers: readonly string[];
}

export interface ResultContract {
  /** Null when the value satisfies the contract; else the `result_contract_failed` to report. */
  check(value: JsonValue): Diagnostic | null;
}

export interface RunLabels {
  readonly name?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface OverrideFact {
  readonly target: string;
  readonly component_id: string;
  readonly base_source_hash: string;
  readonly source_hash: string;
}
