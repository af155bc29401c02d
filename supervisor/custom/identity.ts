import { identityDigest } from '../documents/identity/digest.ts';
import type { Digest } from '../documents/identity/digest.ts';
import type { CustomInstallation } from './installation.ts';

/** What was declared, without revision and without code: a changed function is a changed revision (documents.md §10). */
export function customInstallationDigest({ identity }: CustomInstallation): Digest {
  return identityDigest('svc.installation-config.v1', identity);
}
