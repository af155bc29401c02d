import { randomBytes } from 'node:crypto';
import type { OpenDirectory } from '../../publication/file-system.ts';
import { decodeOwner, encodeOwner } from '../../publication/owner.ts';
import type { OwnerProbe } from '../../publication/owner.ts';

/** Name of the lock, and of what is made on the way to it. */
export const LOCK = 'lock';
export const LOCK_PARTS = /^lock(?:\.taking|\.[0-9a-f]{32})?$/;
const TAKING = 'lock.taking';
const OWN = /^lock\.[0-9a-f]{32}$/;
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
 * file that appears whole, with who made it. That of a dead process is taken over by one process at a time, which looks
 * again when it is its turn.
 */
export async function lockDirectory(
  directory: OpenDirectory,
  owners: OwnerProbe,
  wallClock: () => number = Date.now,
): Promise<Unlock | null> {
  const own = `${LOCK}.${randomBytes(16).toString('hex')}`;
  if (!(await written(directory, own, owners))) return null;
  const isTaken = (await directory.link(directory, own, LOCK)).ok || (await takenOver(directory, own, owners));
  await directory.removeFile(own);
  if (!isTaken) return null;
  const held = await directory.entry(LOCK);
  await sweepParts(directory, owners, wallClock);
  if (!held.ok || !(await directory.sync()).ok) return null;
  return async () => {
    const now = await directory.entry(LOCK);
    return now.ok && now.value.identity === held.value.identity && (await directory.removeFile(LOCK)).ok;
  };
}

/**
 * Removes what processes that were killed on the way to the lock left there. Names are random and never made again, so
 * that what is found dead stays dead, whoever removes it first; what another process is just making is of a living
 * owner, or young.
 */
async function sweepParts(directory: OpenDirectory, owners: OwnerProbe, wallClock: () => number): Promise<void> {
  const names = await directory.names(ENTRY_LIMIT);
  if (!names.ok) return;
  for (const name of names.value.filter((entry) => OWN.test(entry))) {
    if ((await isDead(directory, name, owners)) || (await isAbandoned(directory, name, wallClock)))
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

async function written(directory: OpenDirectory, name: string, owners: OwnerProbe): Promise<boolean> {
  const created = await directory.createFile(name, MODE);
  if (!created.ok) return false;
  const file = created.value;
  const isWritten = (await file.write(encodeOwner(await owners.self(), null))).ok && (await file.sync()).ok;
  await file.close();
  if (!isWritten) await directory.removeFile(name);
  return isWritten;
}

async function takenOver(directory: OpenDirectory, own: string, owners: OwnerProbe): Promise<boolean> {
  if (!(await isDead(directory, LOCK, owners))) return false;
  // Whoever died while it took the lock over is no longer doing so.
  if (await isDead(directory, TAKING, owners)) await directory.removeFile(TAKING);
  if (!(await directory.link(directory, own, TAKING)).ok) return false;
  // It may have been taken over between the look and this turn.
  const isOurs =
    (await isDead(directory, LOCK, owners)) &&
    (await directory.removeFile(LOCK)).ok &&
    (await directory.link(directory, own, LOCK)).ok;
  await directory.removeFile(TAKING);
  return isOurs;
}

async function isDead(directory: OpenDirectory, name: string, owners: OwnerProbe): Promise<boolean> {
  const read = await directory.readFile(name, OWNER_BYTES);
  const marker = read.ok ? decodeOwner(read.value) : null;
  return marker !== null && (await owners.isAlive(marker.owner)) === 'dead';
}
