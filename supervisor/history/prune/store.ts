import type {
  InodeIdentity,
  FileStatus,
  OpenDirectory,
  PublicationFileSystem,
} from '../../evidence/publication/file-system.ts';
import { JOURNAL_DIRECTORY } from '../../evidence/publication/journal/directory.ts';
import { ownershipFault, ownershipRefusal, ownershipWords } from '../../evidence/publication/ownership.ts';
import { refusalWords } from '../../evidence/publication/refusal-words.ts';
import {
  joinChild,
  isInPlace,
  openSafeDirectory,
  type SafeDirectory,
} from '../../evidence/publication/safe-directory.ts';
import { RUN_DIRECTORIES, type RunDirectory } from './run-files.ts';

/** Names that are read of one directory; more are not a store of ours. */
export const NAMES_LIMIT = 1_000_000;
/** Empty files by which people keep runs (cli.md §10, "kept"). */
const KEEP = 'keep';
/** May be absent; every other directory is there from the first run on (documents.md §6). */
const OPTIONAL: ReadonlySet<string> = new Set([KEEP, JOURNAL_DIRECTORY]);

/** Why nothing can be pruned; `hint` names a directory below the root and what to do, never a path. */
export interface PruneFault {
  readonly code: 'prune_unsafe_directory' | 'prune_unavailable' | 'prune_delete_failed';
  readonly hint: string | null;
}

interface PinnedDirectory {
  readonly directory: OpenDirectory;
  readonly identity: InodeIdentity;
}

/** The artifact root of a project with its directories, all held. */
export interface PinnedArtifactRoot {
  readonly root: OpenDirectory;
  /** Null for one that is not there. */
  directory(name: RunDirectory): OpenDirectory | null;
  /** Where markers are; null without. */
  readonly keep: OpenDirectory | null;
  /** Whether the root's path and every name below it lead to what was held, still this user's alone. */
  isUnchanged(): Promise<boolean>;
  close(): Promise<void>;
}

type Opening =
  | { readonly ok: true; readonly store: PinnedArtifactRoot }
  | { readonly ok: false; readonly fault: PruneFault };

/** Opens the root of an absolute path. Makes and repairs nothing. */
export async function openStore(fileSystem: PublicationFileSystem, path: string): Promise<Opening> {
  const link = await fileSystem.status(path);
  const linkHint = link.ok && link.value.kind !== 'directory' ? unsafeHint(fileSystem, link.value, path, null) : null;
  if (linkHint !== null) return refused('prune_unsafe_directory', linkHint);
  const opened = await openSafeDirectory(fileSystem, path, 'named');
  if (!opened.ok) {
    if (opened.fault === 'missing') return refused('prune_unavailable', 'no run has left artifacts yet');
    return refused(
      opened.fault === 'unsafe' || opened.fault === 'not_directory' ? 'prune_unsafe_directory' : 'prune_unavailable',
      opened.refused === null ? null : `the artifact root is refused: ${refusalWords(fileSystem, opened.refused)}`,
    );
  }
  const root = opened.value;
  const pinned = new Map<string, PinnedDirectory>();
  const close = async (): Promise<void> => {
    for (const { directory } of pinned.values()) await directory.close();
    await root.directory.close();
  };
  const fault = await holdAll(fileSystem, root, pinned);
  if (fault !== null) {
    await close();
    return { ok: false, fault };
  }
  return {
    ok: true,
    store: {
      root: root.directory,
      directory: (name) => pinned.get(name)?.directory ?? null,
      keep: pinned.get(KEEP)?.directory ?? null,
      isUnchanged: async () => (await isInPlace(fileSystem, root)) && (await checkStillThere(fileSystem, root, pinned)),
      close,
    },
  };
}

async function holdAll(
  fileSystem: PublicationFileSystem,
  root: SafeDirectory,
  pinned: Map<string, PinnedDirectory>,
): Promise<PruneFault | null> {
  const own = await root.directory.status();
  if (!own.ok) return faultOf('prune_unavailable', null);
  const rootFault = unsafeHint(fileSystem, own.value, root.path, null);
  if (rootFault !== null) return faultOf('prune_unsafe_directory', rootFault);
  for (const name of [...RUN_DIRECTORIES, KEEP]) {
    const entry = await root.directory.entry(name);
    if (!entry.ok && entry.errno === 'ENOENT' && OPTIONAL.has(name)) continue;
    if (!entry.ok)
      return faultOf(
        'prune_unavailable',
        entry.errno === 'ENOENT' ? `the directory ${name} of the artifact root is missing` : null,
      );
    const unsafe = unsafeHint(fileSystem, entry.value, joinChild(root.path, name), name);
    if (unsafe !== null) return faultOf('prune_unsafe_directory', unsafe);
    const opened = await root.directory.openDirectory(name);
    if (!opened.ok)
      return faultOf(
        opened.errno === 'ELOOP' || opened.errno === 'ENOTDIR' ? 'prune_unsafe_directory' : 'prune_unavailable',
        null,
      );
    const status = await opened.value.status();
    pinned.set(name, { directory: opened.value, identity: entry.value.identity });
    if (!status.ok || status.value.identity !== entry.value.identity) return faultOf('prune_unsafe_directory', null);
  }
  return null;
}

async function checkStillThere(
  fileSystem: PublicationFileSystem,
  root: SafeDirectory,
  pinned: ReadonlyMap<string, PinnedDirectory>,
): Promise<boolean> {
  for (const [name, { identity }] of pinned) {
    const entry = await root.directory.entry(name);
    if (!entry.ok || entry.value.identity !== identity || ownershipFault(entry.value, fileSystem.userId) !== null)
      return false;
  }
  return true;
}

/** Null for a directory of this user alone. */
function unsafeHint(
  fileSystem: PublicationFileSystem,
  status: FileStatus,
  path: string,
  name: string | null,
): string | null {
  const fault = ownershipFault(status, fileSystem.userId);
  if (fault === null) return null;
  return `the artifact root${name === null ? '' : `, directory ${name},`} is refused: ${ownershipWords(fileSystem, ownershipRefusal(path, status, fault))}`;
}

function refused(code: PruneFault['code'], hint: string | null): Opening {
  return { ok: false, fault: faultOf(code, hint) };
}

export function faultOf(code: PruneFault['code'], hint: string | null): PruneFault {
  return { code, hint };
}
