import { hostLostProblem } from '../../../contract/diagnostics/messages/remedies.ts';
import { linePosition } from '../../../contract/json/line-position.ts';
import type { DefinitionSize, EvaluateReply, EvaluationFault } from '../../../contract/sandbox-protocol.ts';
import type { Evaluated } from '../../calls/evaluation/evaluated.ts';
import type { ProgramError } from './program-end.ts';
import type { SessionRoom } from './session-room.ts';

const encoder = new TextEncoder();

/** Who set a limit that a program ran into. */
export const SETTERS = 'set in the limits of the application, up to those of its host';

type UnstoredResult = Pick<
  Exclude<EvaluateReply, { readonly outcome: 'evaluation_error' }>,
  'commit_refusal' | 'largest' | 'unretainable'
>;

/** A success that cannot be kept is none: none of it is there for the next program. */
export function unstoredFault(
  { commit_refusal: refusal, unretainable }: UnstoredResult,
  { application: { limits } }: SessionRoom,
): EvaluationFault {
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

/** A value that only fits an isolate that holds nothing else is as if it could not be kept. */
export function unshownFault({ application: { limits } }: SessionRoom): EvaluationFault {
  return fault(
    'memory_exceeded',
    `the value is too large to be kept: a session with it needs more memory than evaluation_heap_words allows (${limits.evaluation_heap_words} words, ${SETTERS})`,
  );
}

function fault(reason: string, message: string): EvaluationFault {
  return { reason, message, span: null, details: {}, exception_class: null, public_error: null };
}

/** What to do where the value of a program is too large. */
export const LESS_REMEDY = 'end the program with a part of the value, or with what you need of it';

/** What to do about it; the largest definitions are those that the failed program would have left. */
export function unstoredRemedy({ unretainable, commit_refusal: refusal, largest = [] }: UnstoredResult): string {
  if (unretainable !== undefined) return 'use it within one program, and define its result';
  if (refusal === 'history_exceeded') return LESS_REMEDY;
  return `keep less, define large ones again as something small, or forget all with "reset": true${largestText(largest)}`;
}

function largestText(largest: readonly DefinitionSize[]): string {
  const names = largest.map(({ name, bytes }) => `${name} (${bytes} bytes)`);
  return names.length === 0 ? '' : `; the largest definitions: ${names.join(', ')}`;
}

export function faultError({ reason, message, span, report }: EvaluationFault, source: string): ProgramError {
  const words = report?.message ?? message;
  const remedy = faultRemedy(reason, words);
  if (span === null) return { kind: reason, message: words, place: null, remedy };
  const { line, column } = linePosition(encoder.encode(source), span.start_byte);
  return { kind: reason, message: words, place: { line, column }, remedy };
}

/** What the sandbox itself bounds, in the words that its guest has for it (sandbox/runtime/errors.ts). */
const FIXED = [
  [/^endless recursion: /, 'how deep calls may go'],
  [/: a string or collection became larger than any may be$| exceeds the size limit$/, 'how large a value may be'],
] as const;
/** A quota, as `tool!/NAME` raises it (sandbox/language/link/tools.ts). */
const QUOTA = /^tool\/\S+ failed \(limit_exceeded, capability_quota\): .*"limit" "(\w+)"/;

/** Who sets the limit that a program ran into; null: it ran into none. */
function faultRemedy(reason: string, message: string): string | null {
  if (reason === 'loop_limit_exceeded') return `let loops end sooner: evaluation_loop_iterations is ${SETTERS}`;
  const fixed = reason === 'memory_exceeded' ? FIXED.find(([words]) => words.test(message))?.[1] : undefined;
  if (fixed !== undefined)
    return `${fixed} is fixed by the sandbox: no limit of the application or its host changes it`;
  const quota = reason === 'tool_error' ? QUOTA.exec(message)?.[1] : undefined;
  if (quota === undefined) return null;
  const setters = quota === 'max_calls' ? 'set where the host installs the model' : SETTERS;
  return `make fewer calls in one program: ${quota} is ${setters}`;
}

/** What a program had room for. */
export interface ProgramBounds {
  readonly timeoutMs: number;
  /** `evaluation_timeout_ms`, which `timeoutMs` is where the call asked for no less. */
  readonly longestMs: number;
  /** `run_duration_ms`. */
  readonly runMs: number;
  /** `evaluation_heap_words`. */
  readonly heapWords: number;
  /** UTF-8 bytes of the definitions and values of earlier programs. */
  readonly storedBytes: number;
  /** The largest of them. */
  readonly largest: readonly DefinitionSize[];
}

export function lossError(
  evaluated: Exclude<Evaluated, { readonly kind: 'replied' }>,
  { timeoutMs, longestMs, runMs, heapWords, storedBytes: savedBytes, largest }: ProgramBounds,
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
      if (runMs <= timeoutMs)
        return error(
          'timeout',
          `the program took longer than the ${runMs} ms that its run may take (run_duration_ms, ${SETTERS})`,
          'do less in one program',
        );
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
      return savedBytes === 0
        ? error(
            'memory_exceeded',
            `the program needed more memory than evaluation_heap_words allows (${heapWords} words, ${SETTERS})`,
            'hold less at one time',
          )
        : error(
            'memory_exceeded',
            `the program and what earlier ones left (${savedBytes} bytes) needed more memory than evaluation_heap_words allows (${heapWords} words, ${SETTERS})`,
            `hold less at one time, define large values again as something small, or forget all with "reset": true${largestText(largest)}`,
          );
    case 'cancelled':
      return error('cancelled', 'the program was cancelled');
    case 'host_lost':
      return error(
        'memory_exceeded',
        hostLostProblem(evaluated.signal),
        savedBytes === 0 ? null : `what earlier programs left is kept (${savedBytes} bytes)${largestText(largest)}`,
      );
    case 'host_dishonest':
      return error('internal_error', 'the sandbox gave no valid answer');
  }
}
