import type { FormEnd } from '../../../supervisor/api/sessions.ts';

/**
 * Kinds whose messages quote nothing but the program, or are limits; a program's own `fail` says what it means to say.
 */
const OPEN_KINDS: ReadonlySet<string> = new Set([
  'explicit_failure',
  'interrupted',
  'memory_exceeded',
  'parse_error',
  'program_too_large',
  'run_timeout',
  'runtime_limit_exceeded',
  'timeout',
  'unbound_var',
  'unknown_tool',
]);

const REDACTED = 'the form failed';

/**
 * Messages of the evaluator may quote evidence: over private runs they are reported by their kind alone (evidence.md
 * §8).
 */
export function redacted(end: FormEnd): FormEnd {
  if (end.kind === 'value' || OPEN_KINDS.has(end.error.kind)) return end;
  const { kind, place } = end.error;
  return { ...end, error: { kind, place, message: REDACTED } };
}

export function isRedacted(end: FormEnd): boolean {
  return end.kind === 'failed' && end.error.message === REDACTED;
}
