import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { runFailure } from '../../../contract/envelope/build.ts';
import { incomplete } from '../../../contract/envelope/execution.ts';
import type { RunFailure } from '../../../contract/envelope/types.ts';

/**
 * The envelope of a run whose runner was lost (gateway.md §19): what it did is not known, so its effects are
 * indeterminate, and it is not safe to ask for it again.
 */
export function lostRecord(runReference: string): RunFailure {
  return runFailure({
    runReference,
    error: diagnostic('internal_error', { cause: 'unexpected_exception', providerActivity: true }),
    secondaryErrors: [],
    warnings: [],
    artifactClass: 'normal',
    artifactState: { trace: 'not_written', inspection: 'not_written', result: 'not_written' },
    execution: incomplete({ usage: null, evaluationMemory: null }),
  });
}
