import { randomBytes } from 'node:crypto';
import type { FileResult, OpenDirectory } from '../../evidence/publication/file-system.ts';
import { runOfFile, RUN_DIRECTORIES, type RunFileName } from './run-files.ts';
import { NAMES_LIMIT, type PinnedArtifactRoot } from './store.ts';

/**
 * How the files of a run are deleted as one (cli.md §10, "deletion"): all are linked into a directory of their own
 * below the root, then their names go, then the directory is marked, then it goes. Anyone who finds one without the
 * mark gives every file its name back; anyone who finds one with the mark finishes. At every instant the run is whole
 * in one of the two places.
 */

const PREFIX = '.svc-prune-';
const STAGE = /^\.svc-prune-[0-9a-f]{16}$/;
const COMMITTED = 'committed';
/** A stage holds the files of one run. */
const STAGED_LIMIT = 256;

export function isStageName(name: string): boolean {
  return STAGE.test(name);
}

/**
 * Deletes these files of one run, which were just looked at; false where it failed, after what could be given back was.
 */
export async function deleteTogether(store: PinnedArtifactRoot, files: readonly RunFileName[]): Promise<boolean> {
  const name = `${PREFIX}${randomBytes(8).toString('hex')}`;
  if (!(await store.root.makeDirectory(name, 0o700)).ok) return false;
  const opened = await store.root.openDirectory(name);
  if (!opened.ok) {
    await store.root.removeDirectory(name);
    return false;
  }
  const stage = opened.value;
  try {
    const isUsed = (await linkAll(store, stage, files)) && (await unlinkAll(store, files)) && (await commit(stage));
    if (isUsed) return await finish(store, stage, name);
    await giveBack(store, stage, name);
    return false;
  } finally {
    await stage.close();
  }
}

/** Finishes or takes back what a prune left that died; false where that failed. */
export async function recoverStages(store: PinnedArtifactRoot, userId: number): Promise<boolean> {
  const names = await store.root.names(NAMES_LIMIT);
  if (!names.ok) return false;
  for (const name of names.value.filter(isStageName)) {
    const opened = await store.root.openDirectory(name);
    if (!opened.ok) return false;
    const stage = opened.value;
    try {
      const status = await stage.status();
      if (!status.ok || status.value.owner !== userId || (status.value.mode & 0o077) !== 0) return false;
      const mark = await stage.entry(COMMITTED);
      if (!mark.ok && mark.errno !== 'ENOENT') return false;
      if (!(await (mark.ok ? finish : giveBack)(store, stage, name))) return false;
    } finally {
      await stage.close();
    }
  }
  return true;
}

async function linkAll(
  store: PinnedArtifactRoot,
  stage: OpenDirectory,
  files: readonly RunFileName[],
): Promise<boolean> {
  for (const { directory, name } of files) {
    const from = store.directory(directory);
    if (from === null || !(await stage.link(from, name, `${directory}.${name}`)).ok) return false;
  }
  return (await stage.sync()).ok && (await store.root.sync()).ok;
}

async function unlinkAll(store: PinnedArtifactRoot, files: readonly RunFileName[]): Promise<boolean> {
  for (const { directory, name } of files) {
    const from = store.directory(directory);
    if (from === null || !isRemoved(await from.removeFile(name))) return false;
  }
  return syncAll(store, files);
}

async function commit(stage: OpenDirectory): Promise<boolean> {
  const created = await stage.createFile(COMMITTED, 0o600);
  if (!created.ok) return false;
  await created.value.close();
  return (await stage.sync()).ok;
}

/** The mark goes last: without it what is left would be given back. */
async function finish(store: PinnedArtifactRoot, stage: OpenDirectory, name: string): Promise<boolean> {
  const staged = await listStagedFiles(stage);
  if (staged === null) return false;
  for (const { directory, name: own } of staged)
    if (!isRemoved(await stage.removeFile(`${directory}.${own}`))) return false;
  if (!(await stage.sync()).ok || !isRemoved(await stage.removeFile(COMMITTED))) return false;
  return isRemoved(await store.root.removeDirectory(name)) && (await store.root.sync()).ok;
}

async function giveBack(store: PinnedArtifactRoot, stage: OpenDirectory, name: string): Promise<boolean> {
  if (!isRemoved(await stage.removeFile(COMMITTED))) return false;
  const staged = await listStagedFiles(stage);
  if (staged === null) return false;
  for (const file of staged) if (!(await giveBackOne(store, stage, file))) return false;
  if (!(await syncAll(store, staged))) return false;
  for (const { directory, name: own } of staged)
    if (!isRemoved(await stage.removeFile(`${directory}.${own}`))) return false;
  return isRemoved(await store.root.removeDirectory(name));
}

/** What has the name already must be this very file. */
async function giveBackOne(
  store: PinnedArtifactRoot,
  stage: OpenDirectory,
  { directory, name }: RunFileName,
): Promise<boolean> {
  const to = store.directory(directory);
  if (to === null) return false;
  const linked = await to.link(stage, `${directory}.${name}`, name);
  if (linked.ok) return true;
  if (linked.errno !== 'EEXIST') return false;
  const [there, ours] = [await to.entry(name), await stage.entry(`${directory}.${name}`)];
  return there.ok && ours.ok && there.value.identity === ours.value.identity;
}

/** Null where something else is in the stage, which is nobody's to remove. */
async function listStagedFiles(stage: OpenDirectory): Promise<readonly RunFileName[] | null> {
  const names = await stage.names(STAGED_LIMIT);
  if (!names.ok) return null;
  const files: RunFileName[] = [];
  for (const staged of names.value) {
    if (staged === COMMITTED) continue;
    const directory = RUN_DIRECTORIES.find((each) => staged.startsWith(`${each}.`));
    const file = directory === undefined ? null : { directory, name: staged.slice(directory.length + 1) };
    if (file === null || runOfFile(file) === null) return null;
    files.push(file);
  }
  return files;
}

async function syncAll(store: PinnedArtifactRoot, files: readonly RunFileName[]): Promise<boolean> {
  for (const directory of new Set(files.map((file) => file.directory))) {
    const synced = await store.directory(directory)?.sync();
    if (synced?.ok !== true) return false;
  }
  return true;
}

function isRemoved(removed: FileResult<null>): boolean {
  return removed.ok || removed.errno === 'ENOENT';
}
