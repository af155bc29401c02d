import { hostLostProblem } from '../../contract/diagnostics/messages/remedies.ts';
import { linePosition } from '../../contract/json/line-position.ts';
import type { EvaluateReply, EvaluationFault } from '../../contract/sandbox-protocol.ts';
import type { Evaluated } from '../calls/evaluation/evaluated.ts';
import { suspectWords } from '../calls/evaluation/suspect-words.ts';
import { suspectsIn } from '../calls/evaluation/suspects.ts';

/** Why a form failed: the reason of language.md §17, or of the limit that ended it, and what happened. */
export interface FormError {
  readonly kind: string;
  readonly message: string;
  /** Where in the text, from 1; null where it has no particular place. */
  readonly place: { readonly line: number; readonly column: number } | null;
  /** Preview of the `ex-data` of an exception that the program made; absent without. */
  readonly data?: string;
}

/** How one form ended. */
export type FormEnd = FormFacts &
  /**
   * Preview of its value (language.md §18), or its JSON; that of `(return v)` is v itself. `isUnavailable`: it is no
   * JSON.
   */
  (
    | { readonly kind: 'value'; readonly text: string; readonly isUnavailable?: true }
    | { readonly kind: 'failed'; readonly error: FormError }
  );

interface FormFacts {
  readonly prints: readonly string[];
  /** Generated JavaScript, when it was asked for and there is any. */
  readonly code: string | null;
  /**
   * The isolate had to be given up: whether the next one has all that earlier forms had made, or what could be written
   * down of it. Null: it lives.
   */
  readonly recovered: 'all' | 'part' | null;
  /** What the evaluation came to; null where it was not started, or is lost. */
  readonly outcome: EvaluateReply['outcome'] | null;
  /** Set when a limit of the whole session was reached: it evaluates nothing more. */
  readonly ended: boolean;
  /** The namespace that the session is in now; absent where the form left it as it was. */
  readonly namespace?: string;
}

const encoder = new TextEncoder();

/** Of a form that was not evaluated. */
export const NOTHING = {
  prints: [],
  code: null,
  recovered: null,
  outcome: null,
  ended: false,
} as const satisfies FormFacts;

export function formEnd(reply: EvaluateReply, source: string, isJson: boolean): FormEnd {
  const common = { ...NOTHING, prints: reply.prints, code: reply.code ?? null, outcome: reply.outcome };
  if (reply.outcome === 'evaluation_error')
    return { ...common, kind: 'failed', error: faultError(reply.fault, source) };
  const facts = reply.namespace === undefined ? common : { ...common, namespace: reply.namespace };
  // What a form defined is kept, though its value is no JSON.
  if (isJson && reply.projection_fault !== null && reply.outcome !== 'failed')
    return { ...facts, kind: 'value', text: '', isUnavailable: true };
  if (reply.projection_fault !== null)
    return { ...facts, kind: 'failed', error: faultError(reply.projection_fault, source) };
  const text = reply.value ?? '';
  return reply.outcome === 'failed'
    ? { ...facts, kind: 'failed', error: plainError('explicit_failure', text) }
    : { ...facts, kind: 'value', text };
}

function faultError({ reason, message, span, report }: EvaluationFault, source: string): FormError {
  const data = report === undefined || report.data === null ? {} : { data: report.data };
  if (span === null) return { ...plainError(reason, message), ...data };
  const { line, column } = linePosition(encoder.encode(source), span.start_byte);
  return { kind: reason, message, place: { line, column }, ...data };
}

export function plainError(kind: string, message: string): FormError {
  return { kind, message, place: null };
}

/** A host that died under a form is taken for one that ran out of memory, as in a mission (runtime.md §9, §14). */
export function formLossError(
  { loss, signal }: Extract<Evaluated, { readonly kind: 'lost' }>,
  { source, timeoutMs }: { readonly source: string; readonly timeoutMs: number },
): FormError {
  switch (loss) {
    case 'timeout':
      return {
        kind: 'timeout',
        message: `the form took longer than ${Math.round(timeoutMs)} ms${suspectWords(source)}`,
        place: slowPlace(source),
      };
    case 'memory_exceeded':
      return plainError('memory_exceeded', 'the form needed more memory than it may have');
    case 'cancelled':
      return plainError('interrupted', 'the form was interrupted');
    case 'host_lost':
      return plainError('memory_exceeded', hostLostProblem(signal));
    case 'host_dishonest':
      return plainError('internal_error', 'the sandbox gave no valid answer');
  }
}

/** Spaces and comments before the first form of a text. */
const BEFORE_FORM = /^(?:[\s,]|;[^\n]*|#![^\n]*)*/u;

/** Where a text that took too long need not end; the place of its first form where nothing in it suggests that. */
function slowPlace(source: string): { readonly line: number; readonly column: number } {
  const [suspect] = suspectsIn(source);
  const bytes = encoder.encode(source);
  const start = suspect?.span.start_byte ?? encoder.encode(BEFORE_FORM.exec(source)?.[0] ?? '').length;
  const { line, column } = linePosition(bytes, start);
  return { line, column };
}
