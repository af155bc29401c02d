import type { ProviderRecord } from '../documents/identity/effective.ts';
import type { Occurrence } from './source/installed-provider.ts';

/**
 * What snapshots and the effective digest say of a selection; no endpoint, model, path or credential (documents.md
 * §10).
 */
export function providerRecordOf({ alias, provider, config }: Occurrence): ProviderRecord {
  const { source, revision, policy, authorization } = provider;
  return { name: alias, source, installationRevision: revision, ...policy, authorizationMode: authorization, config };
}
