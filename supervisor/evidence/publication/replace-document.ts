import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Who may read a document that is new: it holds no secret, its folder decides. */
const NEW_MODE = 0o644;
const MODE_BITS = 0o777;

/** Whether anything has the name. */
export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Writes a document whole, in the place of the one before or of none: anyone who reads it meanwhile has one of the two.
 * A link stays one. False where it could not be written; nothing is changed then.
 */
export async function writeDocument(path: string, text: string): Promise<boolean> {
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (found) => found.mode & MODE_BITS,
    () => NEW_MODE,
  );
  const staged = join(dirname(target), `.${basename(target)}.${randomBytes(8).toString('hex')}`);
  try {
    const file = await open(staged, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(staged, target);
    return true;
  } catch {
    await rm(staged, { force: true }).catch(() => undefined);
    return false;
  }
}
