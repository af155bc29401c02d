import type { ReservationTools } from '../../evidence/publication/reservation.ts';
import type { SafeDirectory } from '../../evidence/publication/safe-directory.ts';
import { StoreError } from './store-error.ts';

const OPEN_TO_OTHERS = 0o077;

/**
 * A file that is this user's alone; null where there is none. Rejects with StoreError for one that others
 * can read.
 */
export async function readOwnFile(
  { fileSystem }: Pick<ReservationTools, 'fileSystem'>,
  { directory }: Pick<SafeDirectory, 'directory'>,
  name: string,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const entry = await directory.entry(name);
  if (!entry.ok && entry.errno === 'ENOENT') return null;
  const isOwn =
    entry.ok &&
    entry.value.kind === 'file' &&
    entry.value.owner === fileSystem.userId &&
    (entry.value.mode & OPEN_TO_OTHERS) === 0;
  const read = isOwn ? await directory.readFile(name, maxBytes) : null;
  if (read === null || !read.ok) throw new StoreError('unavailable');
  return read.value;
}
