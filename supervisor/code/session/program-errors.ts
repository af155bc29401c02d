import { hostLostProblem } from '../../../contract/diagnostics/messages/remedies.ts';
import { linePosition } from '../../../contract/json/line-position.ts';
import type { EvaluateReply, EvaluationFault } from '../../../contract/sandbox-protocol.ts';
import type { Evaluated } from '../../calls/evaluation/evaluated.ts';
import type { ProgramError } from './program-end.ts';
import type { SessionRoom } from './session-room.ts';

const encoder = new TextEncoder();

/** Who set a limit that a program ran into. */
export const SETTERS = 'set in the limits of the application, up to those of its host';

type Unkept = Pick<
  Exclude<EvaluateReply, { readonly outcome: 'evaluation_error' }>,
  'commit_refusal' | 'largest' | 'unretainable'
>;

/** A success that cannot be kept is none: none of it is there for the next program. */
export function unkeptFault(
  { commit_refusal: refusal, unretainable }: Unkept,
  { application: { limits } }: SessionRoom,
): EvaluationFault {
  const fault = (reason: string, message: string): EvaluationFault => ({
    reason,
    message,
    span: null,
    details: {},
    exception_class: null,
    public_error: null,
  });
  if (unretainable !== undefined)
    return fault('value_error', `what was defined cannot be kept: it holds ${unretainable}`);
  return refusal === 'history_exceeded'
    ? fault(
        'memory_exceeded',
        `the value is larger than the ${limits.evaluation_history_bytes} bytes that *1, *2 and *3 may have (evaluation_history_bytes, ${SETTERS})`,
      )
    : fault(
        'memory_exceeded',
        `the definitions are larger than the ${limits.evaluation_memory_bytes} bytes that a session may keep (evaluation_memory_bytes, ${SETTERS})`,
      );
}

/** What to do about it; the largest definitions are those that the failed program would have left. */
export function unkeptRemedy({ unretainable, largest = [] }: Unkept): string {
  if (unretainable !== undefined) return 'use it within one program, and define its result';
  const names = largest.map(({ name, bytes }) => `${name} (${bytes} bytes)`);
  const shown = names.length === 0 ? '' : `; the largest definitions: ${names.join(', ')}`;
  return `keep less, define large ones again as something small, or forget all with "reset": true${shown}`;
}

export function faultError({ reason, message, span, report }: EvaluationFault, source: string): ProgramError {
  const words = report?.message ?? message;
  const remedy =
    reason === 'loop_limit_exceeded' ? `let loops end sooner: evaluation_loop_iterations is ${SETTERS}` : null;
  if (span === null) return { kind: reason, message: words, place: null, remedy };
  const { line, column } = linePosition(encoder.encode(source), span.start_byte);
  return { kind: reason, message: words, place: { line, column }, remedy };
}

/** What a program had room for. */
export interface ProgramBounds {
  readonly timeoutMs: number;
  /** `evaluation_timeout_ms`, which `timeoutMs` is where the call asked for no less. */
  readonly longestMs: number;
  /** `evaluation_heap_words`. */
  readonly heapWords: number;
  /** UTF-8 bytes of the definitions of earlier programs. */
  readonly keptBytes: number;
}

export function lossError(
  evaluated: Exclude<Evaluated, { readonly kind: 'replied' }>,
  { timeoutMs, longestMs, heapWords, keptBytes }: ProgramBounds,
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
      return timeoutMs < longestMs
        ? error(
            'timeout',
            `the program took longer than the ${timeoutMs} ms that its call asked for`,
            `do less in one program, or ask for up to ${longestMs} ms (evaluation_timeout_ms)`,
          )
        : error(
            'timeout',
            `the program took longer than ${timeoutMs} ms (evaluation_timeout_ms, ${SETTERS})`,
            'do less in one program',
          );
    case 'memory_exceeded':
      return keptBytes === 0
        ? error(
            'memory_exceeded',
            `the program needed more memory than evaluation_heap_words allows (${heapWords} words, ${SETTERS})`,
            'hold less at one time',
          )
        : error(
            'memory_exceeded',
            `the program and what earlier ones defined (${keptBytes} bytes) needed more memory than evaluation_heap_words allows (${heapWords} words, ${SETTERS})`,
            'hold less at one time, define large values again as something small, or forget all with "reset": true',
          );
    case 'cancelled':
      return error('cancelled', 'the program was cancelled');
    case 'host_lost':
      return error('memory_exceeded', hostLostProblem(evaluated.signal));
    case 'host_dishonest':
      return error('internal_error', 'the sandbox gave no valid answer');
  }
}
