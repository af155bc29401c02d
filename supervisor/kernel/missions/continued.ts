import type { CheckRequest, EvaluateReply, EvaluateRequest } from '../../../contract/sandbox-protocol.ts';
import type { Continuation, StoredContinuation } from '../continuations/store.ts';

/** A request that goes on from `stored`; an isolate that holds it already needs no copy. */
export function continuing(request: EvaluateRequest, stored: StoredContinuation, isRestored: boolean): EvaluateRequest {
  return { ...request, ...restored(stored, isRestored) };
}

/** The same for a check, which leaves nothing behind. */
export function checking(request: CheckRequest, stored: StoredContinuation, isRestored: boolean): CheckRequest {
  return { ...request, ...restored(stored, isRestored) };
}

function restored({ continuation }: StoredContinuation, isRestored: boolean): { readonly continuation?: string } {
  return isRestored || continuation === null ? {} : { continuation: continuation.encoded };
}

/** What a successful reply leaves to commit; null for every other one. */
export function continuationOf(reply: EvaluateReply): Continuation | null {
  if (reply.outcome !== 'continued' && reply.outcome !== 'returned') return null;
  const continuation: unknown = 'continuation' in reply ? reply.continuation : null;
  return isContinuation(continuation) ? continuation : null;
}

function isContinuation(value: unknown): value is Continuation {
  return typeof value === 'object' && value !== null && 'encoded' in value;
}
