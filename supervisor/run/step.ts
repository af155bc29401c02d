import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Advice } from './advice.ts';

/** What a step of a run returns: what the next one needs, or why the run ends here. */
export type RunStep<T> = { readonly ok: true; readonly value: T } | StepRefusal;

export interface StepRefusal {
  readonly ok: false;
  /** Carries the provider activity that there was by then. */
  readonly diagnostic: Diagnostic;
  /** What went wrong while what had been opened was let go again: it stays secondary (providers.md §3). */
  readonly later?: readonly Diagnostic[];
  /** What a person is told besides. */
  readonly advice?: Advice;
}
