import { openPinnedChild, type SafeDirectory } from '../../evidence/publication/safe-directory.ts';
import { publishSingleFile } from '../../evidence/publication/single-file.ts';
import type { ReservationTools } from '../../evidence/publication/reservation.ts';
import { StoreError } from './interface.ts';
import { readOwnFile } from './own-file.ts';

const ENTRIES = 1_000_000;
const VERSION = /^v(\d{6})$/;

/** What is kept under a name now. */
export interface Version {
  readonly bytes: Uint8Array;
  /** From 1. */
  readonly version: number;
}

/** Where such files lie. */
export interface VersionedPlace {
  /** The directory above them, opened again and closed by the caller; null: it is not there. */
  readonly open: (isMade: boolean) => Promise<SafeDirectory | null>;
  /** Bytes of one file at most. */
  readonly maxBytes: number;
  /** Whether a file that other users can read, or that is another's, is refused; absent: its directory is enough. */
  readonly isOwn?: true;
}

/** Small contents that change, each under a name that is no path. Rejects with StoreError. */
export interface VersionedFiles {
  /** Null where there is none. */
  latest(name: string): Promise<Version | null>;
  /** Puts a content behind that of one version less, 0 for none; false where somebody else did. */
  write(name: string, version: number, bytes: Uint8Array): Promise<boolean>;
  /** All names, in no order. */
  names(): Promise<readonly string[]>;
}

/**
 * Files `<name>/v<number>` below a directory of this user alone, one for each change, which takes its name only where
 * nobody else did (runtime.md §12). That makes a change of several processes one of one process; the last whole file is
 * what holds. Ones before it are removed.
 */
export function versionedFiles(tools: ReservationTools, { open, maxBytes, isOwn }: VersionedPlace): VersionedFiles {
  async function directoryOf(name: string, isMade: boolean): Promise<SafeDirectory | null> {
    const parent = await open(isMade);
    return parent === null ? null : openChild(tools, parent, name, isMade);
  }

  async function existing(name: string): Promise<SafeDirectory> {
    const directory = await directoryOf(name, false);
    if (directory === null) throw new StoreError('unavailable');
    return directory;
  }

  /** A number is free again once its file was removed as outdated, and then there is a later one. */
  async function isLatest(name: string, version: number): Promise<boolean> {
    const directory = await existing(name);
    const isLast = (await listVersions(directory)).at(-1) === version;
    if (!isLast) await directory.directory.removeFile(nameOf(version));
    await directory.directory.close();
    return isLast;
  }

  async function removeBefore(name: string, last: number): Promise<void> {
    const directory = await existing(name);
    for (const version of await listVersions(directory)) {
      if (version < last) await directory.directory.removeFile(nameOf(version));
    }
    await directory.directory.close();
  }

  return {
    /**
     * A file that another process removes as outdated while it is looked for has a later one beside it: looked at
     * again.
     */
    latest: async (name) => {
      const directory = await directoryOf(name, false);
      if (directory === null) return null;
      try {
        for (;;) {
          const version = (await listVersions(directory)).at(-1);
          if (version === undefined) return null;
          const bytes =
            isOwn === true
              ? await readOwnFile(tools, directory, nameOf(version), maxBytes)
              : await readFile(directory, nameOf(version), maxBytes);
          if (bytes !== null) return { bytes, version };
        }
      } finally {
        await directory.directory.close();
      }
    },
    write: async (name, version, bytes) => {
      const directory = await directoryOf(name, true);
      if (directory === null) throw new StoreError('unavailable');
      const outcome = await publishSingleFile(tools, { directory, name: nameOf(version) }, bytes, true);
      if (outcome === 'exists') return false;
      if (outcome !== 'written') throw new StoreError('unavailable');
      if (!(await isLatest(name, version))) return false;
      if (version > 1) await removeBefore(name, version);
      return true;
    },
    names: async () => {
      const directory = await open(false);
      if (directory === null) return [];
      const names = await directory.directory.names(ENTRIES);
      await directory.directory.close();
      if (!names.ok) throw new StoreError('unavailable');
      return names.value;
    },
  };
}

/**
 * Opens a child and closes its parent; null where there is none. `isMade`: makes it where it is absent. Rejects with
 * StoreError.
 */
export async function openChild(
  { fileSystem }: ReservationTools,
  parent: SafeDirectory,
  name: string,
  isMade: boolean,
): Promise<SafeDirectory | null> {
  if (isMade && (await parent.directory.makeDirectory(name, 0o700)).ok) await parent.directory.sync();
  const opened = await openPinnedChild(fileSystem, parent, name);
  await parent.directory.close();
  if (opened.ok) return opened.value;
  if (opened.fault === 'missing') return null;
  throw new StoreError('unavailable');
}

/** Null where there is none. Rejects with StoreError. */
async function readFile({ directory }: SafeDirectory, name: string, maxBytes: number): Promise<Uint8Array | null> {
  const read = await directory.readFile(name, maxBytes);
  if (!read.ok && read.errno !== 'ENOENT') throw new StoreError('unavailable');
  return read.ok ? read.value : null;
}

function nameOf(version: number): string {
  return `v${String(version).padStart(6, '0')}`;
}

async function listVersions({ directory }: SafeDirectory): Promise<readonly number[]> {
  const names = await directory.names(ENTRIES);
  if (!names.ok) throw new StoreError('unavailable');
  return names.value
    .flatMap((name) => VERSION.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((left, right) => left - right);
}
