import { diagnostic, type Diagnostic } from './diagnostic.ts';
import { INTERRUPTED } from './messages/execution.ts';

/** The failure of a command that was asked to stop (runtime.md §10): the caller knows why, so no reason is reported. */
export function interruption(facts: { readonly providerActivity?: boolean } = {}): Diagnostic {
  return diagnostic('internal_error', { ...facts, message: INTERRUPTED });
}
