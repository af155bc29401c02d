import type { ServerRequest } from './request.ts';
import { isOlder } from './revision.ts';

export type Headers = Readonly<Record<string, string>>;

/** Of one request (providers.md §7.2). */
const HEADERS_MAX = 64;
const HEADER_BYTES_MAX = 32_768;
/** Of arguments that travel as headers (§7.1). */
const PARAMETER_BYTES_MAX = 16_384;

const FIXED: Headers = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

/**
 * What a request is sent with beside what every connection adds of itself; null where all of these together are more
 * than headers may be. `more`: what authorises it, and the session that it belongs to. `host`: of its address, with its
 * port.
 */
export function requestHeaders(
  {
    method,
    revision,
    name,
    parameters,
    text,
  }: Pick<ServerRequest, 'method' | 'revision' | 'name' | 'parameters' | 'text'>,
  more: Headers,
  host: string,
): Headers | null {
  // Earlier revisions say in the body alone what is asked.
  const isRepeated = !isOlder(revision);
  const input = isRepeated ? parameters.map(({ header, value }) => [header, headerValue(value)] as const) : [];
  const headers = {
    ...FIXED,
    ...(isRepeated && { 'mcp-protocol-version': revision, 'mcp-method': method }),
    ...(isRepeated && name !== null && { 'mcp-name': headerValue(name) }),
    ...Object.fromEntries(input),
    ...more,
  };
  const added: Headers = { host, connection: 'close', 'content-length': String(Buffer.byteLength(text)) };
  return bytesOf(input) <= PARAMETER_BYTES_MAX && isSendable({ ...headers, ...added }) ? headers : null;
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

/**
 * A value as it is in a header: as it is where that is read back as the same, else wrapped in base64 (providers.md
 * §7.1).
 */
function headerValue(value: string): string {
  const isPlain = PLAIN.test(value) && value.trim() === value && !WRAPPED.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
