import { placeDirectory } from '../../evidence/publication/artifact-root.ts';
import type { InodeIdentity, OpenDirectory, PublicationFileSystem } from '../../evidence/publication/file-system.ts';
import { openSafeDirectory, type RefusedDirectory } from '../../evidence/publication/safe-directory.ts';
import { splitPath } from '../../evidence/publication/single-file.ts';
import { isStill, openStaging, writeNewFile, type Staging } from '../../evidence/publication/staging.ts';
import { directoriesOf, topLevelNames, type Tree } from './tree.ts';

export type TreeOutcome = 'published' | 'target_exists' | 'parent_missing' | 'parent_unusable' | 'failed';

export interface TreeEnd {
  readonly outcome: TreeOutcome;
  /** The directory that led to `parent_unusable`; null where none did. */
  readonly refused: RefusedDirectory | null;
}

/**
 * Publishes a whole directory or nothing (cli.md §8): built beside the target, synced, checked to be untouched, then
 * given its name without replacing anything. An empty directory that exists stays the directory that it is, so that a
 * shell may be in it: what was built within it takes its names there (first-day.md §1). `target` is absolute.
 */
export async function publishTree(fileSystem: PublicationFileSystem, target: string, tree: Tree): Promise<TreeEnd> {
  const path = withoutTrailingSlashes(target);
  const existing = await fileSystem.status(path);
  if (existing.ok)
    return existing.value.kind === 'directory' ? fillDirectory(fileSystem, path, tree) : ended('target_exists');
  const { directory, name } = splitPath(path);
  const parent = await openSafeDirectory(fileSystem, directory, 'named');
  if (!parent.ok) return ended(parent.fault === 'missing' ? 'parent_missing' : 'parent_unusable', parent.refused);
  try {
    if (existing.errno !== 'ENOENT') return ended('parent_unusable');
    const staging = await openStaging(parent.value.directory);
    return ended(staging.ok ? await publishStaged(staging.value, name, tree) : 'failed');
  } finally {
    await parent.value.directory.close();
  }
}

async function fillDirectory(fileSystem: PublicationFileSystem, path: string, tree: Tree): Promise<TreeEnd> {
  const target = await openSafeDirectory(fileSystem, path, 'named');
  if (!target.ok) return ended('parent_unusable', target.refused);
  const { directory } = target.value;
  try {
    const names = await directory.names(1);
    if (!names.ok) return ended('parent_unusable');
    if (names.value.length > 0) return ended('target_exists');
    const staging = await openStaging(directory);
    return ended(staging.ok ? await fillFrom(staging.value, tree) : 'failed');
  } finally {
    await directory.close();
  }
}

/** Moves what was built out of its staging directory; what was moved goes back where that fails on the way. */
async function fillFrom(staging: Staging, tree: Tree): Promise<TreeOutcome> {
  const building: Building = { root: staging.directory, entries: [] };
  let outcome: TreeOutcome = 'failed';
  const moved: string[] = [];
  try {
    if ((await build(building, tree)) && (await isUntouched(building))) {
      outcome = await moveAll(staging, topLevelNames(tree), moved);
    }
    if (outcome === 'published') {
      await staging.parent.removeDirectory(staging.name);
      await staging.parent.sync();
    } else {
      for (const name of moved) await staging.directory.rename(staging.parent, name, name);
      await discard(building, staging);
    }
    return outcome;
  } finally {
    for (const entry of building.entries) if (entry.opened !== null) await entry.opened.close();
    await staging.directory.close();
  }
}

/** Nobody else's name is replaced: what came meanwhile makes the directory one that is not empty. */
async function moveAll(staging: Staging, names: Iterable<string>, moved: string[]): Promise<TreeOutcome> {
  const there = await staging.parent.names(2);
  if (!there.ok) return 'failed';
  if (there.value.some((name) => name !== staging.name)) return 'target_exists';
  for (const name of names) {
    if ((await staging.parent.entry(name)).ok) return 'target_exists';
    if (!(await staging.parent.rename(staging.directory, name, name)).ok) return 'failed';
    moved.push(name);
  }
  return 'published';
}

function ended(outcome: TreeOutcome, refused: RefusedDirectory | null = null): TreeEnd {
  return { outcome, refused };
}

function withoutTrailingSlashes(path: string): string {
  return path.replace(/(?<=[^/])\/+$/, '');
}

async function publishStaged(staging: Staging, name: string, tree: Tree): Promise<TreeOutcome> {
  const building: Building = { root: staging.directory, entries: [] };
  let outcome: TreeOutcome = 'failed';
  try {
    if ((await build(building, tree)) && (await isUntouched(building))) {
      const placed = await placeDirectory(staging, name);
      outcome = placed === 'placed' ? 'published' : placed === 'exists' ? 'target_exists' : 'failed';
    }
    // The directory has its name: a failing sync can only make it less durable, not undo it.
    if (outcome === 'published') await staging.parent.sync();
    else await discard(building, staging);
    return outcome;
  } finally {
    for (const entry of building.entries) if (entry.opened !== null) await entry.opened.close();
    await staging.directory.close();
  }
}

/** What was made so far, in order; `holder` is the open directory that has the entry. */
interface Entry {
  readonly path: string;
  readonly name: string;
  readonly holder: OpenDirectory;
  readonly identity: InodeIdentity;
  /** Null for a file. */
  readonly opened: OpenDirectory | null;
}

interface Building {
  readonly root: OpenDirectory;
  readonly entries: Entry[];
}

async function build(building: Building, tree: Tree): Promise<boolean> {
  for (const path of directoriesOf(tree)) {
    if (!(await addDirectory(building, path))) return false;
  }
  for (const [path, bytes] of tree) {
    if (!(await addFile(building, path, bytes))) return false;
  }
  for (const { opened } of building.entries) {
    if (opened !== null && !(await opened.sync()).ok) return false;
  }
  return (await building.root.sync()).ok;
}

async function addDirectory(building: Building, path: string): Promise<boolean> {
  const { holder, name } = placeOf(building, path);
  if (!(await holder.makeDirectory(name, 0o700)).ok) return false;
  const opened = await holder.openDirectory(name);
  if (!opened.ok) {
    await holder.removeDirectory(name);
    return false;
  }
  const status = await opened.value.status();
  if (!status.ok) {
    await opened.value.close();
    await holder.removeDirectory(name);
    return false;
  }
  building.entries.push({ path, name, holder, identity: status.value.identity, opened: opened.value });
  return true;
}

async function addFile(building: Building, path: string, bytes: Uint8Array): Promise<boolean> {
  const { holder, name } = placeOf(building, path);
  const written = await writeNewFile(holder, name, bytes, 0o600);
  if (written.ok) building.entries.push({ path, name, holder, identity: written.value, opened: null });
  // The staging directory is ours alone: a file of this name is the one that could not be finished.
  else await holder.removeFile(name);
  return written.ok;
}

function placeOf({ root, entries }: Building, path: string): { readonly holder: OpenDirectory; readonly name: string } {
  const cut = path.lastIndexOf('/');
  if (cut === -1) return { holder: root, name: path };
  const holder = entries.find((entry) => entry.path === path.slice(0, cut))?.opened;
  if (holder === null || holder === undefined) throw new Error('parents are made before their children');
  return { holder, name: path.slice(cut + 1) };
}

async function isUntouched({ entries }: Building): Promise<boolean> {
  for (const { holder, name, identity } of entries) {
    if (!(await isStill(holder, name, identity))) return false;
  }
  return true;
}

/** Children before parents, and only what is still ours. */
async function discard({ entries }: Building, staging: Staging): Promise<void> {
  for (const { holder, name, identity, opened } of entries.toReversed()) {
    if (!(await isStill(holder, name, identity))) continue;
    await (opened === null ? holder.removeFile(name) : holder.removeDirectory(name));
  }
  if (await isStill(staging.parent, staging.name, staging.identity)) await staging.parent.removeDirectory(staging.name);
}
