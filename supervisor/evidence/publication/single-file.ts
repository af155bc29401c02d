import type { InodeIdentity } from './file-system.ts';
import { destinationKey } from './names.ts';
import { publishFile } from './publish.ts';
import { openSafeDirectory, type RefusedDirectory, type SafeDirectory } from './safe-directory.ts';
import { releaseReservation, reserve, type ReservationTools } from './reservation.ts';

/** What a single owner-only file (an envelope, a transcript, a source) came to. */
export type SingleFileOutcome =
  | 'written'
  | 'exists'
  | 'directory_missing'
  | 'directory_unsafe'
  | 'unavailable'
  | 'failed';

/** Where a single file is to lie: a directory that is held, and a name in it. */
export interface PinnedPlace {
  readonly directory: SafeDirectory;
  readonly name: string;
}

/**
 * Reserves, writes and links one 0600 file in one go (cli.md §3); never replaces. Closes the directory of its place.
 */
export async function publishSingleFile(
  tools: ReservationTools,
  { directory, name }: PinnedPlace,
  bytes: Uint8Array,
  nameIsUnique: boolean,
): Promise<SingleFileOutcome> {
  const reserved = await reserve(tools, { directory, name, mode: 0o600, recovery: null, nameIsUnique });
  if (!reserved.ok) return outcomeOfFault(reserved.fault.kind);
  const outcome = await publishFile(tools.fileSystem, reserved.reservation, bytes);
  await releaseReservation(reserved.reservation);
  switch (outcome) {
    case 'done':
      return 'written';
    case 'collision':
      return 'exists';
    case 'failed':
    case 'uncertain':
      return 'failed';
  }
}

export type AdmissionOutcome =
  | { readonly status: 'admitted'; readonly place: PinnedPlace }
  | { readonly status: 'exists' }
  /** `refused`: the directory that others could change, or that takes nothing; null where that is not why. */
  | { readonly status: 'unavailable'; readonly refused: RefusedDirectory | null };

/**
 * Whether a file may later be published at an absolute path: absent, in an existing safe directory, which is held from
 * now on (cli.md §3, runtime.md §1 step 4, §12).
 */
export async function admitSingleFile(tools: ReservationTools, path: string): Promise<AdmissionOutcome> {
  const { directory, name } = splitPath(path);
  const opened = await openSafeDirectory(tools.fileSystem, directory, 'named');
  if (!opened.ok) return { status: 'unavailable', refused: opened.refused };
  const entry = await opened.value.directory.entry(name);
  if (!entry.ok && entry.errno === 'ENOENT') return { status: 'admitted', place: { directory: opened.value, name } };
  await opened.value.directory.close();
  return entry.ok ? { status: 'exists' } : { status: 'unavailable', refused: null };
}

/**
 * The physical key of a destination that need not exist: identity of its nearest existing ancestor and the folded
 * names below it (cli.md §2). Null when no ancestor can be read.
 */
export async function resolvePhysicalKey(tools: ReservationTools, path: string): Promise<string | null> {
  const missing: string[] = [];
  let current = path;
  for (;;) {
    const { directory, name } = splitPath(current);
    missing.unshift(name);
    const identity = await resolveExistingDirectory(tools, directory);
    if (identity !== null) return destinationKey(identity, missing.join('/'));
    if (directory === '/') return null;
    current = directory;
  }
}

async function resolveExistingDirectory(tools: ReservationTools, path: string): Promise<InodeIdentity | null> {
  const opened = await openSafeDirectory(tools.fileSystem, path, 'named');
  if (!opened.ok) return null;
  await opened.value.directory.close();
  return opened.value.identity;
}

function outcomeOfFault(
  kind:
    | 'missing'
    | 'not_directory'
    | 'unsafe'
    | 'unusable'
    | 'exists'
    | 'reserved'
    | 'not_reservable'
    | 'recovery_not_reservable',
): SingleFileOutcome {
  switch (kind) {
    case 'exists':
      return 'exists';
    case 'missing':
    case 'not_directory':
      return 'directory_missing';
    case 'unsafe':
      return 'directory_unsafe';
    case 'unusable':
    case 'reserved':
    case 'not_reservable':
    case 'recovery_not_reservable':
      return 'unavailable';
  }
}

export function splitPath(path: string): { readonly directory: string; readonly name: string } {
  const cut = path.lastIndexOf('/');
  return { directory: path.slice(0, cut) || '/', name: path.slice(cut + 1) };
}
