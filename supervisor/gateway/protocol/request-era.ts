import { LEGACY_VERSIONS, META, metaOf, type Era } from '../../../contract/mcp/era.ts';
import type { Message } from '../../../contract/mcp/message.ts';
import { valuesOf, type RawHeaders } from '../http/raw-headers.ts';

/** Row 12 of gateway.md §3: what a request says of its version, in its body first. */
export function eraOf(message: Message, headers: RawHeaders): Era {
  if (metaOf(message)?.has(META.version) === true) return 'modern';
  const named = valuesOf(headers, 'mcp-protocol-version');
  return named.some((version) => !LEGACY_VERSIONS.some((known) => known === version)) ? 'modern' : 'legacy';
}
