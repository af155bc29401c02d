import type {
  CheckRequest,
  EvaluateReply,
  EvaluateRequest,
  Resumption,
} from '../../../../contract/sandbox-protocol.ts';
import type { Continuation, ContinuationLimits, SizeRefusal, StoredContinuation } from '../continuations/store.ts';

/**
 * A request that goes on from `stored` and keeps no more than `left`; an isolate that lives at that revision needs no
 * copy of it.
 */
export function continuing(
  request: EvaluateRequest,
  stored: StoredContinuation,
  isLiving: boolean,
  left: ContinuationLimits,
): EvaluateRequest {
  return {
    ...request,
    continuation: origin(stored, isLiving),
    omits_unchanged: true,
    commit: { memory_bytes: left.memoryBytes, history_bytes: left.historyBytes },
  };
}

/** The same for a check, which leaves nothing behind. */
export function checking(request: CheckRequest, stored: StoredContinuation, isLiving: boolean): CheckRequest {
  return { ...request, continuation: origin(stored, isLiving) };
}

function origin({ continuation }: StoredContinuation, isLiving: boolean): Resumption {
  if (isLiving) return 'living';
  return continuation === null ? null : { definitions: continuation.definitions, history: continuation.history };
}

/** Values that a history has at most (language.md §12). */
const HISTORY = 3;

/**
 * What a successful reply to a request that went on from `stored` leaves to commit, with sizes taken here; null for
 * every other reply, and for one that no honest guest gives.
 */
export function continuationOf(
  reply: EvaluateReply,
  { continuation: before }: StoredContinuation,
): Continuation | SizeRefusal | null {
  if (reply.outcome !== 'continued' && reply.outcome !== 'returned') return null;
  const { continuation, commit_refusal: refusal } = reply;
  if (refusal !== undefined) return refusal;
  if (continuation === undefined || continuation.history.length > HISTORY) return null;
  const defined =
    continuation.is_unchanged === true
      ? before
      : {
          definitions: continuation.definitions,
          definedCount: continuation.defined_count,
          memoryBytes: Buffer.byteLength(continuation.definitions),
        };
  if (defined === null) return null;
  const { definitions, definedCount, memoryBytes } = defined;
  const { history } = continuation;
  const sizes = history.map((text) => Buffer.byteLength(text));
  return {
    definitions,
    history,
    definedCount,
    memoryBytes,
    historyBytes: sizes.reduce((sum, size) => sum + size, 0),
    largestHistoryBytes: Math.max(0, ...sizes),
  };
}
