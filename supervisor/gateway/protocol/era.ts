import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import { valuesOf, type RawHeaders } from '../http/raw-headers.ts';
import type { Message } from './message.ts';

/** The revision that is served. */
export const MODERN_VERSION = '2026-07-28';
/** Those that are served to clients which open a session (gateway.md §7), the newest last. */
export const LEGACY_VERSIONS = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** Names of members of `_meta`. */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  client: 'io.modelcontextprotocol/clientInfo',
  server: 'io.modelcontextprotocol/serverInfo',
} as const;

export type Era = 'modern' | 'legacy';

export function metaOf({ params }: Message): JsonObject | null {
  const meta = params?.get('_meta');
  return isJsonObject(meta) ? meta : null;
}

/** Row 12 of gateway.md §3: what a request says of its version, in its body first. */
export function eraOf(message: Message, headers: RawHeaders): Era {
  if (metaOf(message)?.has(META.version) === true) return 'modern';
  const named = valuesOf(headers, 'mcp-protocol-version');
  return named.some((version) => !LEGACY_VERSIONS.some((known) => known === version)) ? 'modern' : 'legacy';
}
