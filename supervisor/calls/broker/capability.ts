import type { Attempt, Exchange, ModelCall } from '../../../contract/provider-protocol/call.ts';
import type { CapabilityFacts } from '../../../contract/provider-protocol/capability.ts';
import type { ModelFacts } from '../../../contract/provider-protocol/model.ts';
import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import type { FailureWords } from '../../../contract/provider-protocol/provider-words.ts';
import type { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { ApprovalWord } from '../../../contract/approval.ts';
import type { ProviderPlace } from './run-ending.ts';

/**
 * A capability as the pipeline of runtime.md §5 works with it: its facts, and this process's own code around a provider
 * that may live in another thread. What the provider itself says and does is the protocol of
 * contract/provider-protocol.
 */
export interface Capability extends CapabilityFacts<JsonValue> {
  /** Step 4: within so many milliseconds. */
  checkArguments(input: SerializedJson<JsonObject>, timeoutMs: number): Promise<Verdict>;
  /** Steps 5 and 7: what no schema says. */
  accepts(input: SerializedJson<JsonObject>): boolean | Promise<boolean>;
  /** Step 14. */
  checkResult(value: SerializedJson, timeoutMs: number): Promise<Verdict>;
  /** Step 6, of a capability that means several installations; null for every other one. */
  readonly route: ((input: SerializedJson<JsonObject>) => Routing) | null;
  /** Which provider it is of, once that was lost under the run; absent: it is no provider that can be. */
  readonly lost?: () => ProviderPlace | null;
  /** Why a call whose arguments are right may not be made; null: it may. Absent: every one may. */
  readonly withheld?: () => Withheld | null;
  /** Alias of the installation that it is of; absent where people read about none. */
  readonly provider?: string;
  /** Which of its calls need a person's yes (approvals.md §1); absent: none. */
  readonly approval?: ApprovalWord;
  /** Whether this very call needs it, where `approval` does not say so; absent: it does not. Never rejects. */
  readonly asks?: (input: SerializedJson<JsonObject>) => Promise<boolean>;
  /** Its name where it comes from, as people are shown it. */
  readonly upstreamName?: string;
  /** A text without the credentials in use; absent: there are none. */
  readonly scrub?: (text: string, how?: { readonly isCut: boolean }) => string;
  /** Begins one call. Nothing leaves before `openGate` has answered true. Never throws. */
  dispatch(input: SerializedJson<JsonObject>, call: DispatchedCall): Dispatch;
}

/** A refusal that reserves nothing and sends nothing (approvals.md §2, code-mode.md §3). */
export interface Withheld {
  readonly kind: 'capability_denied' | 'limit_exceeded';
  readonly reason: string;
  readonly details: JsonObject;
}

/** Violations name places and bounds of the schema, never what was submitted. */
export type Verdict =
  | { readonly status: 'valid' }
  | {
      readonly status: 'invalid';
      readonly violations: readonly JsonValue[];
      /** Of structured output: what the model wrote, as much as its caller may know (world.md §1.7). */
      readonly text?: string;
    }
  | { readonly status: 'unavailable' };

/** Where a request for an alias goes. `target` has no route of its own; `request` is the request without the alias. */
export type Routing =
  | {
      readonly ok: true;
      readonly target: Capability;
      readonly request: SerializedJson<JsonObject>;
      readonly model: RoutedModel;
    }
  | { readonly ok: false; readonly reason: 'model_alias_required' | 'unknown_model_alias' | 'invalid_model_alias' };

/** The installation behind an alias. */
export interface RoutedModel extends ModelFacts {
  readonly alias: string;
  readonly installationRevision: string;
}

export interface DispatchedCall {
  readonly capabilityId: string;
  /** Aborted at the deadline, when the caller is gone and when the run is over. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline. */
  readonly deadlineMs: number;
  /** Of a model call; null for every other one. */
  readonly model: ModelCall | null;
  /** Whether a private inspection keeps what the provider exchanges with a server. */
  readonly keepsExchanges: boolean;
  /** Asked before anything is sent (contract/provider-protocol/call.ts). Every question has the answer of the first. */
  readonly openGate: () => Promise<boolean>;
}

export interface Dispatch {
  /** Settles once, and never rejects. */
  readonly outcome: Promise<ProviderOutcome<SerializedJson>>;
  /** What is known of its messages by now; whole once `outcome` has settled. */
  exchanges(): readonly Exchange<JsonValue>[] | Promise<readonly Exchange<JsonValue>[]>;
  /** As far as its provider counts them; whole once `outcome` has settled. */
  attempts?(): readonly Attempt[];
  /** What people read about a failure; absent, or null once `outcome` has settled: what the attempts say. */
  words?(): FailureWords | null;
  /** Ends what did not heed the signal; settles when nothing of the call can reach the run any more. */
  kill(): Promise<void>;
}
