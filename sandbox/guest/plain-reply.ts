import type {
  BranchReply,
  CheckReply,
  CompileFault,
  CompileReply,
  EvaluateReply,
  EvaluationFault,
  IsolateRequest,
  LoadReply,
  ReadReply,
} from '../../contract/sandbox-protocol.ts';
import { FailSignal, fromHostError, LimitSignal, LispError, ReturnSignal } from '../runtime/errors.ts';

type Reply = BranchReply | CheckReply | CompileReply | LoadReply | EvaluateReply | ReadReply;

/**
 * The reply to a request that a program kept from ending as it should: by something thrown where nobody expects it, or
 * by a reply that no message carries. It holds nothing that the program made but the message of its error. Null for
 * what no program throws.
 */
export function plainReply({ operation }: IsolateRequest, thrown: unknown): Reply | null {
  const end = endOf(thrown);
  if (end === null) return null;
  switch (operation) {
    case 'evaluate':
      return { outcome: 'evaluation_error', fault: end, prints: [] };
    case 'branch':
      return { outcome: 'limit', kind: end.reason, message: end.message, details: {}, printed: [] };
    case 'check':
      return { status: 'invalid', fault: end };
    case 'compile':
    case 'load':
      return { status: 'refused', fault: compileFault(end) };
    case 'read':
      return { status: 'complete' };
  }
}

/** Units of a message that is kept. */
const MESSAGE_LENGTH = 2000;

function endOf(thrown: unknown): EvaluationFault | null {
  const cause = fromHostError(thrown);
  if (cause instanceof LimitSignal) return fault(cause.kind, cause.message, null);
  if (cause instanceof LispError) return fault(cause.reason, cause.message ?? cause.className, cause.className);
  if (cause instanceof ReturnSignal || cause instanceof FailSignal)
    return fault('runtime_error', 'the evaluation was ended where it cannot be', null);
  return null;
}

function fault(reason: string, message: string, className: string | null): EvaluationFault {
  return {
    reason,
    message: message.slice(0, MESSAGE_LENGTH).toWellFormed(),
    span: null,
    details: {},
    exception_class: className,
    public_error: null,
  };
}

function compileFault({ reason, message }: EvaluationFault): CompileFault {
  return {
    reason: reason === 'memory_exceeded' ? 'compile_memory_exceeded' : 'compile_error',
    message,
    component: null,
    span: null,
    details: {},
  };
}
