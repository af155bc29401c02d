import type { ValidateResult } from '../../../contract/envelope/results.ts';
import type { Application } from './application.ts';

/** What `validate` reports on an application that passed every check (interface.md, documents.md §10). */
export function validateResult(application: Application): ValidateResult {
  const { bundles, contentDigest, effectiveDigest, grants, providers } = application;
  if (bundles.workflow === null) throw new Error('an application whose entry was found has a workflow bundle');
  return {
    application_content_digest: contentDigest,
    effective_application_digest: effectiveDigest,
    installation_config_digests: Object.fromEntries(providers.configDigests),
    workflow_bundle_hash: bundles.workflow.hash,
    mission_bundle_hashes: Object.fromEntries(
      [...bundles.missions].map(([name, bundle]) => [name, bundle?.hash ?? null]),
    ),
    mission_grants: Object.fromEntries(grants),
    provider_activity: false,
  };
}
