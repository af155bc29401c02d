import {
  fileSuccess,
  type FileResult,
  type InodeIdentity,
  type OpenDirectory,
  type OpenFile,
  type PublicationFileSystem,
} from './file-system.ts';

/** Syncs that follow the call that asked for them. */
export interface LaterSyncs {
  /** The same files; a sync succeeds at once, and its descriptor stays open until it is done. */
  readonly fileSystem: PublicationFileSystem;
  /** Does all that are owed; resolves when the last is done. */
  settle(): Promise<void>;
}

export interface LaterSyncOptions {
  /** Calls `act` after so many milliseconds unless what it returns is called before. */
  readonly after: (milliseconds: number, act: () => void) => () => void;
  /** Called for each batch of which a part could not be made permanent, with what the system said. */
  readonly onLost: (errno: string) => void;
}

/** How long a sync may be owed: what a power cut may take. */
export const OWED_MS = 250;
/** Descriptors that are held open for syncs; anyone who owes the next one waits until all are done. */
export const OWED_MAX = 256;

/** What is owed to a descriptor. */
interface Debt {
  /** By anyone who opened it: it is closed after its sync. */
  isClosed: boolean;
  isDue: boolean;
}

type Handle = Pick<OpenFile, 'status' | 'sync' | 'close'>;

/**
 * A file system for evidence that nobody requires before an answer: files are whole under their names at once, so that
 * the end of the process takes nothing, and become permanent together, at most `OWED_MS` later. Order is kept among
 * them; a power cut in between may leave a file that its own seal or end refutes (evidence.md).
 */
export function syncLater(real: PublicationFileSystem, options: LaterSyncOptions): LaterSyncs {
  const owed = new Map<Handle, Debt>();
  const closing = new Set<Promise<void>>();
  let cancel: (() => void) | null = null;
  let working: Promise<void> = Promise.resolve();

  async function work(): Promise<void> {
    const batch = [...owed];
    const synced = new Set<InodeIdentity>();
    let lost: string | null = null;
    for (const [handle, debt] of batch) {
      // It was removed since the batch began, and may be closed.
      if (owed.get(handle) !== debt) continue;
      debt.isDue = false;
      lost = (await syncOnce(handle, synced)) ?? lost;
      // Written again in the meantime: the next batch has it.
      if (!debt.isDue && owed.get(handle) === debt) clear(handle, debt);
    }
    if (lost !== null) options.onLost(lost);
    await Promise.all(closing);
  }

  function settle(): Promise<void> {
    cancel?.();
    cancel = null;
    working = working.then(work);
    return working;
  }

  async function owe(handle: Handle): Promise<FileResult<null>> {
    const debt = owed.get(handle) ?? { isClosed: false, isDue: true };
    debt.isDue = true;
    // Later than what was owed before.
    owed.delete(handle);
    owed.set(handle, debt);
    if (owed.size >= OWED_MAX) await settle();
    else cancel ??= options.after(OWED_MS, () => void settle());
    return fileSuccess(null);
  }

  function clear(handle: Handle, { isClosed }: Debt): void {
    owed.delete(handle);
    if (isClosed) closeLater(handle);
  }

  /** Nobody waits for a descriptor to close: that of a removed file takes as long as the disk does. */
  function closeLater(handle: Handle): void {
    const closed: Promise<void> = handle.close().finally(() => {
      closing.delete(closed);
    });
    closing.add(closed);
  }

  async function close(handle: Handle): Promise<void> {
    const debt = owed.get(handle);
    if (debt === undefined) closeLater(handle);
    else debt.isClosed = true;
  }

  /** What was removed for good is owed nothing. */
  async function forgive(handle: Handle | undefined): Promise<void> {
    const debt = handle === undefined ? undefined : owed.get(handle);
    if (handle === undefined || debt === undefined) return;
    const status = await handle.status();
    if (status.ok && status.value.links === 0 && owed.get(handle) === debt) clear(handle, debt);
  }

  const later = <T extends Handle>(inner: T): T => ({
    ...inner,
    sync: () => owe(inner),
    close: () => close(inner),
  });

  function directory(inner: OpenDirectory): OpenDirectory {
    const entries = new Map<string, Handle>();
    const open = <T extends Handle>(name: string, result: FileResult<T>, wrap: (handle: T) => T): FileResult<T> => {
      if (!result.ok) return result;
      entries.set(name, result.value);
      return fileSuccess(wrap(result.value));
    };
    const remove = async (name: string, removed: FileResult<null>): Promise<FileResult<null>> => {
      if (removed.ok) await forgive(entries.get(name));
      return removed;
    };
    return {
      ...later(inner),
      openDirectory: async (name) => open(name, await inner.openDirectory(name), directory),
      createFile: async (name, mode) => open(name, await inner.createFile(name, mode), later),
      removeFile: async (name) => remove(name, await inner.removeFile(name)),
      removeDirectory: async (name) => remove(name, await inner.removeDirectory(name)),
    };
  }

  return {
    fileSystem: {
      ...real,
      openDirectory: async (path) => {
        const opened = await real.openDirectory(path);
        return opened.ok ? fileSuccess(directory(opened.value)) : opened;
      },
    },
    settle,
  };
}

/** Of several descriptors of one file the first does for all. */
async function syncOnce(handle: Handle, synced: Set<InodeIdentity>): Promise<string | null> {
  const status = await handle.status();
  if (!status.ok) return status.errno;
  const { identity, links } = status.value;
  if (links === 0 || synced.has(identity)) return null;
  synced.add(identity);
  const done = await handle.sync();
  return done.ok ? null : done.errno;
}
