import { OWNER_NAME, STAGED_NAME, newStagingName } from './names.ts';
import { fileFailure, fileSuccess, type InodeIdentity, type FileResult, type OpenDirectory } from './file-system.ts';

/** A fresh name collides with probability 2^-48; 16 tries is what cli.md §8 gives. */
const STAGING_ATTEMPTS = 16;

/** A directory of our own, beside what it will become. */
export interface Staging {
  readonly parent: OpenDirectory;
  readonly name: string;
  readonly identity: InodeIdentity;
  readonly directory: OpenDirectory;
}

/** Makes an empty 0700 directory with a random hidden name in `parent`. */
export async function openStaging(parent: OpenDirectory): Promise<FileResult<Staging>> {
  let last: FileResult<null> = fileFailure('EEXIST');
  for (let attempt = 0; attempt < STAGING_ATTEMPTS; attempt += 1) {
    const name = newStagingName();
    last = await parent.makeDirectory(name, 0o700);
    if (last.ok) return enterStaging(parent, name);
    if (last.errno !== 'EEXIST') break;
  }
  return last.ok ? fileFailure('EEXIST') : last;
}

async function enterStaging(parent: OpenDirectory, name: string): Promise<FileResult<Staging>> {
  const opened = await parent.openDirectory(name);
  if (!opened.ok) {
    await parent.removeDirectory(name);
    return opened;
  }
  const status = await opened.value.status();
  if (!status.ok) {
    await opened.value.close();
    await parent.removeDirectory(name);
    return status;
  }
  return fileSuccess({ parent, name, identity: status.value.identity, directory: opened.value });
}

/** Creates a file exclusively with `mode`, writes all bytes, syncs and closes it; answers its identity. */
export async function writeNewFile(
  directory: OpenDirectory,
  name: string,
  bytes: Uint8Array,
  mode: number,
): Promise<FileResult<InodeIdentity>> {
  const created = await directory.createFile(name, mode);
  if (!created.ok) return created;
  const file = created.value;
  try {
    const status = await file.status();
    if (!status.ok) return status;
    const written = await file.write(bytes);
    if (!written.ok) return written;
    const synced = await file.sync();
    return synced.ok ? fileSuccess(status.value.identity) : synced;
  } finally {
    await file.close();
  }
}

/** A staged file that is written while a run goes on. */
export interface StagedStream {
  readonly identity: InodeIdentity;
  write(bytes: Uint8Array): Promise<boolean>;
  /** Bytes that were written before; null where they cannot be read, and once it is closed. */
  read(position: number, length: number): Promise<Uint8Array | null>;
  /** Puts bytes in the place of some that were written. */
  overwrite(position: number, bytes: Uint8Array): Promise<boolean>;
  /** Makes what was written permanent. */
  sync(): Promise<boolean>;
  /** Nothing can be written or read afterwards; does nothing a second time. */
  close(): Promise<void>;
}

/** Creates the content file of a staging directory for streaming. */
export async function openStagedStream(staging: Staging, mode: number): Promise<FileResult<StagedStream>> {
  const created = await staging.directory.createFile(STAGED_NAME, mode);
  if (!created.ok) return created;
  const file = created.value;
  const status = await file.status();
  if (!status.ok) {
    await file.close();
    return status;
  }
  let isOpen = true;
  return fileSuccess({
    identity: status.value.identity,
    write: async (bytes) => isOpen && (await file.write(bytes)).ok,
    read: async (position, length) => {
      const read = isOpen ? await file.read(position, length) : null;
      return read?.ok === true ? read.value : null;
    },
    overwrite: async (position, bytes) => isOpen && (await file.overwrite(position, bytes)).ok,
    sync: async () => isOpen && (await file.sync()).ok,
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await file.close();
    },
  });
}

/** Whether `name` in `directory` is still the object that was seen before. */
export async function isStill(directory: OpenDirectory, name: string, identity: InodeIdentity): Promise<boolean> {
  const status = await directory.entry(name);
  return status.ok && status.value.identity === identity;
}

/**
 * Removes what a staging directory may hold and the directory, when the name still leads to it. False where it is left,
 * for a later run to sweep.
 */
export async function discardStaging(staging: Staging): Promise<boolean> {
  await staging.directory.removeFile(STAGED_NAME);
  await staging.directory.removeFile(OWNER_NAME);
  await staging.directory.close();
  return (
    !(await isStill(staging.parent, staging.name, staging.identity)) ||
    (await staging.parent.removeDirectory(staging.name)).ok
  );
}
