import type { FileStatus, OpenDirectory, PublicationFileSystem } from '../../publication/file-system.ts';
import type { OwnerProbe } from '../../publication/owner.ts';
import { ownershipFault } from '../../publication/ownership.ts';
import { openSafeDirectory } from '../../publication/safe-directory.ts';
import { LOCK_PARTS, lockDirectory } from './lock.ts';
import type { Unlock } from './lock.ts';

/** A directory of audit files that this process alone writes to. */
export interface AuditDirectory {
  readonly directory: OpenDirectory;
  /** Of its files, rising. */
  readonly sequences: readonly bigint[];
  readonly unlock: Unlock;
}

const FILE = /^[0-9]{20}\.jsonl$/;
const DIGITS = 20;
/** Far more than may be kept. */
const NAMES_MAX = 1024;
const FILE_MODE = 0o600;

export const fileName = (sequence: bigint): string => `${String(sequence).padStart(DIGITS, '0')}.jsonl`;

/** Opens and locks it (gateway.md §11); null: it is not as it has to be, holds something else, or another gateway has it. */
export async function openAuditDirectory(fileSystem: PublicationFileSystem, owners: OwnerProbe, path: string, maxFileBytes: number): Promise<AuditDirectory | null> {
  const named = await fileSystem.status(path);
  if (!named.ok || ownershipFault(named.value, fileSystem.userId) !== null) return null;
  const opened = await openSafeDirectory(fileSystem, path);
  if (!opened.ok) return null;
  const { directory } = opened.value;
  const locked = opened.value.identity === named.value.identity ? await locking(fileSystem, directory, owners, maxFileBytes) : null;
  if (locked === null) await directory.close();
  return locked;
}

async function locking(fileSystem: PublicationFileSystem, directory: OpenDirectory, owners: OwnerProbe, maxFileBytes: number): Promise<AuditDirectory | null> {
  if ((await sequencesOf(fileSystem, directory, maxFileBytes)) === null) return null;
  const unlock = await lockDirectory(directory, owners);
  if (unlock === null) return null;
  // As it is now that nobody else changes it.
  const sequences = await sequencesOf(fileSystem, directory, maxFileBytes);
  if (sequences !== null) return { directory, sequences, unlock };
  await unlock();
  return null;
}

/** Null where anything but files of an audit and the lock is there, or one of them could be somebody else's. */
async function sequencesOf({ userId }: PublicationFileSystem, directory: OpenDirectory, maxFileBytes: number): Promise<readonly bigint[] | null> {
  const names = await directory.names(NAMES_MAX + 1);
  if (!names.ok || names.value.length > NAMES_MAX) return null;
  const sequences: bigint[] = [];
  for (const name of names.value.filter((each) => !LOCK_PARTS.test(each))) {
    if (!FILE.test(name)) return null;
    const entry = await directory.entry(name);
    if (!entry.ok || !isOwn(entry.value, userId) || entry.value.size > maxFileBytes) return null;
    sequences.push(BigInt(name.slice(0, DIGITS)));
  }
  return sequences.toSorted((left, right) => (left < right ? -1 : 1));
}

function isOwn({ kind, owner, mode, links }: FileStatus, userId: number): boolean {
  return kind === 'file' && owner === userId && mode === FILE_MODE && links === 1;
}
