import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { CapabilityCall, CapabilityReply } from '../../contract/sandbox-protocol.ts';

/**
 * The face between what evaluates programs (the run's workflow, the kernel's missions) and what serves their calls.
 * The broker runs the pipeline of runtime.md §5 over the ledger; the kernel answers the routes of §6 and is called
 * through the same pipeline.
 */
export interface Broker {
  /** One evaluation that may call. Its calls are refused as `stale_evaluation` once it has ended. */
  open(evaluation: CallingEvaluation): CallScope;
  /**
   * Refusals that this run really issued: what the failure of a workflow with exactly this value means (runtime.md §7);
   * null for every other value. `json` is canonical JSON of the failed value.
   */
  issued(json: string): IssuedRefusal | null;
}

/** Who calls. */
export type CallingEvaluation = {
  /** Name of the evaluation in trace and inspection (evidence.md §2). */
  readonly evaluationId: string;
  /** When the evaluation ends at the latest, milliseconds of the run's monotonic clock. */
  readonly deadlineAt: number;
} & ({ readonly environment: 'workflow'; readonly mission: null } | { readonly environment: 'mission'; readonly mission: string });

export interface CallScope {
  /** Names callable as `tool/<name>`, in byte order. */
  readonly tools: readonly string[];
  /** Answers every call, failures included; never throws. The text is one `CapabilityReply`. */
  call(call: CapabilityCall): Promise<string>;
  /** Grants nothing more, cancels what is in flight and sees it dead (runtime.md §6, lease). A second call answers the same. */
  end(): Promise<ScopeRecord>;
}

/** What an evaluation did through its calls: the facts that its record needs (runtime.md §6). */
export interface ScopeRecord {
  /** Join of the effects of granted capabilities whose dispatch gate opened; null when none was. Runtime routes do not count. */
  readonly reached: 'read' | 'write' | 'unknown' | null;
  /** Envelope of the last answered capability call, null when the last call was answered otherwise or there was none. */
  readonly lastEnvelope: Readonly<Record<string, unknown>> | null;
  /** `provider_error/denied` and protocol faults of a provider, remembered though caught. */
  readonly terminalProviderFailure: { readonly reason: string } | null;
  /** `capability_unavailable` of a mission. */
  readonly terminalHostFailure: { readonly reason: string } | null;
}

/** A limit or a miss that the run itself told a program about. */
export type IssuedRefusal =
  | { readonly kind: 'quota'; readonly limit: string; readonly name: string; readonly value: number }
  | { readonly kind: 'alias_quota'; readonly alias: string; readonly value: number }
  | { readonly kind: 'budget'; readonly limit: string; readonly value: number; readonly requested: number; readonly remaining: number }
  | { readonly kind: 'replay_miss'; readonly requestHash: string | null };

/** One route of the kernel, already past the pipeline's admission and inside its events. */
export type Route = (call: RouteCall) => Promise<RouteAnswer>;

export interface RouteCall {
  /** The argument map as plain parsed JSON; keys are strings in underscore form. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The same map with its number classes and the order of its keys: what becomes a program's data is taken from here. */
  readonly json: JsonObject;
  readonly caller: CallingEvaluation;
  /** The scope of the caller has ended, or the run is closed. */
  readonly signal: AbortSignal;
  /** Name of this call in trace and inspection. */
  readonly capabilityId: string;
}

/** What a route answers; the pipeline counts protocol errors and refusals from it (runtime.md §5, "Accounting"). */
export type RouteAnswer =
  | { readonly kind: 'reply'; readonly reply: CapabilityReply }
  /** The envelope `{:status :ok :value V}`, written with the number classes of the value (contract/json). */
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** `protocol_error` with this reason; `counted` is false for the refusals of §5 that add nothing to `protocol_errors`. */
  | { readonly kind: 'protocol_error'; readonly reason: string; readonly counted: boolean; readonly details?: Readonly<Record<string, unknown>> }
  /** An authenticated failure: the run fails with it, and no program catches it. */
  | { readonly kind: 'authenticated'; readonly failure: AuthenticatedFailure };

/**
 * Failures that only the kernel can report (runtime.md §6, private routes). `facts` are the members that the diagnostic
 * and `run-stopped` need; their meaning is the report's.
 */
export interface AuthenticatedFailure {
  readonly report:
    | 'runtime_limit'
    | 'agent_turns'
    | 'transcript_limit'
    | 'output_truncated'
    | 'llm_provider'
    | 'result_contract'
    | 'phase_return_contract'
    | 'agent_config';
  readonly facts: Readonly<Record<string, unknown>>;
}
