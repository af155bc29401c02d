import type { DiagnosticCode } from '../../../contract/diagnostics/diagnostic.ts';
import type { PublicationFileSystem } from '../../evidence/publication/file-system.ts';
import { refusalWords } from '../../evidence/publication/refusal-words.ts';
import type { TreeEnd, TreeOutcome } from './publish-tree.ts';

/** The code of each way in which no tree was published. */
export const TREE_CODES: Readonly<Record<Exclude<TreeOutcome, 'published'>, DiagnosticCode>> = {
  target_exists: 'initialization_target_exists',
  parent_missing: 'initialization_parent_missing',
  parent_unusable: 'initialization_parent_unusable',
  failed: 'initialization_failed',
};

const PARENT_HINT = 'the parent must be a directory that you may write to';

/** What a person can do where no tree was published; null where the code says it. */
export function treeHint(fileSystem: PublicationFileSystem, { outcome, refused }: TreeEnd): string | null {
  if (outcome !== 'parent_unusable') return null;
  return refused === null ? PARENT_HINT : refusalWords(fileSystem, refused);
}
