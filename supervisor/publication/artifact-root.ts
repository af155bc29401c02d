import type { OpenDirectory, PublicationFileSystem } from './file-system.ts';
import { ARTIFACT_DIRECTORIES } from './names.ts';
import type { ArtifactDirectory } from './names.ts';
import { openSafeDirectory } from './safe-directory.ts';
import { splitPath } from './single-file.ts';
import { isStill, openStaging } from './staging.ts';
import type { Staging } from './staging.ts';
import { sweepLeftovers } from './sweep.ts';
import type { SweepTools } from './sweep.ts';

const OTHERS = 0o077;

/** May stand beside the four, under the same rule (documents.md §6). */
const JOURNALS = 'runs';
type RootChild = ArtifactDirectory | typeof JOURNALS;

/** Why a root is refused; `child` is null for the root itself. The words go into a hint, never a path. */
export type ArtifactRootResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly fault: 'parent_unusable' | 'not_a_directory' | 'foreign_owner' | 'mode' | 'unavailable';
      readonly child: RootChild | null;
    };

/**
 * Makes a project's artifact root when it is absent, whole or not at all; otherwise checks that it and its children
 * are directories of this user alone. A missing child is made; nothing that exists is repaired (documents.md §6).
 * What a dead process left beside it while it made one is swept.
 */
export async function ensureArtifactRoot(tools: SweepTools, path: string): Promise<ArtifactRootResult> {
  const { fileSystem } = tools;
  const existing = await fileSystem.status(path);
  if (!existing.ok && existing.errno !== 'ENOENT') return refuse('unavailable', null);
  const made = await besideRoot(tools, path, existing.ok);
  if (existing.ok) return checkRoot(fileSystem, path);
  // A root that appeared meanwhile is judged like any other.
  return made.ok || made.fault !== 'unavailable' ? made : checkRoot(fileSystem, path);
}

/** Sweeps the root's parent and, where the root is absent, makes it there. */
async function besideRoot(tools: SweepTools, path: string, exists: boolean): Promise<ArtifactRootResult> {
  const { directory, name } = splitPath(path);
  const parent = await openSafeDirectory(tools.fileSystem, directory);
  if (!parent.ok) return refuse('parent_unusable', null);
  try {
    await sweepLeftovers(tools, parent.value.directory);
    if (exists) return { ok: true };
    const staging = await openStaging(parent.value.directory);
    if (!staging.ok) return refuse('unavailable', null);
    const filled = await fillRoot(staging.value.directory);
    const placed = filled && (await placeDirectory(staging.value, name)) === 'placed';
    if (!placed) await discardRoot(staging.value);
    await staging.value.directory.close();
    return placed ? { ok: true } : refuse('unavailable', null);
  } finally {
    await parent.value.directory.close();
  }
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

async function checkRoot(fileSystem: PublicationFileSystem, path: string): Promise<ArtifactRootResult> {
  const link = await fileSystem.status(path);
  if (!link.ok) return refuse('unavailable', null);
  if (link.value.kind !== 'directory') return refuse('not_a_directory', null);
  const opened = await openSafeDirectory(fileSystem, path);
  if (!opened.ok) return refuse(opened.fault === 'unsafe' ? (ownershipFault(link.value, fileSystem.userId) ?? 'parent_unusable') : 'unavailable', null);
  const root = opened.value.directory;
  try {
    const fault = ownershipFault(link.value, fileSystem.userId);
    if (fault !== null) return refuse(fault, null);
    for (const child of ARTIFACT_DIRECTORIES) {
      const childFault = await checkChild(root, child, fileSystem.userId);
      if (childFault !== null) return refuse(childFault, child);
    }
    const journals = await root.entry(JOURNALS);
    const journalFault = journals.ok ? ownershipFault(journals.value, fileSystem.userId) : null;
    return journalFault === null ? { ok: true } : refuse(journalFault, JOURNALS);
  } finally {
    await root.close();
  }
}

type RootFault = Extract<ArtifactRootResult, { ok: false }>['fault'];

async function checkChild(root: OpenDirectory, child: ArtifactDirectory, userId: number): Promise<RootFault | null> {
  let status = await root.entry(child);
  if (!status.ok && status.errno === 'ENOENT') {
    const made = await root.makeDirectory(child, 0o700);
    if (!made.ok && made.errno !== 'EEXIST') return 'unavailable';
    status = await root.entry(child);
  }
  return status.ok ? ownershipFault(status.value, userId) : 'unavailable';
}

function ownershipFault(
  status: { readonly kind: string; readonly owner: number; readonly mode: number },
  userId: number,
): RootFault | null {
  if (status.kind !== 'directory') return 'not_a_directory';
  if (status.owner !== userId) return 'foreign_owner';
  return (status.mode & OTHERS) === 0 ? null : 'mode';
}

function refuse(fault: RootFault, child: RootChild | null): ArtifactRootResult {
  return { ok: false, fault, child };
}
