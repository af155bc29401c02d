import type { FileStatus } from './file-system.ts';

/** Why what stands at a name is no directory of this user alone. */
export type OwnershipFault = 'not_a_directory' | 'foreign_owner' | 'mode';

const OTHERS = 0o077;

/** Null for a directory that nobody else may use (documents.md §6). */
export function ownershipFault({ kind, owner, mode }: Pick<FileStatus, 'kind' | 'owner' | 'mode'>, userId: number): OwnershipFault | null {
  if (kind !== 'directory') return 'not_a_directory';
  if (owner !== userId) return 'foreign_owner';
  return (mode & OTHERS) === 0 ? null : 'mode';
}

/** The same for people. */
export const OWNERSHIP_WORDS: Readonly<Record<OwnershipFault, string>> = {
  not_a_directory: 'it is not a directory',
  foreign_owner: 'it belongs to another user',
  mode: 'others may use it; run chmod 700 on it',
};
