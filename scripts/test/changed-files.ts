/** What changed in a checkout, and which files of it name which. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNamedFiles } from './affected.ts';

/** Since the branch left `main`: what is committed, what is not, and what git does not know yet. From the root. */
export function findChangedFiles(root: string): readonly string[] {
  const git = (...words: readonly string[]): readonly string[] =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '');
  const main = ['main', 'origin/main'].find((name) => isRevision(root, name)) ?? 'HEAD';
  const base = git('merge-base', 'HEAD', main)[0] ?? 'HEAD';
  const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(changed)].toSorted();
}

function isRevision(root: string, name: string): boolean {
  try {
    execFileSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** By file of TypeScript: which others it names. */
export function readNames(root: string): ReadonlyMap<string, readonly string[]> {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  const files = new Set(listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file))));
  const sources = [...files].filter((file) => /\.tsx?$/.test(file));
  return new Map(
    sources.map((file) => [
      file,
      findNamedFiles(file, readFileSync(join(root, file), 'utf8'), (path) => files.has(path)),
    ]),
  );
}
