import type { Network } from '../../contract/provider-protocol/network.ts';
import { refused, type Unopened } from '../mcp/refused.ts';
import { notOpened } from './call/call-failure.ts';
import type { ApiDeclaration } from './declaration.ts';
import type { CompiledDocument, DocumentTerms } from './document/compile-document.ts';
import type { FetchedDocument } from '../mcp/api/fetch-document.ts';
import type { ApiServices } from './services.ts';

export type OpenedDocument = Extract<CompiledDocument, { readonly ok: true }>;

interface Opening {
  /** Every operation, as far as they are not too many. */
  readonly listsAll: boolean;
  /** How the server of a document is reached. */
  readonly network: Network;
  /** Milliseconds in which a document has to be there. */
  readonly stepMs: number;
}

/** What is wanted of the document that a declaration names. */
export async function openDocument(
  { network, workers }: ApiServices,
  declaration: ApiDeclaration,
  { listsAll, network: by, stepMs }: Opening,
  signal: AbortSignal,
): Promise<OpenedDocument | Unopened> {
  const { document } = declaration;
  let bytes: Uint8Array;
  if (document.kind === 'file') bytes = document.bytes;
  else {
    const { remote, lost } = network();
    const { ended, leave } = lost.watch();
    const fetched = await Promise.race([remote.fetchDocument(document.url, by, stepMs), ended]);
    leave();
    if (fetched === undefined) return refused('provider_unavailable');
    if (!fetched.ok) return notOpened({ ...fetched, said: saidOf(fetched) });
    bytes = fetched.bytes;
  }
  const read = await workers.document(bytes, { ...documentTerms(declaration), listsAll }, signal);
  if (read.kind !== 'done') {
    const isTooMuch = read.kind === 'heap_exceeded';
    return refused(
      isTooMuch ? 'provider_protocol_error' : 'provider_unavailable',
      null,
      isTooMuch ? { said: 'the OpenAPI document takes more memory than a document may' } : null,
    );
  }
  const { result } = read.value;
  if (result.ok) return result;
  switch (result.fault) {
    case 'refused':
      return refused('provider_protocol_error', null, { said: result.words });
    case 'changed':
      return refused('provider_policy_changed', null, { said: result.words });
    case 'missing':
      return refused('provider_tool_missing', result.tool, { said: result.words });
  }
}

/** What is wanted of a document, no matter who reads it. */
export function documentTerms(declaration: Omit<ApiDeclaration, 'document'>): DocumentTerms {
  const { tools, maxOperations, digest, auth } = declaration;
  return {
    mapping: tools,
    maxOperations,
    digest,
    authHeaders: auth.map((one) => (one.scheme === 'api_key' ? one.header.toLowerCase() : 'authorization')),
    listsAll: false,
  };
}

function saidOf({ status, said }: Extract<FetchedDocument, { readonly ok: false }>): string | null {
  const words = status === null ? said : `HTTP ${status}`;
  return words === null ? null : `the OpenAPI document: ${words}`;
}
