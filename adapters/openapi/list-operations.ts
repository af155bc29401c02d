import type { AcquisitionContext, AcquisitionRequest } from '../../contract/provider-protocol/session.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import type { Unopened } from '../mcp/refused.ts';
import type { ApiDeclaration } from './declaration.ts';
import type { MappedOperation } from './document/compile-document.ts';
import { openDocument } from './open-document.ts';
import type { ApiServices } from './services.ts';

/**
 * Every operation of a document, mapped or not, in byte order of their names; of one that has more than may be mapped
 * those that are (providers.md §13, catalog). The API itself is not asked.
 */
export async function listOperations(
  services: ApiServices,
  { declaration, limits }: AcquisitionRequest<ApiDeclaration>,
  { network, signal }: Pick<AcquisitionContext, 'network' | 'signal'>,
): Promise<{ readonly ok: true; readonly operations: readonly MappedOperation[] } | Unopened> {
  const stepMs = Math.min(declaration.timeoutMs, limits.evaluationTimeoutMs);
  const opened = await openDocument(services, declaration, { listsAll: true, network, stepMs }, signal);
  if (!opened.ok) return opened;
  return {
    ok: true,
    operations: opened.operations.toSorted((left, right) => compareUtf8(left.upstream, right.upstream)),
  };
}
