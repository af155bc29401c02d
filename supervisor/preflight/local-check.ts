import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';

/** A local check that failed. */
export interface LocalRefusal {
  readonly diagnostic: Diagnostic;
  /** What rule was broken and where, for people; no content, no path. Null when the diagnostic says all. */
  readonly hint: string | null;
}
