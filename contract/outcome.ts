import type { Diagnostic } from './diagnostics/diagnostic.ts';
import type { FailureExplanation } from './diagnostics/explanation.ts';

/**
 * What a step returns: its value, or the one diagnostic that ends the command.
 * Expected failures are returned, never thrown (design.md §4).
 */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Failed;

/** The step came to no value. */
export interface Failed {
  readonly ok: false;
  readonly diagnostic: Diagnostic;
  /** What people are told besides; absent where the diagnostic says all that is known. */
  readonly faults?: FailureExplanation;
  /** Which document could not be read, for who knows its name; absent where each was. */
  readonly unread?: TargetDocument;
}

/** What could not be read, by its role: the name itself is the caller's text. */
export type TargetDocument =
  | 'named_document'
  | 'unreadable_document'
  | 'project_application'
  | 'unreadable_application'
  | 'named_host'
  | 'project_host'
  | 'named_input'
  | 'streamed_input';

/** A step that came to its value. */
export function success<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

/** A step that came to the diagnostic which ends the command. */
export function failure(diagnostic: Diagnostic, faults?: FailureExplanation): Outcome<never> {
  return faults === undefined ? { ok: false, diagnostic } : { ok: false, diagnostic, faults };
}
