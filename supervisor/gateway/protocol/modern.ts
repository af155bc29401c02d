import { canonicalJson } from '../../../contract/json/canonical.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import type { GatewayAnswer } from '../http/answers.ts';
import { onlyValueOf, valuesOf, type RawHeaders } from '../http/raw-headers.ts';
import { META, MODERN_VERSION, metaOf } from '../../../contract/mcp/era.ts';
import { decodedHeader } from './header-values.ts';
import type { Message } from '../../../contract/mcp/message.ts';
import { RPC } from '../../../contract/mcp/rpc.ts';
import { rpcError } from './rpc-error.ts';

const META_BYTES = 65_536;
const METHODS: ReadonlySet<string> = new Set(['server/discover', 'tools/list', 'tools/call']);

/** Rows 14 to 17 of gateway.md §3, in their order: what the current revision demands of every request. */
export function modernFault(message: Message, headers: RawHeaders): GatewayAnswer | null {
  const { id, method } = message;
  const meta = metaOf(message);
  const version = meta?.get(META.version);
  if (meta === null || typeof version !== 'string' || !isAdmitted(meta))
    return rpcError(400, id, RPC.params, { reason: 'meta' });
  if (!agrees(message, version, headers)) return rpcError(400, id, RPC.headerMismatch, { reason: 'protocol_header' });
  if (version !== MODERN_VERSION) return unsupportedVersion(id, version);
  return METHODS.has(method) ? null : rpcError(404, id, RPC.method);
}

/** Names the one version that is served. */
export function unsupportedVersion(id: Message['id'], requested: string): GatewayAnswer {
  return rpcError(400, id, RPC.version, { supported: [MODERN_VERSION], requested });
}

function isAdmitted(meta: JsonObject): boolean {
  const client = meta.get(META.client);
  const isClient =
    client === undefined ||
    (isJsonObject(client) && typeof client.get('name') === 'string' && typeof client.get('version') === 'string');
  return isClient && isJsonObject(meta.get(META.capabilities)) && utf8Length(canonicalJson(meta)) <= META_BYTES;
}

/** Row 15: each header is there once and says what the body says. */
function agrees({ method, params }: Message, version: string, headers: RawHeaders): boolean {
  if (
    onlyValueOf(headers, 'mcp-protocol-version')?.trim() !== version ||
    onlyValueOf(headers, 'mcp-method')?.trim() !== method
  )
    return false;
  if (method !== 'tools/call') return valuesOf(headers, 'mcp-name').length === 0;
  const name = onlyValueOf(headers, 'mcp-name');
  return name !== null && decodedHeader(name) === params?.get('name');
}
