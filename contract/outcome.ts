import type { Diagnostic } from './diagnostics/diagnostic.ts';

/**
 * What a step returns: its value, or the one diagnostic that ends the command.
 * Expected failures are returned, never thrown (architecture.md §3).
 */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

export function success<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function failure(diagnostic: Diagnostic): Outcome<never> {
  return { ok: false, diagnostic };
}
