import { isJsonObject, type JsonObject } from '../json/value.ts';
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

/** `modern`: the revision of 2026-07-28; `legacy`: those before it. */
export type Era = 'modern' | 'legacy';

/** `_meta` of the parameters of a message; null where there is none, or it is not an object. */
export function metaOf({ params }: Message): JsonObject | null {
  const meta = params?.get('_meta');
  return isJsonObject(meta) ? meta : null;
}
