import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { EvaluationMemory, Usage } from './usage.ts';

/** How far the workflow of a run came (interface.md §1.2.6; runtime.md §3). */

/** language.md §17 says which evaluation error has one of these kinds. */
export const EVALUATION_ERROR_KINDS = [
  'arithmetic_error',
  'type_error',
  'arity_error',
  'unknown_tool',
  'not_callable',
  'loop_limit_exceeded',
  'unsupported_java_class',
  'unsupported_java_member',
  'java_arity_error',
  'java_type_error',
  'java_domain_error',
  'invalid_java_string',
  'java_handler_contract_error',
  'inspect_only_unavailable',
] as const;
/** How the last evaluation of a mission ended, where it did not end with a value (interface.md). */
export type EvaluationErrorKind = (typeof EVALUATION_ERROR_KINDS)[number];

/** Characters of an evaluation error's message (interface.md §1.8). */
export const EVALUATION_ERROR_LENGTH_MAX = 1024;

/** The last error of an evaluation in a mission, as far as it may be shown. */
export interface EvaluationError {
  readonly kind: EvaluationErrorKind;
  /** 1..1024 characters, admitted facts only. */
  readonly message: string;
}

/** No program of the run has started. */
export interface NotStarted {
  readonly state: 'not_started';
}

/** A program has started, and how it ended is not on record; what could not be sealed is null. */
export interface Incomplete {
  readonly state: 'incomplete';
  readonly usage: Usage | null;
  readonly evaluation_memory: EvaluationMemory | null;
  readonly last_evaluation_error: EvaluationError | null;
}

/** The workflow ended with a value. */
export interface FinishedOk {
  readonly state: 'finished';
  readonly outcome: 'ok';
  readonly diagnostic: null;
  readonly usage: Usage;
  readonly evaluation_memory: EvaluationMemory;
  readonly last_evaluation_error: null;
}

/** The workflow ended with an error. */
export interface FinishedError {
  readonly state: 'finished';
  readonly outcome: 'error';
  /** Of phase `execution`. */
  readonly diagnostic: Diagnostic;
  readonly usage: Usage;
  readonly evaluation_memory: EvaluationMemory;
  readonly last_evaluation_error: EvaluationError | null;
}

/** How far the programs of a run came (interface.md §1.2.6). */
export type ExecutionRecord = NotStarted | Incomplete | FinishedOk | FinishedError;

/** What is counted of a run at its end; nothing changes it any more. */
export interface SealedRecords {
  readonly usage: Usage;
  readonly evaluationMemory: EvaluationMemory;
}

/** Nothing of the workflow ran, and no provider was reached (runtime.md §3). */
export function notStarted(): NotStarted {
  return { state: 'not_started' };
}

/** Ended by something other than its own end, or without records that could be sealed: null is "not known". */
export function incomplete(known: {
  readonly usage: Usage | null;
  readonly evaluationMemory: EvaluationMemory | null;
  readonly lastEvaluationError?: EvaluationError | null;
}): Incomplete {
  return {
    state: 'incomplete',
    usage: known.usage,
    evaluation_memory: known.evaluationMemory,
    last_evaluation_error: checkedError(known.lastEvaluationError ?? null),
  };
}

/** The workflow's value was accepted, whatever a later guard, clean-up or publication came to (runtime.md §3). */
export function finishedOk({ usage, evaluationMemory }: SealedRecords): FinishedOk {
  return {
    state: 'finished',
    outcome: 'ok',
    diagnostic: null,
    usage,
    evaluation_memory: evaluationMemory,
    last_evaluation_error: null,
  };
}

/** Throws TypeError unless the diagnostic is of phase `execution`. */
export function finishedError(
  diagnostic: Diagnostic,
  {
    usage,
    evaluationMemory,
    lastEvaluationError = null,
  }: SealedRecords & { readonly lastEvaluationError?: EvaluationError | null },
): FinishedError {
  if (diagnostic.phase !== 'execution') throw new TypeError('a finished execution carries an execution diagnostic');
  return {
    state: 'finished',
    outcome: 'error',
    diagnostic,
    usage,
    evaluation_memory: evaluationMemory,
    last_evaluation_error: checkedError(lastEvaluationError),
  };
}

function checkedError(error: EvaluationError | null): EvaluationError | null {
  if (error !== null && (error.message.length === 0 || error.message.length > EVALUATION_ERROR_LENGTH_MAX)) {
    throw new TypeError('the message of an evaluation error has 1 to 1024 characters');
  }
  return error;
}
