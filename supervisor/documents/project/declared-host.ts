import { success, type Outcome } from '../../../contract/outcome.ts';
import { createDocumentReader } from '../document-reader.ts';
import { nodeDocumentFiles } from '../file-system.ts';
import { loadTarget } from './load.ts';

/** Whether what a document names has a host. A manifest has no place for one. */
export type DeclaredHost = 'declared' | 'undeclared' | 'manifest';

/**
 * `document` from `workingDirectory` unless absolute; a fault of a project is returned. What cannot be read counts as a
 * manifest.
 */
export async function findDeclaredHost(document: string, workingDirectory: string): Promise<Outcome<DeclaredHost>> {
  const target = await loadTarget(createDocumentReader(nodeDocumentFiles, workingDirectory), document);
  if (!target.ok) return target;
  if (target.value.kind === 'application') return success('manifest');
  return success(target.value.host === null ? 'undeclared' : 'declared');
}
