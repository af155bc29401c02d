import type { FileIdentity, FileStatus, OpenDirectory, PublicationFileSystem } from './file-system.ts';

/** runtime.md §12: at most 40 links on the way to a parent. */
const LINK_HOPS = 40;
const WRITABLE_BY_OTHERS = 0o022;
const OPEN_TO_OTHERS = 0o077;
const STICKY = 0o1000;

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
  readonly identity: FileIdentity;
  /** Absolute and free of links at the time of opening. */
  readonly path: string;
}

export type SafeDirectoryResult =
  | { readonly ok: true; readonly value: SafeDirectory }
  | { readonly ok: false; readonly fault: DirectoryFault; readonly errno: string | null };

/**
 * Opens an absolute directory path for publication: every ancestor belongs to this user or root and cannot be
 * changed by others unless sticky, links on the way likewise (runtime.md §12), and the directory is writable.
 */
export async function openSafeDirectory(fileSystem: PublicationFileSystem, path: string): Promise<SafeDirectoryResult> {
  return openResolved(fileSystem, path, rejectionOf);
}

/** The same for a directory in which something already lies that is used: it need not be writable. */
export async function openSafeParent(fileSystem: PublicationFileSystem, path: string): Promise<SafeDirectoryResult> {
  return openResolved(fileSystem, path, swapOf);
}

type Rejection = (directory: OpenDirectory, identity: FileIdentity) => Promise<SafeDirectoryRefusal | null>;

async function openResolved(fileSystem: PublicationFileSystem, path: string, reject: Rejection): Promise<SafeDirectoryResult> {
  const resolved = await resolveSafely(fileSystem, path);
  if (!resolved.ok) return resolved;
  const opened = await fileSystem.openDirectory(resolved.path);
  if (!opened.ok) return faultOf(opened.errno);
  const directory = opened.value;
  const fault = await reject(directory, resolved.identity);
  if (fault !== null) {
    await directory.close();
    return fault;
  }
  return { ok: true, value: { directory, identity: resolved.identity, path: resolved.path } };
}

/**
 * Opens a child of a directory that is held: not by path, so that nothing that happened to the path leads it elsewhere.
 * The child must be this user's alone. Its `path` leads to it as long as nothing is moved (`isInPlace`).
 */
export async function openHeldChild(fileSystem: PublicationFileSystem, parent: SafeDirectory, name: string): Promise<SafeDirectoryResult> {
  const opened = await parent.directory.openDirectory(name);
  if (!opened.ok) return faultOf(opened.errno);
  const directory = opened.value;
  const status = await directory.status();
  const fault = status.ok ? await childRejection(fileSystem, directory, status.value) : faultOf(status.errno);
  if (status.ok && fault === null) return { ok: true, value: { directory, identity: status.value.identity, path: childOf(parent.path, name) } };
  await directory.close();
  return fault ?? refusal('unusable');
}

async function childRejection({ userId }: PublicationFileSystem, directory: OpenDirectory, { owner, mode, identity }: FileStatus): Promise<SafeDirectoryRefusal | null> {
  return owner === userId && (mode & OPEN_TO_OTHERS) === 0 ? rejectionOf(directory, identity) : refusal('unsafe');
}

/** Whether the path of a directory that is held still leads to it, and is no link. */
export async function isInPlace(fileSystem: PublicationFileSystem, { path, identity }: SafeDirectory): Promise<boolean> {
  const status = await fileSystem.status(path);
  return status.ok && status.value.kind === 'directory' && status.value.identity === identity;
}

/** Whether it is another directory than the one that was looked at. */
async function swapOf(directory: OpenDirectory, identity: FileIdentity): Promise<SafeDirectoryRefusal | null> {
  const status = await directory.status();
  if (!status.ok) return faultOf(status.errno);
  return status.value.identity === identity ? null : refusal('unsafe');
}

async function rejectionOf(directory: OpenDirectory, identity: FileIdentity): Promise<SafeDirectoryRefusal | null> {
  const swapped = await swapOf(directory, identity);
  if (swapped !== null) return swapped;
  const writable = await directory.isWritable();
  if (!writable.ok) return faultOf(writable.errno);
  return writable.value ? null : refusal('unusable', 'EACCES');
}

type SafeDirectoryRefusal = Extract<SafeDirectoryResult, { ok: false }>;
type Resolution = { readonly ok: true; readonly path: string; readonly identity: FileIdentity } | SafeDirectoryRefusal;

/** Walks component by component; the directory so far is free of links, so `..` is its lexical parent. */
async function resolveSafely(fileSystem: PublicationFileSystem, path: string): Promise<Resolution> {
  const isTrusted = (owner: number): boolean => owner === 0 || owner === fileSystem.userId;
  let pending = components(path);
  let current = '/';
  let hops = 0;
  let identity: FileIdentity = '';
  for (;;) {
    const status = await fileSystem.status(current);
    if (!status.ok) return faultOf(status.errno);
    const { kind, owner, mode } = status.value;
    if (kind === 'link') {
      hops += 1;
      if (hops > LINK_HOPS || !isTrusted(owner)) return refusal('unsafe');
      const target = await fileSystem.readLink(current);
      if (!target.ok) return faultOf(target.errno);
      pending = [...components(target.value), ...pending];
      current = target.value.startsWith('/') ? '/' : parentOf(current);
    } else if (kind === 'directory') {
      // The root of a container may belong to a user that has no number here; nobody can put another one in its place.
      if ((current !== '/' && !isTrusted(owner)) || ((mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0)) return refusal('unsafe');
      identity = status.value.identity;
    } else {
      return refusal('not_directory');
    }
    const next = pending.shift();
    if (next === undefined) {
      if (kind !== 'link') return { ok: true, path: current, identity };
    } else {
      current = next === '..' ? parentOf(current) : childOf(current, next);
    }
  }
}

function components(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

function childOf(path: string, name: string): string {
  return path === '/' ? `/${name}` : `${path}/${name}`;
}

function refusal(fault: DirectoryFault, errno: string | null = null): SafeDirectoryRefusal {
  return { ok: false, fault, errno };
}

function faultOf(errno: string): SafeDirectoryRefusal {
  switch (errno) {
    case 'ENOENT':
      return refusal('missing', errno);
    case 'ENOTDIR':
      return refusal('not_directory', errno);
    case 'ELOOP':
    case 'ESTALE':
      return refusal('unsafe', errno);
    default:
      return refusal('unusable', errno);
  }
}
