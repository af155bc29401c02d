import { diagnostic, type Diagnostic } from './diagnostic.ts';
import { INTERRUPTED } from './messages/execution.ts';

/** The failure of a command that was asked to stop (runtime.md §10): whoever asked knows why, so no reason is told. */
export function interruption(facts: { readonly providerActivity?: boolean } = {}): Diagnostic {
  return diagnostic('internal_error', { ...facts, message: INTERRUPTED });
}
