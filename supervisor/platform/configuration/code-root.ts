import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { codeFolder } from './cache-folder.ts';
import type { Variables } from './configuration.ts';

const HASH_DIGITS = 16;

/** Where `svc code` keeps what no project has a place for (code-mode.md §1); null: this user has no folder. */
export function codeRoot(variables: Variables, workingDirectory: string): string | null {
  const folder = codeFolder(variables);
  if (folder === null) return null;
  return `${folder}/${createHash('sha256').update(workingDirectory).digest('hex').slice(0, HASH_DIGITS)}`;
}

/** The same, if `svc code` left runs there. */
export function storedCodeRuns(variables: Variables, workingDirectory: string): string | null {
  const root = codeRoot(variables, workingDirectory);
  return root !== null && existsSync(`${root}/envelopes`) ? root : null;
}

/** The same, if `svc code` asked anything there. */
export function storedCodeQuestions(variables: Variables, workingDirectory: string): string | null {
  const root = codeRoot(variables, workingDirectory);
  return root !== null && existsSync(`${root}/approvals`) ? root : null;
}
