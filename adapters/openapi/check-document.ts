import type { LocalFinding, LocallyChecked } from '../../contract/provider-protocol/checks.ts';
import type { ApiDeclaration } from './declaration.ts';
import { documentTerms } from './open-document.ts';
import type { ApiWorkers } from './workers.ts';

/** Whether a document that is at hand can be used as it is declared; nobody is asked (providers.md §3, table A). */
export async function checkDocument(
  workers: ApiWorkers,
  declaration: Omit<ApiDeclaration, 'document'>,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<LocallyChecked> {
  const read = await workers.document(bytes, documentTerms(declaration), signal);
  switch (read.kind) {
    case 'done': {
      const { result, processorMs } = read.value;
      return { finding: result.ok ? null : found(result.words), processorMs };
    }
    case 'heap_exceeded':
      return { finding: found('the OpenAPI document takes more memory than a document may'), processorMs: 0 };
    case 'cancelled':
    case 'lost':
    case 'threw':
      return { finding: found('the OpenAPI document could not be read'), processorMs: 0 };
  }
}

function found(hint: string): LocalFinding {
  return { code: 'environment_unavailable', hint };
}
