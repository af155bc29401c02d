import type { Effect } from '../../../contract/effect.ts';
import type { CapabilityCall } from '../../../contract/sandbox-protocol.ts';

/** Who calls. */
export type CallingEvaluation = {
  /** Name of the evaluation in trace and inspection (evidence.md §2). */
  readonly evaluationId: string;
  /** Its source, for who is asked about its calls; absent: it has none. */
  readonly program?: string;
  /** When the evaluation ends at the latest, milliseconds of the run's monotonic clock. */
  readonly deadlineAt: number;
} & (
  | { readonly environment: 'workflow'; readonly mission: null }
  | { readonly environment: 'mission'; readonly mission: string }
);

export interface CallScope {
  /** Names callable as `tool/<name>`, in byte order. */
  readonly tools: readonly string[];
  /** Names of the arguments of a tool that models see; none of any other, and of one that names none. */
  argumentNames(tool: string): readonly string[];
  /** The run's slots for parallel branches of this evaluation (runtime.md §8). */
  readonly branches: BranchSlots;
  /** Answers every call, failures included; never throws. The text is one `CapabilityReply`. */
  call(call: CapabilityCall): Promise<string>;
  /**
   * Grants nothing more, cancels what is in flight and sees it dead (runtime.md §6, lease). A second call answers the
   * same.
   */
  end(): Promise<ScopeRecord>;
}

export interface BranchSlots {
  /** Of so many wanted those that are free, taken at once. */
  readonly take: (wanted: number) => number;
  readonly release: (count: number) => void;
}

/** What an evaluation did through its calls: the facts that its record needs (runtime.md §6). */
export interface ScopeRecord {
  /**
   * Join of the effects of granted capabilities whose dispatch gate opened; null when none was. Runtime routes do not
   * count.
   */
  readonly reached: Effect | null;
  /**
   * Envelope of the last answered capability call, null when the last call was answered otherwise or there was none.
   */
  readonly lastEnvelope: Readonly<Record<string, unknown>> | null;
  /** `provider_error/denied` and protocol faults of a provider, remembered though caught. */
  readonly terminalProviderFailure: { readonly reason: string } | null;
  /** `capability_unavailable` of a mission. */
  readonly terminalHostFailure: { readonly reason: string } | null;
}
