import type { SerializedJson } from '../../contract/json/serialized.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import type { ProviderReason } from '../../contract/provider-protocol/outcome.ts';

/** What one replayed call comes to. */
export type ReplayOutcome =
  /** `bytes`: of its canonical text. */
  | { readonly kind: 'response'; readonly response: SerializedJson<JsonObject>; readonly bytes: number }
  | {
      readonly kind: 'error';
      readonly reason: ProviderReason;
      /** At most 1024 characters. */
      readonly details: string | null;
      readonly retryable: boolean;
    };

/** The answers to one request (providers.md §6). */
export interface ReplayEntry {
  /** `sha256:` and 64 hex digits: of the request without `model`. */
  readonly requestHash: string;
  /** At least one. */
  readonly outcomes: readonly ReplayOutcome[];
  /** Whether the one outcome answers every such request; else each outcome answers one, in order. */
  readonly repeats: boolean;
}

export interface ReplayFixtures {
  /** By request hash, in the order of the file. */
  readonly entries: ReadonlyMap<string, ReplayEntry>;
}

/** What an installation allows. */
export interface FixtureCeilings {
  readonly maxEntries: number;
  /** Canonical bytes of one response. */
  readonly maxResultBytes: number;
}

/** The rule that a file or one of its lines breaks, in the order of the checks (providers.md §6). */
export type FixtureRule =
  | 'empty'
  | 'too_large'
  | 'json'
  | 'not_an_object'
  | 'unknown_key'
  | 'schema_version'
  | 'request_hash'
  | 'outcome_key'
  | 'outcome_value'
  | 'max_result_bytes'
  | 'duplicate_hash'
  | 'max_entries';

export interface FixtureFault {
  readonly rule: FixtureRule;
  /** From 1, blank lines counted; null for a fault of the whole file. */
  readonly line: number | null;
}
