import type {
  CommitLimits,
  EvaluateReply,
  EvaluateRequest,
  EvaluationFault,
  Resumption,
} from '../../contract/sandbox-protocol.ts';
import { memoGeneration } from '../runtime/memo-generation.ts';
import {
  definedCount,
  encodeContinuation,
  largestDefinitions,
  restoreContinuation,
  type ContinuationRefusal,
  type WrittenContinuation,
} from './link/continuation.ts';
import type { Session } from './link/session.ts';

/** Puts the continuation that a request brings into a fresh session; answers what is wrong with it, if anything is. */
export function resume(session: Session, from: Resumption = 'living'): EvaluationFault | null {
  if (session.spent)
    return fault('continuation_invalid', 'The isolate did not keep its last evaluation and is of no further use');
  if (from === 'living' || from === null) return null;
  const message = restoreContinuation(session, from);
  return message === null ? null : fault('continuation_invalid', `The continuation cannot be restored: ${message}`);
}

type ValueReply = Exclude<EvaluateReply, { readonly outcome: 'evaluation_error' }>;

/** The reply to a success, with what the session holds now or why it is not kept (`CommitLimits`). */
export function retainSession(
  session: Session,
  { commit: limits, omits_unchanged: omits, keeps_isolate: keepsIsolate }: EvaluateRequest,
  reply: EvaluateReply,
): EvaluateReply {
  if (limits === undefined || reply.outcome === 'evaluation_error') return reply;
  const encoded = keepsIsolate === true ? encodeLeniently(session, limits) : encodeContinuation(session, limits);
  if (!('kind' in encoded)) {
    memoGeneration.current += 1;
    const { isUnchanged, ...texts } = encoded;
    const shown = omits === true && isUnchanged ? { ...texts, definitions: '', is_unchanged: true } : texts;
    return {
      ...reply,
      continuation: { ...shown, defined_count: definedCount(session), history_count: texts.history.length },
    };
  }
  if (keepsIsolate === true) return refuseRetention(session, limits, reply, encoded);
  if (encoded.kind !== 'not_retainable') return { ...reply, commit_refusal: encoded.kind };
  return {
    outcome: 'evaluation_error',
    fault: fault('value_error', `What was defined or returned cannot be kept: it holds ${encoded.what}`),
    prints: reply.prints,
  };
}

const LARGEST = 3;

/** The isolate is kept; its user may give it up, and say why. */
function refuseRetention(
  session: Session,
  { memory_bytes: bytes }: CommitLimits,
  reply: ValueReply,
  refusal: ContinuationRefusal,
): EvaluateReply {
  switch (refusal.kind) {
    case 'not_retainable':
      return { ...reply, unretainable: refusal.what };
    case 'memory_exceeded':
      return { ...reply, commit_refusal: refusal.kind, largest: largestDefinitions(session, LARGEST, bytes) };
    case 'history_exceeded':
      return { ...reply, commit_refusal: refusal.kind };
  }
}

/** Where history cannot be written down, the definitions alone. */
function encodeLeniently(session: Session, limits: CommitLimits): WrittenContinuation | ContinuationRefusal {
  const encoded = encodeContinuation(session, limits);
  if (!('kind' in encoded) || session.history.length === 0) return encoded;
  const { history } = session;
  session.history = [];
  try {
    return encodeContinuation(session, limits);
  } finally {
    session.history = history;
  }
}

function fault(reason: string, message: string): EvaluationFault {
  return { reason, message, span: null, details: {}, exception_class: null, public_error: null };
}
