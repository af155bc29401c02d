import type { TokenUsage } from '../../contract/envelope/usage.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { ModelReservation } from '../ledger/refusal.ts';

export type Effect = 'read' | 'write' | 'unknown';

/** A function of a provider that programs may call as `tool/<name>`, whatever the provider is (runtime.md §5). */
export interface Capability {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  /** Whether models are told of it; says nothing of who may call. */
  readonly isModelVisible: boolean;
  readonly inputSchema: JsonValue;
  /** Null: any JSON. */
  readonly outputSchema: JsonValue;
  /** Milliseconds that the installation gives one call. */
  readonly timeoutMs: number;
  /** Canonical bytes that the installation gives arguments and result; the run's own limits hold beside them. */
  readonly argumentBytes: number;
  readonly resultBytes: number;
  /** Step 4: within so many milliseconds. */
  checkArguments(given: JsonObject, timeoutMs: number): Promise<Verdict>;
  /** Steps 5 and 7: what no schema says. */
  accepts(given: JsonObject): boolean;
  /** Step 14. */
  checkResult(value: JsonValue, timeoutMs: number): Promise<Verdict>;
  /** Step 6, of a capability that stands for several installations; null for every other one. */
  readonly route: ((given: JsonObject) => Routing) | null;
  /** Begins one call. Nothing leaves before `openGate` has answered true. Never throws. */
  dispatch(given: JsonObject, call: DispatchedCall): Dispatch;
}

/** Violations name places and bounds of the schema, never what was submitted. */
export type Verdict =
  | { readonly status: 'valid' }
  | { readonly status: 'invalid'; readonly violations: readonly JsonValue[] }
  | { readonly status: 'unavailable' };

/** Where a request for an alias goes. `target` has no route of its own; `given` is the request without the alias. */
export type Routing =
  | { readonly ok: true; readonly target: Capability; readonly given: JsonObject; readonly model: RoutedModel }
  | { readonly ok: false; readonly reason: 'model_alias_required' | 'unknown_model_alias' | 'invalid_model_alias' };

/** The installation behind an alias. */
export interface RoutedModel {
  readonly alias: string;
  readonly installationRevision: string;
  /** Public name of the model, if the installation attests one. */
  readonly resolvedModel: string | null;
  readonly maxCalls: number;
  /** False: replay, which touches no budget. */
  readonly isLive: boolean;
  /** What the call can use at most, a pure function of the request; null where it cannot be bounded. */
  attest(given: JsonObject): ModelReservation | null;
}

export interface DispatchedCall {
  readonly capabilityId: string;
  /** Aborted at the deadline, when the caller is gone and when the run is over. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline. */
  readonly deadlineMs: number;
  /** Called once, before anything is sent. False: nothing may be sent any more. */
  readonly openGate: () => boolean;
}

export interface Dispatch {
  /** Settles once, and never rejects. */
  readonly outcome: Promise<ProviderOutcome>;
  /** Ends what did not heed the signal; settles when nothing of the call can reach the run any more. */
  kill(): Promise<void>;
}

/** Reasons of `provider_error` that an adapter may give (providers.md §3). */
export const PROVIDER_REASONS = [
  'admission_unavailable',
  'capacity_exhausted',
  'denied',
  'not_found',
  'unavailable',
  'invalid_request',
  'internal',
  'domain_error',
  'invalid_result',
  'authentication_failed',
  'payment_required',
  'rate_limited',
  'tool_calling_unsupported',
  'usage_unavailable',
  'timeout',
  'transport_error',
  'structured_output_unsupported',
] as const;
export type ProviderReason = (typeof PROVIDER_REASONS)[number];

/** Characters of the details of a provider's error (runtime.md §5). */
export const DETAILS_LENGTH_MAX = 1024;

/** How one call ended, as its provider tells it. */
export type ProviderOutcome =
  | { readonly kind: 'value'; readonly value: JsonValue; readonly usage: TokenUsage | null; readonly finish: Finish | null }
  | ProviderFailure
  /** Nobody classified it. */
  | { readonly kind: 'fault'; readonly reason: 'exception' | 'exit' | 'throw' | 'provider_exit' | 'provider_heap_exceeded'; readonly exception: ExceptionFacts | null }
  /** No JSON value. */
  | { readonly kind: 'invalid_return' }
  /** More than could be read. */
  | { readonly kind: 'too_large' };

export interface ProviderFailure {
  readonly kind: 'error';
  readonly reason: ProviderReason;
  readonly details: string | null;
  readonly retryable: boolean;
  /** What is proven of the call; decides whether a writing call may have had its effect. */
  readonly proof: 'not_dispatched' | 'complete_answer' | null;
  /** A fault of the protocol or its negotiation, which is terminal for a mission's evaluation. */
  readonly isProtocolFault: boolean;
  readonly usage: TokenUsage | null;
  /** DIGEST of the request that no fixture matched; null for every other failure. */
  readonly replayMiss: { readonly requestHash: string | null } | null;
}

/** Why a model stopped (evidence.md §3). */
export interface Finish {
  readonly reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'error';
  readonly outputLimit: { readonly value: number; readonly bindings: readonly string[] } | null;
}

/** For the private record of an exception, already cut to its bounds (evidence.md §6). */
export interface ExceptionFacts {
  readonly exceptionClass: string;
  readonly message: string;
  readonly isMessageTruncated: boolean;
  readonly frames: readonly string[];
  readonly isStackTruncated: boolean;
}
