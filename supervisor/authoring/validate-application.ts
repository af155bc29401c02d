import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { commandFailure, commandSuccess } from '../../contract/envelope/build.ts';
import type { CommandFailure, CommandSuccess } from '../../contract/envelope/types.ts';
import { NO_ADVICE, type Advice, type Outcome } from '../../contract/outcome.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { createDocumentReader, type DocumentReader } from '../documents/document-reader.ts';
import { outlastedMissions, type LimitRemark } from '../documents/limits/outlasted.ts';
import type { ResolvedLimits } from '../documents/limits/resolve.ts';
import type { Target } from '../documents/project/load.ts';
import type { Application } from '../application/preflight/application.ts';
import { validateResult } from '../application/preflight/validate-result.ts';
import { projectArtifacts } from '../documents/project/artifacts.ts';
import { checkProvidersLocally, loadNamed, type DocumentOptions } from '../run/named-documents.ts';
import { loadNamedTarget } from '../documents/project/named.ts';

/** What `svc validate` is asked. */
export interface ValidateOptions extends DocumentOptions {
  readonly runRef: RunReference;
}

/** What a validation found: always an envelope, also where a step threw. */
export interface ValidateReport {
  readonly envelope: CommandSuccess<'validate'> | CommandFailure<'validate'>;
  /** What a person is shown as well. */
  readonly advice: Advice;
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
  /** What a run would enforce; null unless the application is right. */
  readonly limits: ResolvedLimits | null;
  /** Limits that are right each, and of no use together; null without. */
  readonly remark: LimitRemark | null;
}

/**
 * Checks an application as a run would, up to its provider declarations, then the fixtures that it would replay
 * (cli.md §10, "validate"). Opens no provider, reads no environment file, writes nothing and never throws.
 */
export async function validateApplication(options: ValidateOptions): Promise<ValidateReport> {
  try {
    const reader = createDocumentReader(options.documents, options.workingDirectory);
    const target = await loadNamedTarget(options, reader);
    const application = target.ok ? await load(options, reader, target.value) : target;
    if (application.ok) {
      const unfit = await checkProvidersLocally(options, reader, application.value, 'validate');
      if (unfit !== null) return failed(options, unfit.diagnostic, unfit);
      const envelope = commandSuccess('validate', options.runRef, validateResult(application.value));
      const { limits, manifest } = application.value;
      return {
        envelope,
        advice: NO_ADVICE,
        unexpected: null,
        limits,
        remark: manifest.missions.size === 0 ? null : outlastedMissions(limits),
      };
    }
    return failed(options, application.diagnostic, application);
  } catch (error) {
    return failed(options, diagnostic('internal_error', { cause: 'unexpected_exception' }), { unexpected: error });
  }
}

function failed(
  { runRef }: ValidateOptions,
  error: Diagnostic,
  { advice = NO_ADVICE, unexpected = null }: Partial<Pick<ValidateReport, 'advice' | 'unexpected'>>,
): ValidateReport {
  return { envelope: commandFailure('validate', runRef, error), advice, unexpected, limits: null, remark: null };
}

async function load(options: ValidateOptions, reader: DocumentReader, target: Target): Promise<Outcome<Application>> {
  return loadNamed(options, reader, target, {
    input: null,
    // Only a run has an identity that events could contradict.
    identityFixed: false,
    inspectionCapture: projectArtifacts(target)?.inspection === true,
    explainsPrograms: true,
  });
}
