import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeFolder } from '../../system/configuration/cache-folder.ts';
import type { Variables } from '../../system/configuration/configuration.ts';
import { makeDirectory } from '../evidence/publication/make-directory.ts';

const HASH_DIGITS = 16;

/** Where `svc code` keeps what no project has a place for (code-mode.md §1); null: this user has no folder. */
function codeRoot(variables: Variables, workingDirectory: string): string | null {
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

/** Where evidence goes that no project has a place for, made with its parents; null: this user has no folder. */
export function ownCodeArtifacts(variables: Variables, workingDirectory: string): string | null {
  const root = codeRoot(variables, workingDirectory);
  if (root === null) return null;
  try {
    makeDirectory(dirname(root));
  } catch {
    return null;
  }
  return root;
}
