import { constants } from 'node:fs';
import { access, mkdtemp, readFile, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { processOwnerProbe, type OwnerProbe } from '../owner.ts';

/** Where the machine has one, a file system in memory: a test of every fault syncs thousands of times. */
const MEMORY = '/dev/shm';

/** A directory of one test, free of links. */
export async function scratchDirectory(): Promise<string> {
  const parent = await access(MEMORY, constants.W_OK).then(
    () => MEMORY,
    () => tmpdir(),
  );
  return realpath(await mkdtemp(`${parent}/svc-test-`));
}

export async function removeScratch(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

/** Every entry below a directory: files with their text, directories as null. */
export async function contentsOf(path: string): Promise<Readonly<Record<string, string | null>>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const full = `${entry.parentPath}/${entry.name}`;
      return [full.slice(path.length + 1), entry.isFile() ? await readFile(full, 'utf8') : null] as const;
    }),
  );
  return Object.fromEntries(found);
}

const NEXT_RUN = 'the run after';

/** A run that finds every other owner dead: what the next one sees after a kill. */
export function afterDeath(): OwnerProbe {
  return {
    self: async () => ({ ...(await processOwnerProbe().self()), started: NEXT_RUN }),
    isAlive: async ({ started }) => (started === NEXT_RUN ? 'alive' : 'dead'),
  };
}
