import type { InstallationOf } from '../../documents/host/fields.ts';
import { configDigest, installationIdentity } from '../../documents/identity/installation.ts';

/**
 * Digest of a model's installation, with its revision: what its vendor gave to carry goes back to the same ones alone
 * (providers.md §5.8).
 */
export function modelIdentity(installation: InstallationOf<'llm'>): string {
  return `${configDigest(installationIdentity(installation))} ${installation.installation_revision}`;
}
