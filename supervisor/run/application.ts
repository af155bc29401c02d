import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { ArtifactClass } from '../../contract/envelope/types.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import type { ExportFact } from '../../contract/sandbox-protocol.ts';

/** What a run needs of a checked application, and nothing that only its loading needs. */
export interface RunnableApplication {
  readonly workflow: RunEnvironment & { readonly code: string };
  /** The one program of the run. */
  readonly entryForm: string;
  /** By name, in byte order of the names. */
  readonly missions: ReadonlyMap<string, RunEnvironment>;
  /** Aliases of the workflow's models, which have usage of their own. */
  readonly modelAliases: readonly string[];
  /** Canonical JSON of the input object. */
  readonly input: string;
  readonly resultContract: ResultContract | null;
  readonly limits: EffectiveLimits;
  /** Class of the run, which its selections have decided (runtime.md §12). */
  readonly artifactClass: ArtifactClass;
  /** Identity of the run's events where the manifest gives one and no artifact is named after the run (documents.md §3). */
  readonly eventIdentity: { readonly runId: string | null; readonly traceId: string | null };
  readonly labels: RunLabels;
  /** What replaced an installed component, as the trace shows it; null without an override. */
  readonly override: JsonValue | null;
}

export interface RunEnvironment {
  /** Closed set, each after its dependencies, ties by id (language.md §13). */
  readonly components: readonly { readonly id: string; readonly dependencies: readonly string[]; readonly source: string }[];
  /** 64 hex digits; null without components (documents.md §10). */
  readonly bundleHash: string | null;
  readonly exports: readonly ExportFact[];
}

export interface ResultContract {
  /** Null when the value satisfies the contract; else the `result_contract_failed` to report. */
  check(value: JsonValue): Diagnostic | null;
}

export interface RunLabels {
  readonly name?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly tags?: Readonly<Record<string, string | undefined>> | undefined;
}

