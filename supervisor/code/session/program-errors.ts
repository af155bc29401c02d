import { hostLostProblem } from '../../../contract/diagnostics/messages/remedies.ts';
import { linePosition } from '../../../contract/json/line-position.ts';
import type { EvaluationFault } from '../../../contract/sandbox-protocol.ts';
import type { Evaluated } from '../../calls/evaluation/evaluated.ts';
import type { ProgramError } from './program-end.ts';
import type { SessionRoom } from './session-room.ts';

const encoder = new TextEncoder();

export const FULL_REMEDY = 'keep less, or forget all definitions and values with "reset": true';

/** A success that cannot be kept is none: nothing of it is there for the next program. */
export function fullFault(refusal: string | undefined, { application: { limits } }: SessionRoom): EvaluationFault {
  const message =
    refusal === 'history_exceeded'
      ? `the value is larger than the ${limits.evaluation_history_bytes} bytes that *1, *2 and *3 may have (evaluation_history_bytes)`
      : `the definitions are larger than the ${limits.evaluation_memory_bytes} bytes that a session may keep (evaluation_memory_bytes)`;
  return { reason: 'memory_exceeded', message, span: null, details: {}, exception_class: null, public_error: null };
}

export function faultError({ reason, message, span, report }: EvaluationFault, source: string): ProgramError {
  const told = report?.message ?? message;
  if (span === null) return { kind: reason, message: told, place: null, remedy: null };
  const { line, column } = linePosition(encoder.encode(source), span.start_byte);
  return { kind: reason, message: told, place: { line, column }, remedy: null };
}

export function lossError(
  evaluated: Exclude<Evaluated, { readonly kind: 'replied' }>,
  timeoutMs: number,
): ProgramError {
  const error = (kind: string, message: string, remedy: string | null = null): ProgramError => ({
    kind,
    message,
    place: null,
    remedy,
  });
  if (evaluated.kind === 'not_attached') return error(evaluated.fault.reason, evaluated.fault.message);
  switch (evaluated.loss) {
    case 'timeout':
      return error('timeout', `the program took longer than ${timeoutMs} ms`, 'do less in one program');
    case 'memory_exceeded':
      return error('memory_exceeded', 'the program needed more memory than it may have', 'hold less at one time');
    case 'cancelled':
      return error('cancelled', 'the program was cancelled');
    case 'host_lost':
      return error('memory_exceeded', hostLostProblem(evaluated.signal));
    case 'host_dishonest':
      return error('internal_error', 'the sandbox gave no valid answer');
  }
}
