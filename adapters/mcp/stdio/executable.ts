import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** A program as it was found: where it is started, and what was there. */
export interface Executable {
  /** As it is started: links are not resolved, since some programs look at the name they have. */
  readonly path: string;
  /** SHA-256 of its bytes, 64 hex digits. */
  readonly digest: string;
  /** Of the file that its links lead to: another file, or other content, has another one. */
  readonly identity: string;
}

export type ExecutableLookup =
  | { readonly ok: true; readonly executable: Executable }
  | { readonly ok: false; readonly fault: 'not_found' | 'unusable' };

export const EXECUTABLE_BYTES = 268_435_456;
export const LAUNCHER_BYTES = 16_777_216;
/** Servers of tools that come with the program, and are next to it (world.md §2.1). */
const SHIPPED: ReadonlySet<string> = new Set(['svc-fs-mcp', 'svc-mcp-bridge']);
const EXECUTE_BITS = 0o111;
const CHUNK_BYTES = 1_048_576;

/**
 * Finds a command: an absolute path, or a bare name on the path that the child itself will have (providers.md §3, table
 * A), or in the folder of the program where it comes with that. A path relative to anything is refused: what it means
 * would depend on where it is read.
 */
export async function findExecutable(
  command: string,
  path: string | undefined,
  maxBytes: number,
  programFolder: string,
): Promise<ExecutableLookup> {
  if (isAbsolute(command)) return examine(command, maxBytes);
  if (command === '' || command.includes('/')) return { ok: false, fault: 'unusable' };
  let best: ExecutableLookup = { ok: false, fault: 'not_found' };
  const folders = [...(path ?? '').split(':'), ...(SHIPPED.has(command) ? [programFolder] : [])];
  for (const folder of folders) {
    if (!isAbsolute(folder) || !(await isSeen(join(folder, command)))) continue;
    const found = await examine(join(folder, command), maxBytes);
    // What cannot be executed is passed over, as a shell would; it is reported where there is no other.
    if (found.ok) return found;
    if (found.fault === 'unusable') best = found;
  }
  return best;
}

/**
 * Whether the name is there, as far as this user can see: a folder that may not be searched proves nothing about it.
 */
async function isSeen(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether the same file with the same content still is there. */
export async function isUnchanged({ path, identity }: Executable): Promise<boolean> {
  return (await withFile(path, async (_, found) => found)) === identity;
}

async function examine(path: string, maxBytes: number): Promise<ExecutableLookup> {
  const found = await withFile(path, async (file, identity, bytes): Promise<ExecutableLookup> => {
    if (bytes > maxBytes) return { ok: false, fault: 'unusable' };
    return { ok: true, executable: { path, digest: await readDigest(file), identity } };
  });
  return typeof found === 'string' ? { ok: false, fault: found } : found;
}

async function withFile<T>(
  path: string,
  work: (file: FileHandle, identity: string, bytes: number) => Promise<T>,
): Promise<T | 'not_found' | 'unusable'> {
  let file: FileHandle | null = null;
  try {
    const real = await realpath(path);
    // A pipe in its place is not waited for.
    file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
    const { dev, ino, size, mtimeNs, ctimeNs, mode } = await file.stat({ bigint: true });
    const isProgram = (await file.stat()).isFile() && (Number(mode) & EXECUTE_BITS) !== 0;
    return isProgram ? await work(file, [real, dev, ino, size, mtimeNs, ctimeNs].join(' '), Number(size)) : 'unusable';
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'not_found' : 'unusable';
  } finally {
    await file?.close();
  }
}

async function readDigest(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (let read = await file.read(buffer); read.bytesRead > 0; read = await file.read(buffer))
    hash.update(buffer.subarray(0, read.bytesRead));
  return hash.digest('hex');
}
