import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { CapabilityReply } from '../../../contract/sandbox-protocol.ts';
import type { CallingEvaluation } from './call-scope.ts';

/** One route of the kernel, already past the pipeline's admission and inside its events. */
export type Route = (call: RouteCall) => Promise<RouteAnswer>;

export interface RouteCall {
  /** The argument map; a keyword with `-` arrives with `_`, a text as it was written. */
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
  /**
   * `protocol_error` with this reason; `counted` is false for the refusals of §5 that add nothing to `protocol_errors`.
   */
  | {
      readonly kind: 'protocol_error';
      readonly reason: string;
      readonly counted: boolean;
      readonly details?: Readonly<Record<string, unknown>>;
    }
  /** An authenticated failure: the run fails with it, and no program catches it. */
  | { readonly kind: 'authenticated'; readonly failure: AuthenticatedFailure };

/**
 * Failures that only the kernel can report (runtime.md §6, private routes). `facts` are the members that the diagnostic
 * and `run-stopped` need; a fact that is absent, or not of its form, leaves the generic text:
 *
 * | report | facts |
 * |---|---|
 * | runtime_limit | limit `subordinate_evaluations`, limit_value |
 * | agent_turns | agent_turns, reason (the words of the claim, with hyphens), turn_counts? ([word, turns] pairs) |
 * | transcript_limit | limit? `capability_argument_bytes` (without it `max_transcript_chars`), limit_value |
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
