import { basename } from 'node:path';

/** Finds this program again, whatever it is called by. */
export interface OwnProgram {
  /** Canonical path that a command or an argument leads to, by PATH where it has no slash; null for nothing. */
  readonly resolve: (word: string) => string | null;
  /** Canonical paths of this program: its launcher, its script. */
  readonly paths: ReadonlySet<string>;
}

/** The package, as runners of packages name it: `@svc-lisp/svc`, `@svc-lisp/svc@1.2.3`; or the program in a folder. */
const PACKAGE = /^svc(?:@[^/]*)?$/;

/**
 * Whether an entry starts `svc code`: svc in the file that it imports would start itself without end (code-mode.md §3).
 */
export function startsSvcCode(words: readonly string[], own: OwnProgram): boolean {
  const program = words.findIndex((word) => isSvc(word, own));
  return program !== -1 && words.slice(program + 1).includes('code');
}

function isSvc(word: string, { resolve, paths }: OwnProgram): boolean {
  if (PACKAGE.test(basename(word).replace(/\.(?:js|mjs|cmd|exe)$/, ''))) return true;
  if (word.startsWith('-')) return false;
  const path = resolve(word);
  return path !== null && paths.has(path);
}
