import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '../../evidence/publication/make-directory.ts';

/**
 * Writes a file of an author in the place of the one that is there, whole or not at all. Fixtures hold what was said to
 * models, so it is its owner's alone. Throws what the file system says.
 */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  makeDirectory(dirname(path));
  const written = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(written, text, { flag: 'wx', mode });
    await rename(written, path);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}
