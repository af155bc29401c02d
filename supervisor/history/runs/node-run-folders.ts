import { lstatSync, readdirSync } from 'node:fs';
import { readRunEnd } from './run-end.ts';
import type { RunFolders } from './run-times.ts';

/** Asked one after the other: with many small answers that is several times faster than by promises. */
export const nodeRunFolders: RunFolders = {
  names: (directory) => attempt(() => readdirSync(directory)),
  modified: (path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null,
  end: readRunEnd,
};

function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
