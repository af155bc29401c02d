import { resolve } from 'node:path';
import type { GrantStore } from '../../../contract/provider-protocol/grant-store.ts';
import type { SealingKeys } from '../../code/embedded/types.ts';
import type { ApprovalStore } from './approval-store.ts';
import { checkDirectory } from './arguments.ts';
import { fileApprovals } from './file-approvals.ts';
import { fileArtifacts } from './file-artifacts.ts';
import { fileGrants } from './file-grants.ts';
import { fileJournal } from './file-journal.ts';
import { grantKeys } from './grant-keys.ts';
import { fileSecrets } from './file-secrets.ts';
import type { ArtifactStore, RunJournal, SecretProvider } from './interface.ts';
import { makeDirectory } from '../../evidence/publication/make-directory.ts';
import { publicationTools } from '../../evidence/publication/published-files.ts';

/**
 * Artifacts as files below a directory of this user alone, which is made when it is absent (gateway.md §16): several
 * processes, and machines that share a file system, may use it beside each other. Throws what the file system says of
 * one that cannot be made.
 */
export function openDirectoryArtifacts(directory: string): ArtifactStore {
  checkDirectory('openDirectoryArtifacts', directory);
  return fileArtifacts(publicationTools(), made(directory));
}

/**
 * Questions that wait for a person, as files below `<directory>/approvals` (approvals.md §7); several processes may use
 * it beside each other. Throws what the file system says of a directory that cannot be made.
 */
export function openDirectoryApprovals(directory: string): ApprovalStore {
  checkDirectory('openDirectoryApprovals', directory);
  return fileApprovals(publicationTools(), made(directory));
}

/** The record of runs below such a directory. Throws what the file system says of one that cannot be made. */
export function openDirectoryJournal(directory: string): RunJournal {
  checkDirectory('openDirectoryJournal', directory);
  return fileJournal(publicationTools(), made(directory));
}

/**
 * Credentials as files `<directory>/<tenant>/secrets/<binding>` that nobody but this user can look into
 * (docs/guides/runners.md). Nothing is made: a tenant without a folder has none.
 */
export function openDirectorySecrets(directory: string): SecretProvider {
  checkDirectory('openDirectorySecrets', directory);
  return fileSecrets(publicationTools(), resolve(directory));
}

/**
 * What people granted as files `<directory>/<tenant>/grants`, sealed with the keys `<directory>/<tenant>/keys/<epoch>`,
 * 64 hex digits each (docs/guides/runners.md). A tenant without a folder or without a key can keep none.
 */
export function openDirectoryGrants(directory: string): GrantStore {
  checkDirectory('openDirectoryGrants', directory);
  return fileGrants(publicationTools(), resolve(directory));
}

/**
 * Keys that sessions are saved with, as files `<directory>/<tenant>/keys/<epoch>`, 64 hex digits each
 * (docs/guides/runners.md). Nothing is made: a tenant without a folder has none.
 */
export function openDirectoryKeys(directory: string): SealingKeys {
  checkDirectory('openDirectoryKeys', directory);
  const [tools, root] = [publicationTools(), resolve(directory)];
  return { tenantKeys: (tenant) => grantKeys(tools, root, tenant) };
}

function made(directory: string): string {
  const path = resolve(directory);
  makeDirectory(path);
  return path;
}
