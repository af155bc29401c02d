import {
  fileFailure,
  type FileResult,
  type OpenDirectory,
  type OpenFile,
  type PublicationFileSystem,
} from '../file-system.ts';

/** Thrown where the process would be gone. */
export class Crash extends Error {}

export interface Injection {
  /** The call that fails, from 1; beyond the last nothing happens. */
  readonly at: number;
  /** `error`: the call has no effect and answers the errno. `crash`: it and all later calls never return. */
  readonly manner:
    | { readonly kind: 'error'; readonly errno: string }
    | { readonly kind: 'crash'; readonly when: 'before' | 'after' };
}

export interface FaultyFileSystem {
  readonly fileSystem: PublicationFileSystem;
  /** Calls so far, `close` not counted: descriptors close with the process anyway. */
  calls(): number;
  /** What the end of a process does to the descriptors that it left open. */
  closeAll(): Promise<void>;
}

/** A file system that fails at exactly one call. */
export function faultyFileSystem(real: PublicationFileSystem, injection: Injection | null): FaultyFileSystem {
  let calls = 0;
  let isClosed = false;
  const open = new Set<{ close(): Promise<void> }>();

  const opened = <T extends { close(): Promise<void> }>(
    result: FileResult<T>,
    wrap: (inner: T) => T,
  ): FileResult<T> => {
    if (!result.ok) return result;
    const inner = result.value;
    open.add(inner);
    const close = async (): Promise<void> => {
      open.delete(inner);
      await inner.close();
    };
    return { ok: true, value: { ...wrap(inner), close } };
  };

  const through = async <T>(call: () => Promise<FileResult<T>>): Promise<FileResult<T>> => {
    if (isClosed) throw new Crash();
    calls += 1;
    if (injection === null || calls !== injection.at) return call();
    if (injection.manner.kind === 'error') return fileFailure(injection.manner.errno);
    isClosed = true;
    if (injection.manner.when === 'after') await call();
    throw new Crash();
  };

  const file = (inner: OpenFile): OpenFile => ({
    status: () => through(() => inner.status()),
    write: (bytes) => through(() => inner.write(bytes)),
    read: (position, length) => through(() => inner.read(position, length)),
    overwrite: (position, bytes) => through(() => inner.overwrite(position, bytes)),
    sync: () => through(() => inner.sync()),
    close: () => inner.close(),
  });

  const directory = (inner: OpenDirectory): OpenDirectory => ({
    reference: () => inner.reference(),
    status: () => through(() => inner.status()),
    isWritable: () => through(() => inner.isWritable()),
    entry: (name) => through(() => inner.entry(name)),
    names: (limit) => through(() => inner.names(limit)),
    openDirectory: (name) => through(async () => opened(await inner.openDirectory(name), directory)),
    makeDirectory: (name, mode) => through(() => inner.makeDirectory(name, mode)),
    createFile: (name, mode) => through(async () => opened(await inner.createFile(name, mode), file)),
    readFile: (name, limit) => through(() => inner.readFile(name, limit)),
    digestFile: (name, limit) => through(() => inner.digestFile(name, limit)),
    link: (from, fromName, name) => through(() => inner.link(from, fromName, name)),
    rename: (from, fromName, name) => through(() => inner.rename(from, fromName, name)),
    removeFile: (name) => through(() => inner.removeFile(name)),
    removeDirectory: (name) => through(() => inner.removeDirectory(name)),
    sync: () => through(() => inner.sync()),
    close: () => inner.close(),
  });

  const fileSystem: PublicationFileSystem = {
    userId: real.userId,
    accounts: real.accounts,
    status: (path) => through(() => real.status(path)),
    readLink: (path) => through(() => real.readLink(path)),
    openDirectory: (path) => through(async () => opened(await real.openDirectory(path), directory)),
  };
  return {
    fileSystem,
    calls: () => calls,
    closeAll: async () => {
      for (const inner of open) await inner.close();
    },
  };
}
