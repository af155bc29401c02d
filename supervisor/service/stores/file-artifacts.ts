import { createHash } from 'node:crypto';
import { constants, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { publishStaged } from '../../evidence/publication/publish.ts';
import {
  releaseReservation,
  reserve,
  type Reservation,
  type ReservationTools,
} from '../../evidence/publication/reservation.ts';
import { openPinnedChild, openSafeDirectory, type SafeDirectory } from '../../evidence/publication/safe-directory.ts';
import { publishSingleFile } from '../../evidence/publication/single-file.ts';
import { openStagedStream, type StagedStream } from '../../evidence/publication/staging.ts';
import { SUM_SUFFIX, checkKey, checkTenant, compareKeys, parseArtifactKey } from './artifact-key.ts';
import { checkStream } from './checked-stream.ts';
import {
  StoreError,
  type ArtifactKey,
  type ArtifactReservation,
  type ArtifactStore,
  type CommitOutcome,
} from './interface.ts';

/** Entries of one directory that a listing looks at. */
const ENTRIES = 100_000;
const SUM_LINE_BYTES = 512;

interface Written {
  readonly staged: StagedStream;
  readonly bytes: number;
  readonly sha256: string;
}

interface Opened {
  readonly reservation: Reservation;
  written: Written | null;
}

/**
 * Artifacts as files below a directory of this user alone, through the publication protocol (runtime.md §12):
 * `<tenant>/<run_ref>/<epoch>/<name>`, 0600, beside each a file for `sha256sum -c`. Capitals of a tenant's name are
 * written so that two tenants stay two on a file system that folds them. A name that another reservation holds is
 * refused as `exists`.
 */
export function fileArtifacts(tools: ReservationTools, root: string): ArtifactStore {
  const reservations = new Map<ArtifactReservation, Opened>();
  const openedOf = (reservation: ArtifactReservation): Opened => {
    const opened = reservations.get(reservation);
    if (opened === undefined) throw new StoreError('key_invalid');
    return opened;
  };
  const end = async (reservation: ArtifactReservation): Promise<void> => {
    const opened = reservations.get(reservation);
    if (opened === undefined) return;
    reservations.delete(reservation);
    await opened.written?.staged.close();
    await releaseReservation(opened.reservation);
  };

  return {
    reserve: async (key) => {
      checkKey(key);
      const directory = await openDirectoryFor(tools, root, placeOf(key), true);
      if (directory === null) throw new StoreError('unavailable');
      const reservationResult = await reserve(tools, {
        directory,
        name: key.name,
        mode: 0o600,
        recovery: null,
        nameIsUnique: false,
      });
      if (!reservationResult.ok)
        throw new StoreError(
          reservationResult.fault.kind === 'exists' || reservationResult.fault.kind === 'reserved'
            ? 'exists'
            : 'unavailable',
        );
      const reservation = { key };
      reservations.set(reservation, { reservation: reservationResult.reservation, written: null });
      return reservation;
    },
    write: async (reservation, stream) => {
      const opened = openedOf(reservation);
      if (opened.written !== null) throw new StoreError('key_invalid');
      opened.written = await writeStaged(opened.reservation, stream);
    },
    commit: async (reservation) => {
      const { reservation: used, written } = openedOf(reservation);
      if (written === null) throw new StoreError('key_invalid');
      try {
        return await commitFile(tools, { key: reservation.key, reservation: used, written });
      } finally {
        await end(reservation);
      }
    },
    abort: end,
    read: async (key) => {
      checkKey(key);
      const directory = await openDirectoryFor(tools, root, placeOf(key), false);
      return directory === null ? null : readFile(directory, key.name);
    },
    list: (prefix) => listFiles(tools, root, prefix),
    uri: (key) => pathToFileURL(join(root, ...placeOf(key), key.name)).href,
    remove: async (key) => {
      checkKey(key);
      const directory = await openDirectoryFor(tools, root, placeOf(key), false);
      if (directory === null) return;
      const removed = await directory.directory.removeFile(key.name);
      await directory.directory.removeFile(key.name + SUM_SUFFIX);
      await directory.directory.close();
      if (!removed.ok && removed.errno !== 'ENOENT') throw new StoreError('unavailable');
    },
  };
}

function tenantDirectory(tenant: string): string {
  return tenant.replaceAll(/[A-Z]/g, (capital) => `=${capital.toLowerCase()}`);
}

function placeOf({ tenant, runRef, epoch }: ArtifactKey): readonly string[] {
  return [tenantDirectory(tenant), runRef, String(epoch)];
}

/** Null where there is none and none is to be made, or nobody else could be kept out of it. */
async function openDirectoryFor(
  { fileSystem }: ReservationTools,
  root: string,
  names: readonly string[],
  isMade: boolean,
): Promise<SafeDirectory | null> {
  const opened = await openSafeDirectory(fileSystem, root);
  if (!opened.ok) {
    if (opened.fault === 'missing' && !isMade) return null;
    throw new StoreError('unavailable');
  }
  let current = opened.value;
  for (const name of names) {
    if (isMade && (await current.directory.makeDirectory(name, 0o700)).ok) await current.directory.sync();
    const child = await openPinnedChild(fileSystem, current, name);
    await current.directory.close();
    if (!child.ok) {
      if (child.fault === 'missing' && !isMade) return null;
      throw new StoreError('unavailable');
    }
    current = child.value;
  }
  return current;
}

async function writeStaged(reservation: Reservation, stream: AsyncIterable<Uint8Array>): Promise<Written> {
  const staged = await openStagedStream(reservation.staging, reservation.request.mode);
  if (!staged.ok) throw new StoreError('unavailable');
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const part of stream) {
      if (!(await staged.value.write(part))) throw new StoreError('unavailable');
      hash.update(part);
      bytes += part.length;
    }
    if (!(await staged.value.sync())) throw new StoreError('unavailable');
  } catch (error) {
    await staged.value.close();
    throw error;
  }
  return { staged: staged.value, bytes, sha256: hash.digest('hex') };
}

/** The checksum takes its place first: an artifact is there once its own name is. We hold the lock of that name. */
async function commitFile(
  tools: ReservationTools,
  {
    key,
    reservation,
    written,
  }: { readonly key: ArtifactKey; readonly reservation: Reservation; readonly written: Written },
): Promise<CommitOutcome> {
  const { directory, path } = reservation.parent;
  const { bytes, sha256 } = written;
  await written.staged.close();
  if ((await directory.entry(key.name)).ok) return { outcome: 'exists' };
  const sumName = key.name + SUM_SUFFIX;
  // Of one who was killed before his artifact had its name.
  await directory.removeFile(sumName);
  const summed = await publishSingleFile(
    tools,
    { directory: await again(tools, path), name: sumName },
    Buffer.from(`${sha256}  ${key.name}\n`),
    true,
  );
  if (summed !== 'written') throw new StoreError('unavailable');
  const outcome = await publishStaged(tools.fileSystem, reservation, written.staged.identity, {
    kind: 'digest',
    bytes,
    sha256,
  });
  if (outcome === 'collision') return { outcome: 'exists' };
  if (outcome !== 'done') throw new StoreError('unavailable');
  return { outcome: 'committed', stored: { key, uri: pathToFileURL(join(path, key.name)).href, bytes, sha256 } };
}

async function again({ fileSystem }: ReservationTools, path: string): Promise<SafeDirectory> {
  const opened = await openSafeDirectory(fileSystem, path);
  if (!opened.ok) throw new StoreError('unavailable');
  return opened.value;
}

async function readFile({ directory, path }: SafeDirectory, name: string): Promise<AsyncIterable<Uint8Array> | null> {
  const entry = await directory.entry(name);
  const sum = await directory.readFile(name + SUM_SUFFIX, SUM_LINE_BYTES);
  await directory.close();
  if (!entry.ok) {
    if (entry.errno === 'ENOENT') return null;
    throw new StoreError('unavailable');
  }
  const sha256 = sum.ok ? (/^([0-9a-f]{64}) {2}/.exec(Buffer.from(sum.value).toString())?.[1] ?? null) : null;
  if (sha256 === null || entry.value.kind !== 'file') throw new StoreError('damaged');
  return checkStream(readFileParts(join(path, name)), sha256);
}

async function* readFileParts(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => {
    throw new StoreError('unavailable');
  });
  for await (const part of file.createReadStream()) {
    const bytes: unknown = part;
    if (bytes instanceof Uint8Array) yield bytes;
  }
}

async function* listFiles(
  tools: ReservationTools,
  root: string,
  prefix: { readonly tenant: string; readonly runRef?: string },
): AsyncGenerator<ArtifactKey> {
  checkTenant(prefix.tenant);
  const tenant = tenantDirectory(prefix.tenant);
  const runs = prefix.runRef === undefined ? await listNames(tools, root, [tenant]) : [prefix.runRef];
  for (const runRef of runs.toSorted()) {
    const found: ArtifactKey[] = [];
    for (const epoch of await listNames(tools, root, [tenant, runRef])) {
      for (const name of await listNames(tools, root, [tenant, runRef, epoch])) {
        const key = parseArtifactKey(prefix.tenant, runRef, epoch, name);
        if (key !== null) found.push(key);
      }
    }
    yield* found.toSorted(compareKeys);
  }
}

/** Names that a dot begins are of reservations and no artifacts. */
async function listNames(tools: ReservationTools, root: string, place: readonly string[]): Promise<readonly string[]> {
  const directory = await openDirectoryFor(tools, root, place, false);
  if (directory === null) return [];
  const names = await directory.directory.names(ENTRIES);
  await directory.directory.close();
  if (!names.ok) throw new StoreError('unavailable');
  return names.value.filter((name) => !name.startsWith('.'));
}
