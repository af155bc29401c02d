import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { FailureExplanation } from '../../contract/diagnostics/explanation.ts';
import type { ArtifactClass, Warning } from '../../contract/envelope/types.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { DecidedLimits, EffectiveLimits } from '../../contract/limits/effective.ts';
import type { SourceName } from '../documents/components/source-name.ts';
import type { ExportFact } from '../../contract/sandbox-protocol.ts';

/**
 * What a run needs of a checked application, and nothing that only its loading needs. Not one type with `Application`:
 * a session without documents runs too (docs/why/design.md, section 4).
 */
export interface RunnableApplication {
  /** `code`: its compiled bundle; null without components. */
  readonly workflow: RunEnvironment & { readonly code: string | null };
  /** The function that a run calls, `main/run`; empty for a session. */
  readonly entry: string;
  /** By name, in byte order of the names. */
  readonly missions: ReadonlyMap<string, RunEnvironment>;
  /** Aliases of the workflow's models, which have usage of their own. */
  readonly modelAliases: readonly string[];
  /** What its envelope warns of, whatever its end (interface.md §1.2.2). */
  readonly warnings: readonly Warning[];
  /** Canonical JSON of the input object. */
  readonly input: string;
  readonly resultContract: ResultContract | null;
  readonly limits: EffectiveLimits;
  /** Who decided them, for texts about them. */
  readonly decidedLimits: DecidedLimits;
  /** Class of the run, which its selections have decided (runtime.md §12). */
  readonly artifactClass: ArtifactClass;
  /**
   * Identity of the run's events where the manifest gives one and no artifact is named after the run (documents.md §3).
   */
  readonly eventIdentity: { readonly runId: string | null; readonly traceId: string | null };
  readonly labels: RunLabels;
  /** What replaced an installed component, as the trace shows it; null without an override. */
  readonly override: JsonValue | null;
}

export interface RunComponent extends SourceName {
  readonly id: string;
  readonly dependencies: readonly string[];
  readonly source: string;
  /** Shipped with svc, so that nobody looks for a fault in it first. */
  readonly isLibrary: boolean;
}

export interface RunEnvironment {
  /** Closed set, each after its dependencies, ties by id (language.md §13). */
  readonly components: readonly RunComponent[];
  /** 64 hex digits; null without components (documents.md §10). */
  readonly bundleHash: string | null;
  readonly exports: readonly ExportFact[];
}

export interface ResultContract {
  /** Null when the value satisfies the contract; else the `result_contract_failed` to report. */
  check(value: JsonValue): Diagnostic | null;
  /** What people read about a value that does not; null where the diagnostic says all. */
  explain(value: JsonValue): FailureExplanation | null;
}

export interface RunLabels {
  readonly name?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly tags?: Readonly<Record<string, string | undefined>> | undefined;
}
