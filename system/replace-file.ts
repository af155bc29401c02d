import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const MODE_BITS = 0o777;

/**
 * Who may use the file: exactly these, or those who may use the one before, and of a new one these, less what the
 * process's mask takes.
 */
export type ReplacedMode = { readonly exactly: number } | { readonly ifNew: number };

/**
 * Writes a file whole, in the place of the one before or of none: a reader has one of the two, at any moment. A link
 * stays one. Throws what the file system says, and then nothing is changed.
 */
export async function replaceFile(path: string, content: string | Uint8Array, mode: ReplacedMode): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const before = await stat(target).then(
    (found) => found.mode & MODE_BITS,
    () => null,
  );
  const [retained, ifNew] = 'exactly' in mode ? [mode.exactly, mode.exactly] : [before, mode.ifNew];
  const staged = join(dirname(target), `.${basename(target)}.${randomBytes(8).toString('hex')}`);
  try {
    const file = await open(staged, 'wx', retained ?? ifNew);
    try {
      // The mask of the process may have taken from it.
      if (retained !== null) await file.chmod(retained);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(staged, target);
  } catch (error) {
    await rm(staged, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The same for a document of an author, which holds no secret; false where it could not be written. */
export async function replaceDocument(path: string, text: string): Promise<boolean> {
  return replaceFile(path, text, { ifNew: 0o644 }).then(
    () => true,
    () => false,
  );
}
