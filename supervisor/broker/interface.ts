import type { EvaluationError } from '../../contract/envelope/execution.ts';
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
  /** Counts one evaluation that was stopped before it ran, for what it named (runtime.md §5, "Accounting"). */
  denied(reason: Denial): void;
  /** Ends the run: nothing is granted from here on and no program goes on. Only the first reason counts. */
  stop(ending: RunEnding): void;
  /** Why the run was ended from inside; null while it goes on, or ends in another way. */
  ending(): RunEnding | null;
}

export type Denial = 'unknown_tool' | 'private_tool_unauthorized';

/** What ends a run whatever its workflow makes of it (runtime.md §7, §9). */
export type RunEnding =
  | { readonly kind: 'authenticated'; readonly failure: AuthenticatedFailure }
  /** More malformed requests than `protocol_errors` allows. */
  | { readonly kind: 'protocol_errors'; readonly limit: number }
  /** An event of a private run was refused. */
  | { readonly kind: 'event_sink' }
  /** A private record was refused; the inspection knows why. */
  | { readonly kind: 'inspection_sink' };

/** The trusted part of a run behind the routes `kernel-*`. */
export interface Kernel {
  readonly routes: ReadonlyMap<string, Route>;
  /** What usage shows of its evaluations; final once it is closed. */
  counts(): KernelCounts;
  /** The evaluation whose record, word for word, a value of the workflow is (evidence.md §6, boundary_producer); else null. */
  readonly producerOf: (value: JsonValue) => string | null;
  /** Answers what waits, ends what runs and sees it dead. A second call answers the same. */
  close(): Promise<void>;
}

/** Counters that the kernel keeps (runtime.md §11). */
export interface KernelCounts {
  /** Leases granted, by mission. */
  readonly evaluationsByMission: Readonly<Record<string, number>>;
  readonly agentProtocolErrors: number;
  readonly sourceChecks: number;
  /** A program of a mission is being evaluated. */
  readonly isEvaluating: boolean;
  /** One of each mission. */
  readonly memories: readonly MissionMemory[];
  /** The last evaluator failure of a mission, for an authenticated turn limit whose reason is evaluation-error. */
  readonly lastEvaluationError: EvaluationError | null;
}

/** Retained sizes of one mission's continuation (runtime.md §11, evaluation_memory). */
export interface MissionMemory {
  readonly defined_count: number;
  readonly history_count: number;
  readonly memory_bytes: number;
  readonly history_bytes: number;
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
  /** The run's slots for parallel branches of this evaluation (runtime.md §8). */
  readonly branches: BranchSlots;
  /** Answers every call, failures included; never throws. The text is one `CapabilityReply`. */
  call(call: CapabilityCall): Promise<string>;
  /** Grants nothing more, cancels what is in flight and sees it dead (runtime.md §6, lease). A second call answers the same. */
  end(): Promise<ScopeRecord>;
}

export interface BranchSlots {
  /** Of so many wanted those that are free, taken at once. */
  readonly take: (wanted: number) => number;
  readonly release: (count: number) => void;
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
 * and `run-stopped` need; a fact that is absent, or not of its form, leaves the generic text:
 *
 * | report | facts |
 * |---|---|
 * | runtime_limit | limit `subordinate_evaluations`, limit_value |
 * | agent_turns | agent_turns, reason (the words of the claim, with hyphens) |
 * | transcript_limit | limit_value |
 * | output_truncated | alias, max_tokens?, bindings? |
 * | llm_provider | reason, retryable, request_hash? (null: a miss without hash) |
 * | result_contract, phase_return_contract | source (logical name), path?, message?, agent_turns?, constraint? |
 * | agent_config | option, and min, max and value (integer) or type, or rule |
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
