import { randomBytes } from 'node:crypto';
import { NO_STORAGE, type IndexStorage } from './index-file.ts';
import { cacheFolder } from '../../../../system/configuration/cache-folder.ts';
import { loadConfiguration, type Variables } from '../../../../system/configuration/configuration.ts';
import { sha256Hex } from '../../../documents/digest.ts';
import { isOwn, openCacheDirectory, type CachePlace } from '../../../evidence/publication/cache-directory.ts';
import type { OpenDirectory } from '../../../evidence/publication/file-system.ts';
import { nodeFileSystem } from '../../../evidence/publication/node-file-system.ts';

/** Bytes of one index: some 100,000 runs. */
const INDEX_BYTES = 512_000_000;

/** Whose traces an index is of. */
export interface RunIndexStorageOptions {
  readonly variables: Variables;
  /** Absolute: the artifact root whose traces are indexed. */
  readonly root: string;
  /** Whether rows of private traces are in it. */
  readonly showsPrivate: boolean;
}

/**
 * Where the index of an artifact root is kept: a file of this user alone below the cache folder (`svc/runs`). What is
 * there is believed only as the user's own file; without a folder, each start makes the index again.
 */
export async function runIndexStorage({
  variables,
  root,
  showsPrivate,
}: RunIndexStorageOptions): Promise<IndexStorage> {
  return runCacheFile(variables, `${sha256Hex(`${root}\n${showsPrivate ? 'private' : 'public'}`)}.index`);
}

/** One file of what is known of runs and can be made again, by its name below `svc/runs` of the cache folder. */
export async function runCacheFile(variables: Variables, file: string): Promise<IndexStorage> {
  const loaded = await loadConfiguration(variables);
  const base = loaded.ok ? cacheFolder(loaded.configuration, variables) : null;
  if (base === null) return NO_STORAGE;
  const place = { fileSystem: nodeFileSystem(), base };
  return {
    read: async () => openInDirectory(place, false, async (directory) => read(place, directory, file)),
    replace: async (bytes) => {
      await openInDirectory(place, true, async (directory) => replace(directory, file, bytes));
    },
  };
}

async function openInDirectory<T>(
  place: CachePlace,
  create: boolean,
  work: (directory: OpenDirectory) => Promise<T | null>,
): Promise<T | null> {
  const directory = await openCacheDirectory(place, create, 'runs');
  if (directory === null) return null;
  try {
    return await work(directory);
  } finally {
    await directory.close();
  }
}

async function read({ fileSystem }: CachePlace, directory: OpenDirectory, file: string): Promise<Uint8Array | null> {
  const status = await directory.entry(file);
  if (!status.ok || status.value.kind !== 'file' || !isOwn(fileSystem, status.value)) return null;
  const bytes = await directory.readFile(file, INDEX_BYTES);
  return bytes.ok ? bytes.value : null;
}

/** Another viewer of the same root may do the same: the last whole file counts. */
async function replace(directory: OpenDirectory, file: string, bytes: Uint8Array): Promise<null> {
  const staging = `.${randomBytes(12).toString('hex')}.new`;
  const created = await directory.createFile(staging, 0o600);
  if (!created.ok) return null;
  const written = await created.value.write(bytes);
  await created.value.close();
  if (written.ok) await directory.rename(directory, staging, file);
  else await directory.removeFile(staging);
  return null;
}
