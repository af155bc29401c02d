import type { TokenUsage } from '../envelope/usage.ts';
import type { OutputLimit } from './model.ts';

/** Reasons of `provider_error` that a provider may give (providers.md §3). */
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
/** Why a provider could not answer, in the words that programs are given (runtime.md §5). */
export type ProviderReason = (typeof PROVIDER_REASONS)[number];

/** Characters of the details of a provider's error (runtime.md §5). */
export const DETAILS_LENGTH_MAX = 1024;

/**
 * How one call ended, as its provider reports it. `Value` is JSON text where the outcome crosses to another thread, and
 * the parsed value inside the supervisor. Deadlines are not among these: the supervisor keeps them.
 */
export type ProviderOutcome<Value> =
  | {
      readonly kind: 'value';
      readonly value: Value;
      /** Of a model call; a count that the vendor did not give is absent, which is not zero. */
      readonly usage: TokenUsage | null;
      /** Of a model call. */
      readonly finish: Finish | null;
      /** Of a model call, where its vendor reported more than the answer; absent otherwise. */
      readonly thought?: ModelThought;
      /** Of a tool: parts of its answer that its value leaves out (world.md §2.2); absent where there are none. */
      readonly droppedBlocks?: number;
    }
  | ProviderFailure
  | ProviderFault
  /** It gave something, and that is no JSON value. */
  | { readonly kind: 'invalid_return' }
  /** More than `resultBytes`; reading stopped there. */
  | { readonly kind: 'too_large' };

/** A failure that the provider classified itself: `{:status :error :kind :provider_error :reason …}`. */
export interface ProviderFailure {
  readonly kind: 'error';
  readonly reason: ProviderReason;
  /**
   * For programs and private inspection, chosen field by field, credentials scrubbed; at most 1024 characters are kept.
   */
  readonly details: string | null;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /**
   * What is proven of the call: that none of it left, which charges no budget and makes a write safe to repeat; or that
   * the answer is whole, so that no write is in doubt. Null after an open gate: it may have had its effect
   * (providers.md §7.5).
   */
  readonly proof: 'not_dispatched' | 'complete_answer' | null;
  /** A fault of the protocol or its negotiation, which is terminal for a mission's evaluation, as `denied` is. */
  readonly isProtocolFault: boolean;
  /** What a failed model call used, where the vendor says so. */
  readonly usage: TokenUsage | null;
  /**
   * Set when no fixture answers the request: with its digest (`sha256:` and 64 hex digits) when none matches, with null
   * when its sequence is used up (providers.md §6). Null for every other failure.
   */
  readonly replayMiss: { readonly requestHash: string | null } | null;
  /** Milliseconds after which the vendor wants to be asked again, where nobody waited for that. */
  readonly retryAfterMs?: number;
}

/** Nobody classified it: the code of the provider threw, or its worker ended. Never retryable. */
export interface ProviderFault {
  readonly kind: 'fault';
  readonly reason: 'exception' | 'exit' | 'throw' | 'provider_exit' | 'provider_heap_exceeded';
  /** For private inspection alone; null where nothing was thrown. */
  readonly exception: ExceptionFacts | null;
}

/** Bytes of a continuation; a longer one is dropped (providers.md §5.8). */
export const CONTINUATION_BYTES_MAX = 262_144;

/** What a model thought, apart from what it answered: private text, which is no content (providers.md §5.8). */
export interface ModelThought {
  /**
   * Opaque canonical JSON text, which goes back to the same installation and revision in the assistant message that
   * was made from this answer; null where the vendor gave nothing to carry, or more than may be carried.
   */
  readonly continuation: string | null;
  /** Bytes of a continuation that was dropped because it is longer than that; null where none was. */
  readonly droppedBytes: number | null;
  /** Reasoning as far as the vendor shows it; null where it shows none. */
  readonly text: string | null;
}

/** Why a model stopped (providers.md §5.5). */
export interface Finish {
  readonly reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'error';
  /** What bounded the output; only with `length`. */
  readonly outputLimit: OutputLimit | null;
}

/** For the private record of an exception, already cut to its bounds (evidence.md §6, capability-exception). */
export interface ExceptionFacts {
  /** At most 1024 bytes. */
  readonly exceptionClass: string;
  /** At most 4096 characters. */
  readonly message: string;
  readonly isMessageTruncated: boolean;
  /** At most 64 frames, 65,536 bytes. */
  readonly frames: readonly string[];
  readonly isStackTruncated: boolean;
}
