import type { Success } from '../../../contract/outcome.ts';
import type { InodeIdentity, FileStatus, OpenDirectory, PublicationFileSystem } from './file-system.ts';

/** runtime.md §12: at most 40 links on the way to a parent. */
const LINK_HOPS = 40;
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_ALL = 0o002;
const OPEN_TO_OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * Whose directories a destination may lie in (first-day.md §4).
 * - `own`: this user's and root's alone. For what is private.
 * - `named`: also another user's, as the mount of a container and the checkout of a build are, because the operator
 *   named
 *   the place; what is made there is its owner's alone.
 */
export type Trust = 'own' | 'named';

/** Why other users could replace what is made in a directory, or why it takes nothing. */
export type RefusalReason =
  | 'foreign_owner'
  | 'foreign_link'
  | 'group_writable'
  | 'all_writable'
  | 'not_writable'
  | 'open_to_others';

/** The directory, on the way or at its end, that led to a refusal. */
export interface RefusedDirectory {
  /** Absolute. */
  readonly path: string;
  readonly reason: RefusalReason;
  readonly owner: number;
  readonly group: number;
  /** The low twelve bits. */
  readonly mode: number;
}

export type DirectoryFault =
  /** Some component does not exist. */
  | 'missing'
  | 'not_directory'
  /** An ancestor that another user could change, or a link that another user owns. */
  | 'unsafe'
  /** No permission, no writing, or an input/output error. */
  | 'unusable';

export interface SafeDirectory {
  readonly directory: OpenDirectory;
  readonly identity: InodeIdentity;
  /** Absolute and free of links at the time of opening. */
  readonly path: string;
  /** Whether it, or a directory above it, belongs to another user than this one and root. */
  readonly isForeign: boolean;
}

export type SafeDirectoryResult =
  | Success<SafeDirectory>
  | {
      readonly ok: false;
      readonly fault: DirectoryFault;
      readonly errno: string | null;
      readonly refused: RefusedDirectory | null;
    };

/**
 * Opens an absolute directory path for publication: no other user than those that `trust` allows can change it, an
 * ancestor or a link on the way (runtime.md §12, first-day.md §4), and it is writable.
 */
export async function openSafeDirectory(
  fileSystem: PublicationFileSystem,
  path: string,
  trust: Trust = 'own',
): Promise<SafeDirectoryResult> {
  return openResolved(fileSystem, await resolveSafely(fileSystem, path, trust), findRejection);
}

/** The same for a directory in which something already lies that is used: it need not be writable. */
export async function openSafeParent(
  fileSystem: PublicationFileSystem,
  path: string,
  trust: Trust = 'own',
): Promise<SafeDirectoryResult> {
  return openResolved(fileSystem, await resolveSafely(fileSystem, path, trust), findSwap);
}

type Rejection = (directory: OpenDirectory, status: FileStatus, path: string) => Promise<SafeDirectoryRefusal | null>;

async function openResolved(
  fileSystem: PublicationFileSystem,
  resolved: Resolution,
  reject: Rejection,
): Promise<SafeDirectoryResult> {
  if (!resolved.ok) return resolved;
  const opened = await fileSystem.openDirectory(resolved.path);
  if (!opened.ok) return faultOf(opened.errno, refusedDirectory('not_writable', resolved));
  const directory = opened.value;
  const fault = await reject(directory, resolved.status, resolved.path);
  if (fault !== null) {
    await directory.close();
    return fault;
  }
  return {
    ok: true,
    value: { directory, identity: resolved.status.identity, path: resolved.path, isForeign: resolved.isForeign },
  };
}

/**
 * Opens a child of a directory that is held: not by path, so that nothing that happened to the path leads it elsewhere.
 * The child must be this user's alone. Its `path` leads to it as long as nothing is moved (`isInPlace`).
 */
export async function openPinnedChild(
  fileSystem: PublicationFileSystem,
  parent: SafeDirectory,
  name: string,
): Promise<SafeDirectoryResult> {
  const opened = await parent.directory.openDirectory(name);
  if (!opened.ok) return faultOf(opened.errno);
  const directory = opened.value;
  const status = await directory.status();
  const path = joinChild(parent.path, name);
  const fault = status.ok
    ? await rejectChild(fileSystem, directory, { path, status: status.value })
    : faultOf(status.errno);
  if (status.ok && fault === null)
    return { ok: true, value: { directory, identity: status.value.identity, path, isForeign: parent.isForeign } };
  await directory.close();
  return fault ?? refusal('unusable');
}

interface Seen {
  readonly path: string;
  readonly status: FileStatus;
}

async function rejectChild(
  { userId }: PublicationFileSystem,
  directory: OpenDirectory,
  { path, status }: Seen,
): Promise<SafeDirectoryRefusal | null> {
  return status.owner === userId && (status.mode & OPEN_TO_OTHERS) === 0
    ? findRejection(directory, status, path)
    : refusal('unsafe');
}

/** Whether the path of a directory that is held still leads to it, and is no link. */
export async function isInPlace(
  fileSystem: PublicationFileSystem,
  { path, identity }: SafeDirectory,
): Promise<boolean> {
  const status = await fileSystem.status(path);
  return status.ok && status.value.kind === 'directory' && status.value.identity === identity;
}

/** Whether it is another directory than the one that was looked at. */
async function findSwap(directory: OpenDirectory, { identity }: FileStatus): Promise<SafeDirectoryRefusal | null> {
  const status = await directory.status();
  if (!status.ok) return faultOf(status.errno);
  return status.value.identity === identity ? null : refusal('unsafe');
}

async function findRejection(
  directory: OpenDirectory,
  expected: FileStatus,
  path: string,
): Promise<SafeDirectoryRefusal | null> {
  const swapped = await findSwap(directory, expected);
  if (swapped !== null) return swapped;
  const writable = await directory.isWritable();
  if (!writable.ok) return faultOf(writable.errno);
  return writable.value
    ? null
    : refusal('unusable', 'EACCES', refusedDirectory('not_writable', { path, status: expected }));
}

type SafeDirectoryRefusal = Extract<SafeDirectoryResult, { ok: false }>;
type Resolution =
  | { readonly ok: true; readonly path: string; readonly status: FileStatus; readonly isForeign: boolean }
  | SafeDirectoryRefusal;

/** Walks component by component; the directory so far is free of links, so `..` is its lexical parent. */
async function resolveSafely(fileSystem: PublicationFileSystem, path: string, trust: Trust): Promise<Resolution> {
  let pending = components(path);
  let current = '/';
  let hops = 0;
  /** What belongs to another user on the way, from the last absolute link on. */
  let isForeign = false;
  for (;;) {
    const status = await fileSystem.status(current);
    if (!status.ok) return faultOf(status.errno);
    const { kind } = status.value;
    const seen = { path: current, status: status.value };
    if (kind === 'link') {
      hops += 1;
      if (hops > LINK_HOPS) return refusal('unsafe');
      if (!(await isTrusted(fileSystem, seen, trust)))
        return refusal('unsafe', null, refusedDirectory('foreign_link', seen));
      const target = await fileSystem.readLink(current);
      if (!target.ok) return faultOf(target.errno);
      pending = [...components(target.value), ...pending];
      current = target.value.startsWith('/') ? '/' : parentOf(current);
    } else if (kind === 'directory') {
      const reason = (await isTrusted(fileSystem, seen, trust)) ? dangerOf(fileSystem, status.value) : 'foreign_owner';
      if (reason !== null) return refusal('unsafe', null, refusedDirectory(reason, seen));
      isForeign ||= current !== '/' && !isOurs(fileSystem, status.value);
    } else {
      return refusal('not_directory');
    }
    const next = pending.shift();
    if (next === undefined) {
      if (kind !== 'link') return { ok: true, path: current, status: status.value, isForeign };
    } else {
      current = next === '..' ? parentOf(current) : joinChild(current, next);
    }
  }
}

function isOurs({ userId }: PublicationFileSystem, { owner }: FileStatus): boolean {
  return owner === 0 || owner === userId;
}

/**
 * Whether the owner of a directory or link on the way may be who it is. Another user's is trusted only where that user,
 * or one who was trusted before, put it: in a directory that all may write anybody could have.
 */
async function isTrusted(fileSystem: PublicationFileSystem, { path, status }: Seen, trust: Trust): Promise<boolean> {
  // Who owns the root of the file system is its administrator, in a user namespace a number that names nobody.
  if (path === '/' || isOurs(fileSystem, status)) return true;
  if (trust === 'own') return false;
  const holder = await fileSystem.status(parentOf(path));
  return holder.ok && (holder.value.owner === status.owner || (holder.value.mode & WRITABLE_BY_ALL) === 0);
}

/** Who else than its owner could replace what is in a directory. */
function dangerOf(fileSystem: PublicationFileSystem, { owner, group, mode }: FileStatus): RefusalReason | null {
  if ((mode & STICKY) !== 0) return null;
  if ((mode & WRITABLE_BY_ALL) !== 0) return 'all_writable';
  return (mode & WRITABLE_BY_GROUP) !== 0 && !fileSystem.accounts.isPrivateGroup(group, owner)
    ? 'group_writable'
    : null;
}

function refusedDirectory(reason: RefusalReason, { path, status: { owner, group, mode } }: Seen): RefusedDirectory {
  return { path, reason, owner, group, mode };
}

function components(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** The path of a name in a directory. */
export function joinChild(path: string, name: string): string {
  return path === '/' ? `/${name}` : `${path}/${name}`;
}

function refusal(
  fault: DirectoryFault,
  errno: string | null = null,
  refused: RefusedDirectory | null = null,
): SafeDirectoryRefusal {
  return { ok: false, fault, errno, refused };
}

function faultOf(errno: string, refused: RefusedDirectory | null = null): SafeDirectoryRefusal {
  switch (errno) {
    case 'ENOENT':
      return refusal('missing', errno);
    case 'ENOTDIR':
      return refusal('not_directory', errno);
    case 'ELOOP':
    case 'ESTALE':
      return refusal('unsafe', errno);
    default:
      return refusal('unusable', errno, refused);
  }
}
