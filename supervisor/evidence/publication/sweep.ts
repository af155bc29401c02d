import type { FileStatus, OpenDirectory, PublicationFileSystem } from './file-system.ts';
import { ARTIFACT_DIRECTORIES, OWNER_NAME, STAGED_NAME, isLockName, isStagingName, newStagingName } from './names.ts';
import { decodeOwner, type OwnerFacts, type OwnerMarker, type OwnerProbe } from './owner.ts';
import type { SweptPlaces } from './swept-places.ts';

/** Bounds of runtime.md §12: entries looked at, and candidates opened, in one directory. */
const ENTRY_LIMIT = 256;
const CANDIDATE_LIMIT = 16;
const MARKER_BYTES = 4096;
/** A directory without a readable marker may be one that its owner is just filling: prune's grace, cli.md §10. */
const UNMARKED_GRACE_MS = 600_000;
/** An owner behind another pid namespace cannot be asked; no run lasts a day. */
const UNKNOWN_OWNER_GRACE_MS = 86_400_000;

export interface SweepTools {
  readonly fileSystem: PublicationFileSystem;
  readonly owners: OwnerProbe;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  /** Absent: a place is swept each time. */
  readonly swept?: SweptPlaces;
}

/**
 * Removes what dead owners left in a directory: staging and lock directories, and recovery files that never got a
 * value. Bounded and not recursive; what it cannot prove dead stays. Failures leave things for the next sweep.
 */
export async function sweepLeftovers(tools: SweepTools, parent: OpenDirectory): Promise<void> {
  if (!(await isSweepDue(tools, parent))) return;
  const names = await parent.names(ENTRY_LIMIT);
  if (!names.ok) return;
  const candidates = names.value.filter((name) => isStagingName(name) || isLockName(name)).slice(0, CANDIDATE_LIMIT);
  for (const name of candidates) await removeIfDead(tools, parent, name);
}

/** Whether a directory, or a part of what is in it, is to be swept now; it counts as swept then. */
export async function isSweepDue({ swept }: SweepTools, parent: OpenDirectory, part = ''): Promise<boolean> {
  if (swept === undefined) return true;
  const status = await parent.status();
  return status.ok && swept.isDue(`${status.value.identity}/${part}`);
}

/** Removes a lock whose owner is dead; true when the name is free for another attempt. */
export async function removeDeadLock(tools: SweepTools, parent: OpenDirectory, name: string): Promise<boolean> {
  return removeIfDead(tools, parent, name);
}

async function removeIfDead(tools: SweepTools, parent: OpenDirectory, name: string): Promise<boolean> {
  const opened = await parent.openDirectory(name);
  if (!opened.ok) return false;
  const directory = opened.value;
  try {
    const status = await directory.status();
    if (!status.ok || status.value.owner !== tools.fileSystem.userId) return false;
    const bytes = await directory.readFile(OWNER_NAME, MARKER_BYTES);
    // What cannot be read may say that its owner lives.
    if (!bytes.ok && bytes.errno !== 'ENOENT') return false;
    const marker = bytes.ok ? decodeOwner(bytes.value) : null;
    if (
      !(await isOwnerDead(tools, marker?.owner ?? null, status.value.modifiedAt)) ||
      !(await checkOnlyOurNames(directory))
    )
      return false;
    return await removeLeftover(tools, parent, name, status.value, marker);
  } finally {
    await directory.close();
  }
}

/** What a staging directory holds: a file with its marker, or an artifact root that was never placed. */
const STAGED: ReadonlySet<string> = new Set([OWNER_NAME, STAGED_NAME, ...ARTIFACT_DIRECTORIES]);

/** Any other content is not of this protocol and stays. */
async function checkOnlyOurNames(directory: OpenDirectory): Promise<boolean> {
  const names = await directory.names(STAGED.size + 1);
  return names.ok && names.value.every((name) => STAGED.has(name));
}

/**
 * Whether what somebody made, and changed last at `modifiedAt` (milliseconds since 1970), was given up; null for no
 * word of whom.
 */
export async function isOwnerDead(tools: SweepTools, owner: OwnerFacts | null, modifiedAt: number): Promise<boolean> {
  const age = tools.wallClock() - modifiedAt;
  if (owner === null) return age > UNMARKED_GRACE_MS;
  const life = await tools.owners.isAlive(owner);
  return life === 'dead' || (life === 'unknown' && age > UNKNOWN_OWNER_GRACE_MS);
}

/** Takes the directory out of the way first, so that of two sweepers only one removes, and never a successor. */
async function removeLeftover(
  tools: SweepTools,
  parent: OpenDirectory,
  name: string,
  { identity }: FileStatus,
  marker: OwnerMarker | null,
): Promise<boolean> {
  const aside = newStagingName();
  const moved = await parent.rename(parent, name, aside);
  if (!moved.ok) return false;
  // Opened again: one that is addressed by its path is lost with it.
  const result = await parent.openDirectory(aside);
  if (!result.ok) {
    await parent.rename(parent, aside, name);
    return false;
  }
  const directory = result.value;
  try {
    const status = await directory.status();
    if (status.ok && status.value.identity === identity)
      return await removeClaimed(tools, parent, { name: aside, directory }, marker);
    await parent.rename(parent, aside, name);
    return false;
  } finally {
    await directory.close();
  }
}

interface ClaimedLeftover {
  readonly name: string;
  readonly directory: OpenDirectory;
}

async function removeClaimed(
  tools: SweepTools,
  parent: OpenDirectory,
  { name, directory }: ClaimedLeftover,
  marker: OwnerMarker | null,
): Promise<boolean> {
  const recovery = marker?.recovery ?? null;
  if (recovery !== null) await removeEmptyRecovery(tools, parent, recovery);
  const partial = marker?.partial ?? null;
  if (partial !== null && !(await keepPartial(tools, parent, directory, partial))) return false;
  await directory.removeFile(STAGED_NAME);
  await directory.removeFile(OWNER_NAME);
  // Only empty ones go: what somebody put into one stays, and with it the directory.
  for (const child of ARTIFACT_DIRECTORIES) await directory.removeDirectory(child);
  await parent.removeDirectory(name);
  return true;
}

/**
 * Gives content that was still written to a name of its own, since its beginning can be proved (evidence.md §6);
 * content that had a name already was whole. False where a later sweep must try again.
 */
async function keepPartial(
  tools: SweepTools,
  parent: OpenDirectory,
  directory: OpenDirectory,
  name: string,
): Promise<boolean> {
  const content = await directory.entry(STAGED_NAME);
  if (!content.ok) return content.errno === 'ENOENT';
  const { kind, owner, size, links } = content.value;
  if (kind !== 'file' || owner !== tools.fileSystem.userId || size === 0 || links > 1) return true;
  const linked = await parent.link(directory, STAGED_NAME, name);
  // A run reference is of one run: what has the name already is this very evidence.
  return linked.ok ? (await parent.sync()).ok : linked.errno === 'EEXIST';
}

/** A recovery file gets its value by one rename, so an empty one never held any. */
async function removeEmptyRecovery(tools: SweepTools, parent: OpenDirectory, name: string): Promise<void> {
  if (name.includes('/')) return;
  const status = await parent.entry(name);
  if (!status.ok || status.value.kind !== 'file') return;
  if (status.value.owner === tools.fileSystem.userId && status.value.size === 0) await parent.removeFile(name);
}
