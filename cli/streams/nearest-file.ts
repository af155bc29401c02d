import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { nearestNames } from '../../contract/names/nearest.ts';

/** Entries of a folder that are looked at; a mistyped name is nothing to search a large one for. */
const ENTRIES_MAX = 1000;

/** The name in the folder of a path that a mistyped one may have meant; null: none, or the folder cannot be read. */
export function nearestFile(path: string): string | null {
  try {
    const names = readdirSync(dirname(path)).slice(0, ENTRIES_MAX);
    return nearestNames(basename(path), names)[0] ?? null;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown) return null;
    throw thrown;
  }
}
