import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory of this user alone where there is none, and those above it that are missing. Throws what the file
 * system says. Step by step: the recursive form of node tries for ever where a file system that has no folders to give
 * says that one above is missing (`/proc`).
 */
export function makeDirectory(path: string): void {
  const missing: string[] = [];
  for (
    let place = path;
    statSync(place, { throwIfNoEntry: false }) === undefined && place !== dirname(place);
    place = dirname(place)
  )
    missing.unshift(place);
  for (const place of missing) {
    try {
      mkdirSync(place, { mode: 0o700 });
    } catch (error) {
      // Another process may make the same one.
      if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    }
  }
  if (!statSync(path).isDirectory()) throw new Error(`no directory: ${path}`);
}
