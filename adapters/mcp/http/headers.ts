import type { ServerRequest } from '../protocol/request.ts';
import { PROTOCOL_VERSION } from '../protocol/revision.ts';

export type Headers = Readonly<Record<string, string>>;

/** Of one request (providers.md §7.2). */
const HEADERS_MAX = 64;
const HEADER_BYTES_MAX = 32_768;
/** Of arguments that travel as headers (§7.1). */
const PARAMETER_BYTES_MAX = 16_384;

const FIXED: Headers = {
  'accept': 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': PROTOCOL_VERSION,
};

/** What a request is sent with beside what authorises it; null where that is more than headers may be. */
export function requestHeaders({ method, name, parameters }: Pick<ServerRequest, 'method' | 'name' | 'parameters'>, authorisation: Headers): Headers | null {
  const given = parameters.map(({ header, value }) => [header, headerValue(value)] as const);
  const headers = { ...FIXED, 'mcp-method': method, ...(name !== null && { 'mcp-name': headerValue(name) }), ...Object.fromEntries(given), ...authorisation };
  return bytesOf(given) <= PARAMETER_BYTES_MAX && isSendable(headers) ? headers : null;
}

/** Whether headers are few and short enough to be sent. */
export function isSendable(headers: Headers, mostHeaders = HEADERS_MAX, mostBytes = HEADER_BYTES_MAX): boolean {
  const entries = Object.entries(headers);
  return entries.length <= mostHeaders && bytesOf(entries) <= mostBytes;
}

function bytesOf(entries: readonly (readonly [string, string])[]): number {
  return entries.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0);
}

const PLAIN = /^[\t\x20-\x7e]*$/;
const WRAPPED = /^=\?base64\?.*\?=$/s;

/** A value as it stands in a header: as it is where that is read back as the same, else wrapped in base64 (providers.md §7.1). */
function headerValue(value: string): string {
  const isPlain = PLAIN.test(value) && value.trim() === value && !WRAPPED.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
