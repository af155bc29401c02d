import type { CallError } from './envelope.ts';
import type { IssuedRefusal } from './run-ending.ts';

/** Failures of model providers that programs were given: what an authenticated report must match (runtime.md §6). */
export interface RecordedFailures {
  remember(error: CallError, issued: IssuedRefusal | null): void;
  /** Takes one failure of this class and flag; false when none is left. */
  consume(failure: { readonly reason: string; readonly retryable: boolean }): boolean;
  /**
   * Whether a request of this digest met no fixture in this run; null: whether one came after the last of its fixtures.
   */
  isReplayMiss(requestHash: string | null): boolean;
}

/** Kinds that are a provider's failure; refusals of limits are not. */
const PROVIDER_KINDS: ReadonlySet<string> = new Set(['provider_error', 'timeout']);
/** Digests that are kept; a run makes fewer model calls than this by its quotas (documents.md §5). */
const MISSES_MAX = 4096;

export function recordedFailures(): RecordedFailures {
  const unconsumed = new Map<string, number>();
  const misses = new Set<string | null>();
  const keyOf = (reason: string, retryable: boolean): string => `${reason} ${String(retryable)}`;
  return {
    remember: ({ kind, reason, retryable }, issued) => {
      if (!PROVIDER_KINDS.has(kind)) return;
      const key = keyOf(kind === 'timeout' ? 'timeout' : reason, retryable);
      unconsumed.set(key, (unconsumed.get(key) ?? 0) + 1);
      if (issued?.kind === 'replay_miss' && misses.size < MISSES_MAX) misses.add(issued.requestHash);
    },
    consume: ({ reason, retryable }) => {
      const key = keyOf(reason, retryable);
      const left = unconsumed.get(key) ?? 0;
      if (left > 0) unconsumed.set(key, left - 1);
      return left > 0;
    },
    isReplayMiss: (requestHash) => misses.has(requestHash),
  };
}
