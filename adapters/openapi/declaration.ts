import type { HttpDeclaration } from '../mcp/declaration.ts';
import type { ToolMapping } from '../../contract/tool-mapping.ts';

/** Where the document of an API is. */
export type DocumentPlace =
  /** It was read by the caller. */
  { readonly kind: 'file'; readonly bytes: Uint8Array } | { readonly kind: 'url'; readonly url: string };

/** What a host document and a selection say of one API, as plain data (providers.md §7.9). */
export interface ApiDeclaration extends Pick<HttpDeclaration, 'endpoint' | 'auth' | 'oauth'> {
  readonly document: DocumentPlace;
  /** `sha256:` and 64 hex digits; null for any. */
  readonly digest: string | null;
  /** The operations that the selection allows. */
  readonly tools: ToolMapping;
  readonly maxOperations: number;
  /** Milliseconds of each step and of each call. */
  readonly timeoutMs: number;
  readonly maxResultBytes: number;
}
