import { diagnostic, exitStatus } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { commandFailure, commandSuccess } from '../../contract/envelope/build.ts';
import type { CommandFailure, CommandSuccess } from '../../contract/envelope/types.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { Explanation } from '../documents/explain/explanation.ts';
import type { ResolvedLimits } from '../documents/limits/resolve.ts';
import { loadTarget } from '../documents/project/load.ts';
import type { Target } from '../documents/project/load.ts';
import type { Application } from '../preflight/application.ts';
import { validateResult } from '../preflight/validate-result.ts';
import { checkFixtures, explainFault, loadNamed, projectArtifacts } from './documents.ts';
import type { DocumentOptions } from './documents.ts';

export interface ValidateOptions extends DocumentOptions {
  readonly runRef: RunReference;
}

export interface ValidateReport {
  readonly envelope: CommandSuccess<'validate'> | CommandFailure<'validate'>;
  readonly exitStatus: number;
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
  /** For a person at a terminal; null for success and for faults of no place. */
  readonly explanation: Explanation | null;
  /** Which rule a local check found broken, for people; null for every other end. */
  readonly hint: string | null;
  /** What a run would enforce; null unless the application is right. */
  readonly limits: ResolvedLimits | null;
}

/**
 * Checks an application as a run would, up to its provider declarations, then the fixtures that it would replay
 * (cli.md §10, "validate"). Opens no provider, reads no environment file, writes nothing and never throws.
 */
export async function validateApplication(options: ValidateOptions): Promise<ValidateReport> {
  try {
    const reader = createDocumentReader(options.documents, options.workingDirectory);
    const target = await loadTarget(reader, options.document);
    const application = target.ok ? await load(options, reader, target.value) : target;
    if (application.ok) {
      const unfit = await checkFixtures(options, reader, application.value);
      if (unfit !== null) return { ...failed(options.runRef, unfit.diagnostic, null), hint: unfit.hint };
      const envelope = commandSuccess('validate', options.runRef, validateResult(application.value));
      return { envelope, exitStatus: 0, unexpected: null, explanation: null, hint: null, limits: application.value.limits };
    }
    const { diagnostic: error } = application;
    return { ...failed(options.runRef, error, null), explanation: await explainFault(options, reader, target, error, null) };
  } catch (error) {
    return failed(options.runRef, diagnostic('internal_error', { cause: 'unexpected_exception' }), error);
  }
}

function failed(runRef: RunReference, error: Diagnostic, unexpected: unknown): ValidateReport {
  return { envelope: commandFailure('validate', runRef, error), exitStatus: exitStatus(error), unexpected, explanation: null, hint: null, limits: null };
}

async function load(options: ValidateOptions, reader: DocumentReader, target: Target): Promise<Outcome<Application>> {
  return loadNamed(options, reader, target, {
    input: null,
    // Only a run has an identity that events could contradict.
    identityFixed: false,
    inspectionCapture: projectArtifacts(target)?.inspection === true,
  });
}
