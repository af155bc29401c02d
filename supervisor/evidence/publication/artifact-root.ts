import type { InodeIdentity, FileStatus, OpenDirectory, PublicationFileSystem } from './file-system.ts';
import { ARTIFACT_DIRECTORIES, type ArtifactDirectory } from './names.ts';
import { ownershipFault, ownershipRefusal, type OwnershipFault } from './ownership.ts';
import {
  joinChild,
  isInPlace,
  openPinnedChild,
  openSafeParent,
  type RefusedDirectory,
  type SafeDirectory,
  type SafeDirectoryResult,
} from './safe-directory.ts';
import { splitPath } from './single-file.ts';
import { isStill, openStaging, type Staging } from './staging.ts';
import { sweepLeftovers, type SweepTools } from './sweep.ts';

/** May are next to the four, under the same rule (documents.md §6). */
const JOURNALS = 'runs';
type RootChild = ArtifactDirectory | typeof JOURNALS;

/** Why a root is refused; `child` is null for the root itself. The words go into a hint, never a path. */
export interface ArtifactRootFault {
  readonly ok: false;
  readonly fault: 'parent_unusable' | OwnershipFault | 'unavailable';
  readonly child: RootChild | null;
  /** The directory that led to it, with its owner, group and mode; null where none did. */
  readonly refused: RefusedDirectory | null;
}

export type ArtifactRootResult = { readonly ok: true } | ArtifactRootFault;

/**
 * A project's artifact root while a command needs it. The directory that holds it is held by descriptor from the moment
 * the project was read, the root itself from its preparation: what becomes of their paths meanwhile leads nothing
 * elsewhere (runtime.md §12, §14).
 */
export interface ArtifactRoot {
  /**
   * Makes the root when it is absent, whole or not at all; otherwise checks that it and its children are directories of
   * this user alone. A missing child is made; nothing that exists is repaired (documents.md §6). What a dead process
   * left beside it while it made one is swept. Once it was found usable, that answer stays.
   */
  prepare(): Promise<ArtifactRootResult>;
  /** The root itself, which this object closes; null before its preparation. */
  directory(): OpenDirectory | null;
  /** Opens a child of the prepared root; the caller closes its directory. */
  open(child: ArtifactDirectory): Promise<SafeDirectoryResult>;
  close(): Promise<void>;
}

/** Takes hold of the directory in which the root of an absolute path is, or will be made. */
export async function holdArtifactRoot(tools: SweepTools, path: string): Promise<ArtifactRoot> {
  const { directory, name } = splitPath(path);
  const opened = await openSafeParent(tools.fileSystem, directory, 'named');
  const parent = opened.ok ? opened.value : null;
  let root: SafeDirectory | null = null;
  return {
    prepare: async () => {
      if (root !== null) return { ok: true };
      if (parent === null || !(await isInPlace(tools.fileSystem, parent)))
        return refuse('parent_unusable', null, opened.ok ? null : opened.refused);
      const prepared = await prepareRoot(tools, parent, name);
      if (!prepared.ok) return prepared;
      root = prepared.root;
      return { ok: true };
    },
    directory: () => root?.directory ?? null,
    open: async (child) =>
      root === null
        ? { ok: false, fault: 'unusable', errno: null, refused: null }
        : openPinnedChild(tools.fileSystem, root, child),
    close: async () => {
      await root?.directory.close();
      await parent?.directory.close();
      root = null;
    },
  };
}

/**
 * Why a root could not be prepared, as far as that is known without making anything; null: it is usable, or can be
 * made.
 */
export async function findArtifactRootFault(
  fileSystem: PublicationFileSystem,
  path: string,
): Promise<ArtifactRootFault | null> {
  const { directory, name } = splitPath(path);
  const parent = await openSafeParent(fileSystem, directory, 'named');
  if (!parent.ok) return refuse('parent_unusable', null, parent.refused);
  try {
    return await judgeRoot(fileSystem, parent.value, name);
  } finally {
    await parent.value.directory.close();
  }
}

async function judgeRoot(
  fileSystem: PublicationFileSystem,
  parent: SafeDirectory,
  name: string,
): Promise<ArtifactRootFault | null> {
  const link = await parent.directory.entry(name);
  if (!link.ok) return link.errno === 'ENOENT' ? null : refuse('unavailable', null);
  const fault = ownershipFault(link.value, fileSystem.userId);
  if (fault !== null) return refuse(fault, null);
  const root = await openPinnedChild(fileSystem, parent, name);
  if (!root.ok) return refuse('unavailable', null);
  try {
    for (const child of [...ARTIFACT_DIRECTORIES, JOURNALS] as const) {
      const entry = await root.value.directory.entry(child);
      const childFault = entry.ok
        ? ownershipFault(entry.value, fileSystem.userId)
        : entry.errno === 'ENOENT'
          ? null
          : 'unavailable';
      if (childFault !== null) return refuse(childFault, child);
    }
    return null;
  } finally {
    await root.value.directory.close();
  }
}

type PreparedRoot = { readonly ok: true; readonly root: SafeDirectory } | ArtifactRootFault;

async function prepareRoot(tools: SweepTools, parent: SafeDirectory, name: string): Promise<PreparedRoot> {
  await sweepLeftovers(tools, parent.directory);
  const existing = await parent.directory.entry(name);
  if (!existing.ok) {
    if (existing.errno !== 'ENOENT') return refuse('unavailable', null);
    const writable = await parent.directory.isWritable();
    if (!writable.ok || !writable.value) return refuse('parent_unusable', null);
    // A root that appeared meanwhile is judged like any other.
    await makeRoot(parent.directory, name);
  }
  return openRoot(tools.fileSystem, parent, name);
}

async function makeRoot(parent: OpenDirectory, name: string): Promise<void> {
  const staging = await openStaging(parent);
  if (!staging.ok) return;
  const isPlaced =
    (await fillRoot(staging.value.directory)) && (await placeDirectory(staging.value, name)) === 'placed';
  if (!isPlaced) await discardRoot(staging.value);
  await staging.value.directory.close();
}

async function fillRoot(root: OpenDirectory): Promise<boolean> {
  for (const child of ARTIFACT_DIRECTORIES) {
    if (!(await root.makeDirectory(child, 0o700)).ok) return false;
  }
  return true;
}

async function discardRoot(staging: Staging): Promise<void> {
  for (const child of ARTIFACT_DIRECTORIES) await staging.directory.removeDirectory(child);
  if (await isStill(staging.parent, staging.name, staging.identity)) await staging.parent.removeDirectory(staging.name);
}

/**
 * Gives a finished directory its final name without replacing anything: an empty directory is made there
 * exclusively, and the finished one renamed over it, which the system refuses once it has content (cli.md §8).
 */
export async function placeDirectory(staging: Staging, name: string): Promise<'placed' | 'exists' | 'failed'> {
  const { parent } = staging;
  const claimed = await parent.makeDirectory(name, 0o700);
  if (!claimed.ok) return claimed.errno === 'EEXIST' ? 'exists' : 'failed';
  const claim = await parent.entry(name);
  if (!claim.ok) return 'failed';
  if (await isStill(parent, staging.name, staging.identity)) {
    const moved = await parent.rename(parent, staging.name, name);
    if (moved.ok) return 'placed';
    if (moved.errno === 'ENOTEMPTY' || moved.errno === 'EEXIST') return 'exists';
  }
  if (await isStill(parent, name, claim.value.identity)) await parent.removeDirectory(name);
  return 'failed';
}

/** Opens the root where it and its children fit; closes it where they do not. */
async function openRoot(fileSystem: PublicationFileSystem, parent: SafeDirectory, name: string): Promise<PreparedRoot> {
  const link = await parent.directory.entry(name);
  if (!link.ok) return refuse('unavailable', null);
  const fault = ownershipFault(link.value, fileSystem.userId);
  if (fault !== null) return refuse(fault, null, ownershipRefusal(joinChild(parent.path, name), link.value, fault));
  const opened = await openPinnedChild(fileSystem, parent, name);
  if (!opened.ok) return refuse('unavailable', null);
  const root = opened.value;
  const refused = await findChildrenRefusal(fileSystem, root, link.value.identity);
  if (refused === null) return { ok: true, root };
  await root.directory.close();
  return refused;
}

async function findChildrenRefusal(
  fileSystem: PublicationFileSystem,
  root: SafeDirectory,
  seen: InodeIdentity,
): Promise<ArtifactRootFault | null> {
  if (root.identity !== seen) return refuse('unavailable', null);
  for (const child of ARTIFACT_DIRECTORIES) {
    const refused = await checkChild(root, child, fileSystem.userId);
    if (refused !== null) return refused;
  }
  const journals = await root.directory.entry(JOURNALS);
  return journals.ok ? ownershipOf(root, JOURNALS, journals.value, fileSystem.userId) : null;
}

type RootFault = ArtifactRootFault['fault'];

async function checkChild(
  root: SafeDirectory,
  child: ArtifactDirectory,
  userId: number,
): Promise<ArtifactRootFault | null> {
  let status = await root.directory.entry(child);
  if (!status.ok && status.errno === 'ENOENT') {
    const made = await root.directory.makeDirectory(child, 0o700);
    if (!made.ok && made.errno !== 'EEXIST') return refuse('unavailable', child);
    status = await root.directory.entry(child);
  }
  return status.ok ? ownershipOf(root, child, status.value, userId) : refuse('unavailable', child);
}

function ownershipOf(
  root: SafeDirectory,
  child: RootChild,
  status: FileStatus,
  userId: number,
): ArtifactRootFault | null {
  const fault = ownershipFault(status, userId);
  return fault === null ? null : refuse(fault, child, ownershipRefusal(joinChild(root.path, child), status, fault));
}

function refuse(fault: RootFault, child: RootChild | null, refused: RefusedDirectory | null = null): ArtifactRootFault {
  return { ok: false, fault, child, refused };
}
