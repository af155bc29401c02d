import type { ProviderWords } from './provider-protocol/provider-words.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import type { FailureExplanation } from './diagnostics/explanation.ts';

/**
 * What a step returns: its value, or the one diagnostic that ends the command.
 * Expected failures are returned, never thrown (design.md §4).
 */
export type Outcome<T> = Success<T> | Failed;

/** It came to one. */
export interface Success<T> {
  readonly ok: true;
  readonly value: T;
}

/**
 * A value, or why there is none, in the words of the function that gives it; what may end a command is an `Outcome`.
 */
export type Result<T, F> = Success<T> | Fault<F>;

/** Why there is no value. */
export interface Fault<F> {
  readonly ok: false;
  readonly fault: F;
}

/** The step came to no value. */
export interface Failed {
  readonly ok: false;
  /** Carries the provider activity that there was by then. */
  readonly diagnostic: Diagnostic;
  /** Absent where the diagnostic says all that is known. */
  readonly advice?: Advice;
  /** Faults while opened providers were closed; they stay secondary (providers.md §3). */
  readonly later?: readonly Diagnostic[];
}

/** Nothing was done, and what a person can do about it: how the work of a command ends that has no other advice. */
export interface Refused {
  readonly ok: false;
  readonly diagnostic: Diagnostic;
  /** A remedy; null without one. */
  readonly hint: string | null;
}

/** What a person reads about a failure in addition to its envelope, and never in it. */
export interface Advice {
  /** A remedy; null without one. It names no path but that of a directory that was refused (first-day.md §4). */
  readonly hint: string | null;
  /** Which document could not be read; null where none was sought in vain. */
  readonly target: TargetDocument | null;
  /** What is known of faults in documents and programs (documents.md §14, cli.md §4); null without. */
  readonly faults: FailureExplanation | null;
  /** What the provider said whose failure it is (world.md §1.5); null where none did, and of a private run. */
  readonly provider: ProviderWords | null;
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

export const NO_ADVICE: Advice = { hint: null, target: null, faults: null, provider: null };

/** A step that came to its value. */
export function success<T>(value: T): Success<T> {
  return { ok: true, value };
}

/** A step that came to the diagnostic which ends the command. */
export function failure(diagnostic: Diagnostic, advice: Partial<Advice> = NO_ADVICE): Failed {
  const whole: Advice = { ...NO_ADVICE, ...advice };
  const isSilent = Object.values(whole).every((part) => part === null);
  return isSilent ? { ok: false, diagnostic } : { ok: false, diagnostic, advice: whole };
}
