import { diagnostic, exitStatus } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { commandFailure, commandSuccess } from '../../contract/envelope/build.ts';
import type { ValidateResult } from '../../contract/envelope/results.ts';
import type { CommandFailure, CommandSuccess } from '../../contract/envelope/types.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import { loadTarget } from '../documents/project/load.ts';
import type { Application } from '../preflight/application.ts';
import { loadNamed, projectArtifacts } from './documents.ts';
import type { DocumentOptions } from './documents.ts';

export interface ValidateOptions extends DocumentOptions {
  readonly runRef: RunReference;
}

export interface ValidateReport {
  readonly envelope: CommandSuccess<'validate'> | CommandFailure<'validate'>;
  readonly exitStatus: number;
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
}

/**
 * Checks an application as a run would, up to its provider declarations (cli.md §10, "validate"). Opens no provider,
 * reads no environment file, writes nothing and never throws.
 */
export async function validateApplication(options: ValidateOptions): Promise<ValidateReport> {
  try {
    const application = await load(options);
    return application.ok
      ? { envelope: commandSuccess('validate', options.runRef, resultOf(application.value)), exitStatus: 0, unexpected: null }
      : failed(options.runRef, application.diagnostic, null);
  } catch (error) {
    return failed(options.runRef, diagnostic('internal_error', { cause: 'unexpected_exception' }), error);
  }
}

function failed(runRef: RunReference, error: Diagnostic, unexpected: unknown): ValidateReport {
  return { envelope: commandFailure('validate', runRef, error), exitStatus: exitStatus(error), unexpected };
}

async function load(options: ValidateOptions): Promise<Outcome<Application>> {
  const reader = createDocumentReader(options.documents, options.workingDirectory);
  const target = await loadTarget(reader, options.document);
  if (!target.ok) return target;
  return loadNamed(options, reader, target.value, {
    input: null,
    // Only a run has an identity that events could contradict.
    identityFixed: false,
    inspectionCapture: projectArtifacts(target.value)?.inspection === true,
  });
}

function resultOf({ contentDigest, effectiveDigest, providers, bundles, grants }: Application): ValidateResult {
  if (bundles.workflow === null) throw new Error('an entry was found in the bundle of the workflow');
  return {
    application_content_digest: contentDigest,
    effective_application_digest: effectiveDigest,
    installation_config_digests: Object.fromEntries(providers.configDigests),
    workflow_bundle_hash: bundles.workflow.hash,
    mission_bundle_hashes: Object.fromEntries([...bundles.missions].map(([name, bundle]) => [name, bundle?.hash ?? null])),
    mission_grants: Object.fromEntries(grants),
    provider_activity: false,
  };
}
