import type { FileStatus, PublicationFileSystem } from './file-system.ts';
import { refusalWords } from './refusal-words.ts';
import type { RefusedDirectory } from './safe-directory.ts';

/** Why what is at a name is no directory of this user alone. */
export type OwnershipFault = 'not_a_directory' | 'foreign_owner' | 'mode';

const OTHERS = 0o077;

/** Null for a directory that nobody else may use (documents.md §6). */
export function ownershipFault(
  { kind, owner, mode }: Pick<FileStatus, 'kind' | 'owner' | 'mode'>,
  userId: number,
): OwnershipFault | null {
  if (kind !== 'directory') return 'not_a_directory';
  if (owner !== userId) return 'foreign_owner';
  return (mode & OTHERS) === 0 ? null : 'mode';
}

/** What is at an absolute path and is no directory of this user alone, for people. */
export function ownershipRefusal(
  path: string,
  { owner, group, mode }: FileStatus,
  fault: OwnershipFault,
): RefusedDirectory | null {
  if (fault === 'not_a_directory') return null;
  return { path, reason: fault === 'mode' ? 'open_to_others' : 'foreign_owner', owner, group, mode };
}

/** The same as words; `refused` is null where there is nothing to say of its owner and mode. */
export function ownershipWords(
  fileSystem: Pick<PublicationFileSystem, 'userId' | 'accounts'>,
  refused: RefusedDirectory | null,
): string {
  return refused === null ? 'it is not a directory' : refusalWords(fileSystem, refused);
}
