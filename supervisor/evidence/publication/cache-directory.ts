import type { FileStatus, OpenDirectory, PublicationFileSystem } from './file-system.ts';
import { openSafeDirectory } from './safe-directory.ts';

/** What is kept below the folder that the configuration names, a folder each. */
export type CacheContent = 'bundles' | 'runs' | 'sessions';
const OWNER_ONLY = 0o700;
const OF_OTHERS = 0o077;

export interface CachePlace {
  readonly fileSystem: PublicationFileSystem;
  /** Absolute folder, as `$XDG_CACHE_HOME` names one; nobody else may be able to change it or what leads to it. */
  readonly base: string;
}

/**
 * The folder of the entries: `svc/bundles` below the base (or `svc/runs`, `svc/sessions`), each of them this user's
 * alone and no link. Null when there is none that can be used. `create`: makes what is missing, the base included.
 */
export async function openCacheDirectory(
  place: CachePlace,
  create: boolean,
  content: CacheContent = 'bundles',
): Promise<OpenDirectory | null> {
  let directory = await openBase(place, create);
  for (const name of ['svc', content]) {
    if (directory === null) return null;
    const parent: OpenDirectory = directory;
    directory = await openOwn(place.fileSystem, parent, name, create);
    await parent.close();
  }
  return directory;
}

async function openBase(place: CachePlace, create: boolean): Promise<OpenDirectory | null> {
  const opened = await openSafeDirectory(place.fileSystem, place.base);
  if (opened.ok) return opened.value.directory;
  return create && opened.fault === 'missing' ? makeBase(place) : null;
}

/** Makes the base itself, as its owner's alone; what leads to it must be there. */
async function makeBase({ fileSystem, base }: CachePlace): Promise<OpenDirectory | null> {
  const cut = base.replace(/(?<!\/)\/+$/, '').lastIndexOf('/');
  const above = await openSafeDirectory(fileSystem, base.slice(0, cut) || '/');
  if (!above.ok) return null;
  const { directory } = above.value;
  const made = await openOwn(fileSystem, directory, base.slice(cut + 1).replace(/(?<!\/)\/+$/, ''), true);
  await directory.close();
  return made;
}

async function openOwn(
  fileSystem: PublicationFileSystem,
  parent: OpenDirectory,
  name: string,
  create: boolean,
): Promise<OpenDirectory | null> {
  // Another command may make it first: what is there decides.
  if (create) await parent.makeDirectory(name, OWNER_ONLY);
  const opened = await parent.openDirectory(name);
  if (!opened.ok) return null;
  const status = await opened.value.status();
  if (status.ok && status.value.kind === 'directory' && isOwn(fileSystem, status.value)) return opened.value;
  await opened.value.close();
  return null;
}

/** Made by this user, and of no use to anybody else. */
export function isOwn({ userId }: PublicationFileSystem, { owner, mode }: FileStatus): boolean {
  return owner === userId && (mode & OF_OTHERS) === 0;
}
