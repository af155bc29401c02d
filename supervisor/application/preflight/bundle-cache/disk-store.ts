import { randomBytes } from 'node:crypto';
import type { OpenDirectory } from '../../../evidence/publication/file-system.ts';
import type { BundleName, BundleStore, CompiledReply } from '../bundle-store.ts';
import { isOwn, openCacheDirectory, type CachePlace } from '../../../evidence/publication/cache-directory.ts';
import { decodeEntry, encodeEntry, entryName, MAX_ENTRY_BYTES } from './entry.ts';
import { CACHE_BOUNDS, evict, type CacheBounds } from './evict.ts';
import type { Compiler } from './guest-image.ts';

export interface DiskStoreOptions {
  readonly place: CachePlace;
  readonly compiler: Compiler;
  /** Default: `CACHE_BOUNDS`. */
  readonly bounds?: CacheBounds;
}

/**
 * Bundles kept in files, one each, that are never replaced in place. What is read is believed only if it is this
 * user's own file and carries its own digest under its own name; anything else counts as absent and makes way for the
 * next bundle of that name. A directory that cannot be used is a store that forgets.
 */
export function diskBundleStore({ place, compiler, bounds = CACHE_BOUNDS }: DiskStoreOptions): BundleStore {
  /** Names under which something lies that is no entry. */
  const broken = new Set<string>();
  return {
    async find(name) {
      const file = await computeFileName(compiler, name);
      const directory = file === null ? null : await openCacheDirectory(place, false);
      if (file === null || directory === null) return null;
      try {
        const found = await read(place, directory, file);
        if (found === 'broken') broken.add(file);
        return found === 'absent' || found === 'broken' ? null : found;
      } finally {
        await directory.close();
      }
    },

    async keep(name, reply) {
      const file = await computeFileName(compiler, name);
      if (file === null || !compiler.isUnchanged()) return;
      const bytes = encodeEntry(file, reply);
      if (bytes.length > MAX_ENTRY_BYTES) return;
      const directory = await openCacheDirectory(place, true);
      if (directory === null) return;
      try {
        if (broken.delete(file)) await directory.removeFile(file);
        if (await putInPlace(directory, file, bytes)) await evict(directory, file, bounds);
      } finally {
        await directory.close();
      }
    },
  };
}

async function computeFileName(compiler: Compiler, name: BundleName): Promise<string | null> {
  const identity = await compiler.identity();
  return identity === null ? null : entryName(identity, name);
}

async function read(
  { fileSystem }: CachePlace,
  directory: OpenDirectory,
  file: string,
): Promise<CompiledReply | 'absent' | 'broken'> {
  const status = await directory.entry(file);
  if (!status.ok) return 'absent';
  const { kind, size } = status.value;
  if (kind !== 'file' || size > MAX_ENTRY_BYTES || !isOwn(fileSystem, status.value)) return 'broken';
  const bytes = await directory.readFile(file, size);
  if (!bytes.ok) return 'broken';
  return decodeEntry(file, bytes.value) ?? 'broken';
}

/** Writes beside and links into place: a reader sees the whole entry or none, and no writer undoes another's. */
async function putInPlace(directory: OpenDirectory, file: string, bytes: Uint8Array): Promise<boolean> {
  const staging = `.${randomBytes(12).toString('hex')}.new`;
  const created = await directory.createFile(staging, 0o600);
  if (!created.ok) return false;
  const written = await created.value.write(bytes);
  await created.value.close();
  const linked = written.ok ? await directory.link(directory, staging, file) : written;
  await directory.removeFile(staging);
  return linked.ok;
}
