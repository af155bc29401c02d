import type { InodeIdentity, OpenDirectory, PublicationFileSystem } from './file-system.ts';
import { STAGED_NAME } from './names.ts';
import type { Reservation } from './reservation.ts';
import { isInPlace } from './safe-directory.ts';
import { isStill, writeNewFile } from './staging.ts';

/**
 * What became of one effect of the publication protocol.
 * - `collision`: the target appeared after the reservation and is unchanged.
 * - `uncertain`: a link was made and neither its permanence nor its removal could be proved.
 */
export type PublicationOutcome = 'done' | 'collision' | 'failed' | 'uncertain';

/** Stages, syncs and links one file under its final name, which it never replaces (runtime.md §12). */
export async function publishFile(
  fileSystem: PublicationFileSystem,
  reservation: Reservation,
  bytes: Uint8Array,
): Promise<PublicationOutcome> {
  const { staging, request } = reservation;
  if (!(await isUntouched(fileSystem, reservation))) return 'failed';
  const staged = await writeNewFile(staging.directory, STAGED_NAME, bytes, request.mode);
  return staged.ok ? publishStaged(fileSystem, reservation, staged.value, { kind: 'bytes', bytes }) : 'failed';
}

/** What a file must still hold once it has its name. */
export type Proof =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** Of content that was streamed: its length, and its SHA-256 as 64 hex digits. */
  | { readonly kind: 'digest'; readonly bytes: number; readonly sha256: string }
  /** It carries its own. */
  | { readonly kind: 'seal' };

/** Links a file that was staged and synced before, and reads it back. */
export async function publishStaged(
  fileSystem: PublicationFileSystem,
  reservation: Reservation,
  identity: InodeIdentity,
  proof: Proof,
): Promise<PublicationOutcome> {
  const { directory } = reservation.staging;
  if (!(await isUntouched(fileSystem, reservation))) return 'failed';
  if (!(await isStill(directory, STAGED_NAME, identity))) return 'failed';
  if (!(await directory.sync()).ok) return 'failed';
  return linkToTarget(reservation, { directory, name: STAGED_NAME, identity }, proof);
}

/**
 * Puts the value into the recovery file: staged and synced, then renamed over the empty file that the reservation
 * made. The recovery name therefore holds nothing or everything, at every instant.
 */
export async function keepInRecovery(
  fileSystem: PublicationFileSystem,
  reservation: Reservation,
  bytes: Uint8Array,
): Promise<{ readonly outcome: 'done'; readonly identity: InodeIdentity } | { readonly outcome: 'failed' }> {
  const { staging, parent, recovery } = reservation;
  if (recovery === null || !(await isUntouched(fileSystem, reservation))) return { outcome: 'failed' };
  const staged = await writeNewFile(staging.directory, STAGED_NAME, bytes, 0o600);
  if (!staged.ok) return { outcome: 'failed' };
  if (!(await isUntouched(fileSystem, reservation))) return { outcome: 'failed' };
  if (!(await isStill(parent.directory, recovery.name, recovery.identity))) return { outcome: 'failed' };
  if (!(await parent.directory.rename(staging.directory, STAGED_NAME, recovery.name)).ok) return { outcome: 'failed' };
  const synced = await parent.directory.sync();
  const isStored = synced.ok && (await isStill(parent.directory, recovery.name, staged.value));
  return isStored ? { outcome: 'done', identity: staged.value } : { outcome: 'failed' };
}

/** Links the kept value to its target, then drops the recovery name. */
export async function publishRecovery(
  fileSystem: PublicationFileSystem,
  reservation: Reservation,
  identity: InodeIdentity,
  bytes: Uint8Array,
): Promise<PublicationOutcome> {
  const { parent, recovery } = reservation;
  if (recovery === null || !(await isUntouched(fileSystem, reservation))) return 'failed';
  if (!(await isStill(parent.directory, recovery.name, identity))) return 'uncertain';
  const linked = await linkToTarget(
    reservation,
    { directory: parent.directory, name: recovery.name, identity },
    { kind: 'bytes', bytes },
  );
  if (linked !== 'done') return linked;
  // Committed: what is left over now cannot undo it.
  if (await isStill(parent.directory, recovery.name, identity)) await parent.directory.removeFile(recovery.name);
  return 'done';
}

/** Removes the recovery file of a run that has no value to keep; false when it may still be there. */
export async function removeRecovery(reservation: Reservation): Promise<boolean> {
  const { parent, recovery } = reservation;
  if (recovery === null) return true;
  const entry = await parent.directory.entry(recovery.name);
  if (!entry.ok) return entry.errno === 'ENOENT';
  if (entry.value.identity !== recovery.identity) return false;
  if (!(await parent.directory.removeFile(recovery.name)).ok) return false;
  return (await parent.directory.sync()).ok;
}

interface LinkSource {
  readonly directory: OpenDirectory;
  readonly name: string;
  readonly identity: InodeIdentity;
}

/** Links, looks at what was linked, reads it back and syncs; only then it is committed. */
async function linkToTarget(reservation: Reservation, source: LinkSource, proof: Proof): Promise<PublicationOutcome> {
  const { directory } = reservation.parent;
  const target = reservation.request.name;
  const linked = await directory.link(source.directory, source.name, target);
  if (!linked.ok)
    return linked.errno === 'EEXIST' ? 'collision' : unlinkOr(directory, target, source.identity, 'failed');
  const isWhole = (await isStill(directory, target, source.identity)) && (await checkHolds(directory, target, proof));
  if (isWhole && (await directory.sync()).ok) return 'done';
  return unlinkOr(directory, target, source.identity, 'uncertain');
}

async function checkHolds(directory: OpenDirectory, name: string, proof: Proof): Promise<boolean> {
  switch (proof.kind) {
    case 'bytes': {
      const read = await directory.readFile(name, proof.bytes.length);
      return read.ok && Buffer.compare(read.value, proof.bytes) === 0;
    }
    case 'digest': {
      const digest = await directory.digestFile(name, proof.bytes);
      return digest.ok && digest.value === proof.sha256;
    }
    case 'seal':
      return true;
  }
}

/** Rolls a link back: `failed` is proved absence, anything short of it is `uncertain`. */
async function unlinkOr(
  directory: OpenDirectory,
  target: string,
  identity: InodeIdentity,
  whenForeign: 'failed' | 'uncertain',
): Promise<PublicationOutcome> {
  const entry = await directory.entry(target);
  if (!entry.ok) return entry.errno === 'ENOENT' ? 'failed' : 'uncertain';
  if (entry.value.identity !== identity) return whenForeign;
  const removed = await directory.removeFile(target);
  return removed.ok && (await directory.sync()).ok ? 'failed' : 'uncertain';
}

/** Parent path, lock and staging directory still lead where they led when they were reserved. */
async function isUntouched(fileSystem: PublicationFileSystem, reservation: Reservation): Promise<boolean> {
  const { parent, lock, staging } = reservation;
  if (!(await isInPlace(fileSystem, parent))) return false;
  if (lock !== null && !(await isStill(parent.directory, lock.name, lock.identity))) return false;
  return isStill(parent.directory, staging.name, staging.identity);
}
