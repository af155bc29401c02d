import type { FileStatus, OpenDirectory, PublicationFileSystem } from '../../evidence/publication/file-system.ts';
import type { OwnerProbe } from '../../evidence/publication/owner.ts';
import { ownershipFault } from '../../evidence/publication/ownership.ts';
import { openSafeDirectory } from '../../evidence/publication/safe-directory.ts';
import type { LeftFile } from './files.ts';
import { LOCK_PARTS, lockDirectory, type Unlock } from './lock.ts';

/** A directory of audit files that this process alone writes to. */
export interface AuditDirectory {
  readonly directory: OpenDirectory;
  /** Files of the audit, rising. */
  readonly records: readonly LeftFile[];
  /** Files that know calls by their key (gateway.md §12), rising. */
  readonly keys: readonly LeftFile[];
  readonly unlock: Unlock;
}

const FILE = /^(keys-)?([0-9]{20})\.jsonl$/;
const DIGITS = 20;
/** Bytes of a file of keys. */
export const KEY_FILE_BYTES = 100_000_000;
/** Far more than may be kept. */
const NAMES_MAX = 1024;
const FILE_MODE = 0o600;

export const fileName = (sequence: bigint): string => `${String(sequence).padStart(DIGITS, '0')}.jsonl`;
export const keyFileName = (sequence: bigint): string => `keys-${fileName(sequence)}`;

/**
 * Opens and locks it (gateway.md §11); null: it is not as it has to be, holds something else, or another gateway has
 * it.
 */
export async function openAuditDirectory(
  fileSystem: PublicationFileSystem,
  owners: OwnerProbe,
  path: string,
  maxFileBytes: number,
): Promise<AuditDirectory | null> {
  const named = await fileSystem.status(path);
  if (!named.ok || ownershipFault(named.value, fileSystem.userId) !== null) return null;
  const opened = await openSafeDirectory(fileSystem, path);
  if (!opened.ok) return null;
  const { directory } = opened.value;
  const locked =
    opened.value.identity === named.value.identity ? await takeLock(fileSystem, directory, owners, maxFileBytes) : null;
  if (locked === null) await directory.close();
  return locked;
}

async function takeLock(
  fileSystem: PublicationFileSystem,
  directory: OpenDirectory,
  owners: OwnerProbe,
  maxFileBytes: number,
): Promise<AuditDirectory | null> {
  if ((await listFiles(fileSystem, directory, maxFileBytes)) === null) return null;
  const unlock = await lockDirectory(directory, owners);
  if (unlock === null) return null;
  // As it is now that nobody else changes it.
  const files = await listFiles(fileSystem, directory, maxFileBytes);
  if (files !== null) return { directory, ...files, unlock };
  await unlock();
  return null;
}

/** Null where anything but our files and the lock is there, or one of them could be somebody else's. */
async function listFiles(
  { userId }: PublicationFileSystem,
  directory: OpenDirectory,
  maxFileBytes: number,
): Promise<Pick<AuditDirectory, 'records' | 'keys'> | null> {
  const names = await directory.names(NAMES_MAX + 1);
  if (!names.ok || names.value.length > NAMES_MAX) return null;
  const [records, keyed]: [LeftFile[], LeftFile[]] = [[], []];
  for (const name of names.value.filter((each) => !LOCK_PARTS.test(each))) {
    const [, keys, digits] = FILE.exec(name) ?? [];
    if (digits === undefined) return null;
    const entry = await directory.entry(name);
    if (
      !entry.ok ||
      !isOwn(entry.value, userId) ||
      entry.value.size > (keys === undefined ? maxFileBytes : KEY_FILE_BYTES)
    )
      return null;
    (keys === undefined ? records : keyed).push({ sequence: BigInt(digits), size: entry.value.size });
  }
  const rising = (list: readonly LeftFile[]): readonly LeftFile[] =>
    list.toSorted((left, right) => (left.sequence < right.sequence ? -1 : 1));
  return { records: rising(records), keys: rising(keyed) };
}

function isOwn({ kind, owner, mode, links }: FileStatus, userId: number): boolean {
  return kind === 'file' && owner === userId && mode === FILE_MODE && links === 1;
}
