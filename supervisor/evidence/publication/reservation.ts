import { fileFailure, fileSuccess, type InodeIdentity, type FileResult, type OpenDirectory } from './file-system.ts';
import { OWNER_NAME, lockName } from './names.ts';
import { encodeOwner } from './owner.ts';
import {
  isInPlace,
  openSafeDirectory,
  type DirectoryFault,
  type RefusedDirectory,
  type SafeDirectory,
  type SafeDirectoryResult,
  type Trust,
} from './safe-directory.ts';
import { discardStaging, isStill, openStaging, type Staging } from './staging.ts';
import { sweepLeftovers, removeDeadLock, type SweepTools } from './sweep.ts';

export interface ReservationRequest {
  /** Absolute path of the directory that is to hold the file, or the directory itself, held since it was admitted. */
  readonly directory: string | SafeDirectory;
  /** Whose directories a path may lead through; absent: this user's and root's alone. */
  readonly trust?: Trust;
  readonly name: string;
  /**
   * 0o644 less the umask for a normal result, 0o600 for all else and below directories of other users; what the owner
   * may is never less (cli.md §3).
   */
  readonly mode: 0o600 | 0o644;
  /** Name of the visible recovery file of a private result (runtime.md §12), null without one. */
  readonly recovery: string | null;
  /** The name holds 128 random bits of this invocation, so no other run can ask for it: no lock is taken. */
  readonly nameIsUnique: boolean;
  /** Name of the staged content once this process was killed; absent: it is discarded. */
  readonly partial?: string;
}

/** One destination that this process owns until `releaseReservation`. */
export interface Reservation {
  readonly request: ReservationRequest;
  readonly parent: SafeDirectory;
  readonly lock: { readonly name: string; readonly identity: InodeIdentity } | null;
  readonly staging: Staging;
  readonly recovery: { readonly name: string; readonly identity: InodeIdentity } | null;
}

export type ReservationFault =
  | { readonly kind: DirectoryFault; readonly errno: string | null; readonly refused: RefusedDirectory | null }
  /** The target exists in some form. */
  | { readonly kind: 'exists' }
  /** A living process holds this destination. */
  | { readonly kind: 'reserved' }
  | { readonly kind: 'not_reservable'; readonly errno: string }
  | { readonly kind: 'recovery_not_reservable'; readonly errno: string };

export type ReservationResult =
  | { readonly ok: true; readonly reservation: Reservation }
  | { readonly ok: false; readonly fault: ReservationFault };

export type ReservationTools = SweepTools;

/**
 * Takes one destination (runtime.md §12): parent checked, dead owners swept, target absent, lock, staging, recovery. A
 * directory that was given as held is closed with the reservation, or when there is none.
 */
export async function reserve(tools: ReservationTools, request: ReservationRequest): Promise<ReservationResult> {
  const opened =
    typeof request.directory === 'string'
      ? await openSafeDirectory(tools.fileSystem, request.directory, request.trust)
      : await checkInPlace(tools, request.directory);
  if (!opened.ok) return { ok: false, fault: { kind: opened.fault, errno: opened.errno, refused: opened.refused } };
  const parent = opened.value;
  await sweepLeftovers(tools, parent.directory);
  const result = await reserveIn(tools, parent.isForeign ? { ...request, mode: 0o600 } : request, parent);
  if (!result.ok) await parent.directory.close();
  return result;
}

/** A directory that was exchanged since it was admitted is no place for anything (runtime.md §14). */
async function checkInPlace(
  { fileSystem }: ReservationTools,
  safeDirectory: SafeDirectory,
): Promise<SafeDirectoryResult> {
  if (await isInPlace(fileSystem, safeDirectory)) return { ok: true, value: safeDirectory };
  await safeDirectory.directory.close();
  return { ok: false, fault: 'unsafe', errno: null, refused: null };
}

async function reserveIn(
  tools: ReservationTools,
  request: ReservationRequest,
  parent: SafeDirectory,
): Promise<ReservationResult> {
  const existing = await parent.directory.entry(request.name);
  if (existing.ok) return refuse({ kind: 'exists' });
  if (existing.errno !== 'ENOENT') return refuse({ kind: 'not_reservable', errno: existing.errno });

  const marker = encodeOwner(await tools.owners.self(), request.recovery, request.partial);
  const staging = await openMarkedStaging(parent.directory, marker);
  if (!staging.ok) return refuse({ kind: 'not_reservable', errno: staging.errno });

  const lock = request.nameIsUnique ? fileSuccess(null) : await takeLock(tools, parent, request.name, marker);
  if (!lock.ok) {
    await discardStaging(staging.value);
    return refuse(lock.errno === 'EEXIST' ? { kind: 'reserved' } : { kind: 'not_reservable', errno: lock.errno });
  }

  const recovery =
    request.recovery === null ? fileSuccess(null) : await createEmpty(parent.directory, request.recovery);
  if (!recovery.ok) {
    await discardStaging(staging.value);
    if (lock.value !== null) await releaseLock(parent.directory, lock.value);
    return refuse({ kind: 'recovery_not_reservable', errno: recovery.errno });
  }
  return {
    ok: true,
    reservation: { request, parent, lock: lock.value, staging: staging.value, recovery: recovery.value },
  };
}

function refuse(fault: ReservationFault): ReservationResult {
  return { ok: false, fault };
}

async function openMarkedStaging(parent: OpenDirectory, marker: Uint8Array): Promise<FileResult<Staging>> {
  const staging = await openStaging(parent);
  if (!staging.ok) return staging;
  const marked = await writeMarker(staging.value.directory, marker);
  if (marked.ok) return staging;
  await discardStaging(staging.value);
  return marked;
}

/** Not synced: a marker matters only to processes of the same boot. */
async function writeMarker(directory: OpenDirectory, marker: Uint8Array): Promise<FileResult<null>> {
  const created = await directory.createFile(OWNER_NAME, 0o600);
  if (!created.ok) return created;
  const written = await created.value.write(marker);
  await created.value.close();
  return written;
}

/**
 * The lock directory appears with its marker inside, by renaming a finished directory to the lock's name: that
 * fails while the name is a directory with content, and a lock without content is one whose removal stopped half way.
 */
async function takeLock(
  tools: ReservationTools,
  parent: SafeDirectory,
  target: string,
  marker: Uint8Array,
): Promise<FileResult<{ readonly name: string; readonly identity: InodeIdentity }>> {
  const name = lockName(parent.identity, target);
  const draft = await openMarkedStaging(parent.directory, marker);
  if (!draft.ok) return draft;
  const { identity } = draft.value;
  let moved = await parent.directory.rename(parent.directory, draft.value.name, name);
  if (!moved.ok && isOccupied(moved.errno) && (await removeDeadLock(tools, parent.directory, name))) {
    moved = await parent.directory.rename(parent.directory, draft.value.name, name);
  }
  if (moved.ok) {
    await draft.value.directory.close();
    return fileSuccess({ name, identity });
  }
  await discardStaging(draft.value);
  return isOccupied(moved.errno) ? fileFailure('EEXIST') : moved;
}

function isOccupied(errno: string): boolean {
  return errno === 'ENOTEMPTY' || errno === 'EEXIST' || errno === 'ENOTDIR';
}

async function createEmpty(
  parent: OpenDirectory,
  name: string,
): Promise<FileResult<{ readonly name: string; readonly identity: InodeIdentity }>> {
  const created = await parent.createFile(name, 0o600);
  if (!created.ok) return created;
  const status = await created.value.status();
  await created.value.close();
  if (status.ok) return fileSuccess({ name, identity: status.value.identity });
  await parent.removeFile(name);
  return status;
}

/**
 * Gives the destination back; false where something of it may still be there. A recovery file is left as it is: its
 * removal is a decision of the protocol.
 */
export async function releaseReservation({ staging, lock, parent }: Reservation): Promise<boolean> {
  const isDiscarded = await discardStaging(staging);
  const isFree = lock === null || (await releaseLock(parent.directory, lock));
  await parent.directory.close();
  return isDiscarded && isFree;
}

async function releaseLock(
  parent: OpenDirectory,
  lock: { readonly name: string; readonly identity: InodeIdentity },
): Promise<boolean> {
  const opened = await parent.openDirectory(lock.name);
  if (!opened.ok) return opened.errno === 'ENOENT';
  const status = await opened.value.status();
  const isOurs = status.ok && status.value.identity === lock.identity;
  if (isOurs) await opened.value.removeFile(OWNER_NAME);
  await opened.value.close();
  // What is no longer ours is no longer our matter.
  return !isOurs || !(await isStill(parent, lock.name, lock.identity)) || (await parent.removeDirectory(lock.name)).ok;
}
