import { createHash, randomBytes } from 'node:crypto';
import type { OpenDirectory } from '../../evidence/publication/file-system.ts';
import { decodeOwner, encodeOwner, type OwnerProbe } from '../../evidence/publication/owner.ts';

/** Name of the lock, and of what is made on the way to it. */
export const LOCK = 'lock';
export const LOCK_PARTS = /^lock(?:\.taking|(?:\.after)?\.[0-9a-f]{32})?$/;
/** What may be left on the way to a lock; `lock.taking` is of versions before this one. */
const LEFT = /^lock\.(?:taking|(?:after\.)?[0-9a-f]{32})$/;
const DIGEST_LENGTH = 32;
const OWNER_BYTES = 4096;
/** Names of a directory that are looked at: records, and what killed processes left among them. */
const ENTRY_LIMIT = 65_536;
/** One without its owner may be one that its process is just writing. */
const UNMARKED_GRACE_MS = 600_000;
const MODE = 0o600;

/** Lets go of a directory; false where that could not be done. */
export type Unlock = () => Promise<boolean>;

/**
 * Takes a directory for this process alone; null: somebody has it, or the file system does not allow it. The lock is a
 * file that appears whole, with who made it. That of a dead process is taken over by its successor, and there is never
 * more than one (`takenOver`).
 */
export async function lockDirectory(
  directory: OpenDirectory,
  owners: OwnerProbe,
  wallClock: () => number = Date.now,
): Promise<Unlock | null> {
  const own = `${LOCK}.${randomBytes(16).toString('hex')}`;
  if (!(await writeLock(directory, own, owners))) return null;
  const isUsed = (await directory.link(directory, own, LOCK)).ok || (await takeOver(directory, own, owners));
  await directory.removeFile(own);
  if (!isUsed) return null;
  const result = await directory.entry(LOCK);
  await sweepParts(directory, owners, wallClock);
  if (!result.ok || !(await directory.sync()).ok) return null;
  return async () => {
    const now = await directory.entry(LOCK);
    return now.ok && now.value.identity === result.value.identity && (await directory.removeFile(LOCK)).ok;
  };
}

/**
 * Removes what processes that were killed on the way to the lock left there; the lock is ours, so that none of it
 * matters any more. What another process is just making is of a living owner, or young.
 */
async function sweepParts(directory: OpenDirectory, owners: OwnerProbe, wallClock: () => number): Promise<void> {
  const names = await directory.names(ENTRY_LIMIT);
  if (!names.ok) return;
  for (const name of names.value.filter((entry) => LEFT.test(entry))) {
    if ((await findDeadMarker(directory, name, owners)) !== null || (await isAbandoned(directory, name, wallClock)))
      await directory.removeFile(name);
  }
}

/** Whether it names nobody, as of a process that was killed while it wrote, and is old. */
async function isAbandoned(directory: OpenDirectory, name: string, wallClock: () => number): Promise<boolean> {
  const read = await directory.readFile(name, OWNER_BYTES);
  if (!read.ok || decodeOwner(read.value) !== null) return false;
  const status = await directory.entry(name);
  return status.ok && status.value.kind === 'file' && wallClock() - status.value.modifiedAt > UNMARKED_GRACE_MS;
}

async function writeLock(directory: OpenDirectory, name: string, owners: OwnerProbe): Promise<boolean> {
  const created = await directory.createFile(name, MODE);
  if (!created.ok) return false;
  const file = created.value;
  const isWritten = (await file.write(encodeOwner(await owners.self(), null))).ok && (await file.sync()).ok;
  await file.close();
  if (!isWritten) await directory.removeFile(name);
  return isWritten;
}

/**
 * Whether we are the successor of a dead owner of the lock, and have it now.
 *
 * A successor is named after whom it succeeds, by a link that only one process can make, and one that died on the way
 * is succeeded in its turn: nothing that somebody else may be at is ever removed. The name is free again only once
 * another file is the lock. A process is dead for ever, so that anyone who comes late with that name sees by the lock
 * that its dead owner was succeeded long ago.
 */
async function takeOver(directory: OpenDirectory, own: string, owners: OwnerProbe): Promise<boolean> {
  const dead = await findDeadMarker(directory, LOCK, owners);
  if (dead === null) return false;
  const successors: string[] = [];
  for (let last: Uint8Array | null = dead; last !== null;) {
    const successor: string = successorName(last);
    // Only one who wrote the same as whom it succeeds comes again; no process does.
    if (successors.includes(successor)) return false;
    successors.push(successor);
    last = await findDeadMarker(directory, successor, owners);
  }
  const ours = successors.at(-1);
  if (ours === undefined || !(await directory.link(directory, own, ours)).ok) return false;
  const now = await directory.readFile(LOCK, OWNER_BYTES);
  const isOurs = now.ok && Buffer.compare(now.value, dead) === 0 && (await directory.rename(directory, own, LOCK)).ok;
  for (const name of isOurs ? successors : [ours]) await directory.removeFile(name);
  return isOurs;
}

function successorName(marker: Uint8Array): string {
  return `${LOCK}.after.${createHash('sha256').update(marker).digest('hex').slice(0, DIGEST_LENGTH)}`;
}

/** What it holds, if that names a process that is dead. */
async function findDeadMarker(directory: OpenDirectory, name: string, owners: OwnerProbe): Promise<Uint8Array | null> {
  const read = await directory.readFile(name, OWNER_BYTES);
  const marker = read.ok ? decodeOwner(read.value) : null;
  return read.ok && marker !== null && (await owners.isAlive(marker.owner)) === 'dead' ? read.value : null;
}
