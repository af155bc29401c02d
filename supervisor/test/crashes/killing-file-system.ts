import type {
  FileResult,
  OpenDirectory,
  OpenFile,
  PublicationFileSystem,
} from '../../evidence/publication/file-system.ts';
import { STAGED_NAME } from '../../evidence/publication/names.ts';

/** Effects of a publication, in the words of runtime.md §14, first row. */
export const STEPS = [
  'reservation',
  'staging write',
  'file sync',
  'link',
  'directory sync',
  'recovery sync',
  'recovery link',
  'envelope',
  'release',
] as const;
/** Effects of the run's journal (runtime.md §15.1), which go on beside those. */
export const JOURNAL = 'journal';
export type Step = (typeof STEPS)[number] | typeof JOURNAL;

export interface Kill {
  readonly step: Step;
  /** Which effect of the step, from 0. */
  readonly nth: number;
  readonly when: 'before' | 'after';
}

export interface KillingFileSystem {
  readonly fileSystem: PublicationFileSystem;
  /** What happens until then belongs to the reservation, but for content that is staged. */
  markEvaluated(): void;
  /** Effects seen, by step. */
  counts(): Readonly<Record<string, number>>;
}

/** One effect on the file system: what it does, and to which name below which directory. */
interface Effect {
  readonly operation:
    | 'makeDirectory'
    | 'createFile'
    | 'write'
    | 'syncFile'
    | 'syncDirectory'
    | 'link'
    | 'rename'
    | 'remove';
  readonly directory: string;
  readonly name: string;
}

const RECOVERY = /^\.svc-private-result-/;

/** A file system that ends this very process with SIGKILL at one effect. */
export function killingFileSystem(real: PublicationFileSystem, kill: Kill | null): KillingFileSystem {
  const seen = new Map<string, number>();
  let isEvaluated = false;
  let isRecoverySynced = true;

  const stepOf = ({ operation, directory, name }: Effect): Step => {
    if (directory.endsWith('/runs') || name === 'runs') return JOURNAL;
    // Trace and inspection grow while the run goes on.
    if (!isEvaluated && name !== STAGED_NAME) return 'reservation';
    if (/\/envelopes(?:\/|$)/.test(directory)) return 'envelope';
    if (operation === 'rename' && RECOVERY.test(name)) {
      isRecoverySynced = false;
      return 'recovery sync';
    }
    if (operation === 'syncDirectory' && !isRecoverySynced) {
      isRecoverySynced = true;
      return 'recovery sync';
    }
    switch (operation) {
      case 'makeDirectory':
      case 'createFile':
      case 'write':
        return 'staging write';
      case 'syncFile':
        return 'file sync';
      case 'syncDirectory':
        return 'directory sync';
      case 'link':
        return RECOVERY.test(name) ? 'recovery link' : 'link';
      case 'rename':
      case 'remove':
        return 'release';
    }
  };

  const through = async <T>(effect: Effect, call: () => Promise<FileResult<T>>): Promise<FileResult<T>> => {
    const step = stepOf(effect);
    const nth = seen.get(step) ?? 0;
    seen.set(step, nth + 1);
    const isHere = kill !== null && kill.step === step && kill.nth === nth;
    if (isHere && kill.when === 'before') endHere();
    const result = await call();
    if (isHere) endHere();
    return result;
  };

  const file = (inner: OpenFile, directory: string, name: string): OpenFile => ({
    status: () => inner.status(),
    write: (bytes) => through({ operation: 'write', directory, name }, () => inner.write(bytes)),
    read: (position, length) => inner.read(position, length),
    overwrite: (position, bytes) =>
      through({ operation: 'write', directory, name }, () => inner.overwrite(position, bytes)),
    sync: () => through({ operation: 'syncFile', directory, name }, () => inner.sync()),
    close: () => inner.close(),
  });

  const wrap = (inner: OpenDirectory, path: string): OpenDirectory => ({
    ...inner,
    openDirectory: async (name) => opened(await inner.openDirectory(name), (child) => wrap(child, `${path}/${name}`)),
    makeDirectory: (name, mode) =>
      through({ operation: 'makeDirectory', directory: path, name }, () => inner.makeDirectory(name, mode)),
    createFile: (name, mode) =>
      through({ operation: 'createFile', directory: path, name }, async () =>
        opened(await inner.createFile(name, mode), (created) => file(created, path, name)),
      ),
    link: (from, fromName, name) =>
      through({ operation: 'link', directory: path, name: fromName }, () => inner.link(from, fromName, name)),
    rename: (from, fromName, name) =>
      through({ operation: 'rename', directory: path, name }, () => inner.rename(from, fromName, name)),
    removeFile: (name) => through({ operation: 'remove', directory: path, name }, () => inner.removeFile(name)),
    removeDirectory: (name) =>
      through({ operation: 'remove', directory: path, name }, () => inner.removeDirectory(name)),
    sync: () => through({ operation: 'syncDirectory', directory: path, name: '' }, () => inner.sync()),
  });

  return {
    fileSystem: {
      ...real,
      openDirectory: async (path) => opened(await real.openDirectory(path), (directory) => wrap(directory, path)),
    },
    markEvaluated: () => {
      isEvaluated = true;
    },
    counts: () => Object.fromEntries(seen),
  };
}

function opened<T>(result: FileResult<T>, wrapped: (inner: T) => T): FileResult<T> {
  return result.ok ? { ok: true, value: wrapped(result.value) } : result;
}

/** The kernel ends every thread before the call returns. */
function endHere(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('a process outlived its own SIGKILL');
}
