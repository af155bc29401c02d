import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is refused before anybody looks at it. */
export interface HeaderFault {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_VERSION = -32_022;
const VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol/protocolVersion';

/**
 * What the transport asks of the headers of every request: they say again what the body says, and no session is named.
 */
export function headerFault(
  headers: IncomingHttpHeaders,
  { method, params }: { readonly method: unknown; readonly params: Readonly<Record<string, unknown>> },
): HeaderFault | null {
  const refused = (message: string, code = HEADER_MISMATCH): HeaderFault => ({ status: 400, code, message });
  const meta: unknown = params['_meta'];
  const version: unknown = typeof meta === 'object' && meta !== null ? Reflect.get(meta, META) : undefined;
  if (typeof method !== 'string') return refused('the body is a request of JSON-RPC', -32_600);
  if (headers['content-type'] !== 'application/json') return refused('content-type is application/json');
  const accepted = new Set((headers.accept ?? '').split(',').map((type) => type.trim()));
  if (!accepted.has('application/json') || !accepted.has('text/event-stream'))
    return refused('both forms of an answer are accepted');
  if (headers['mcp-session-id'] !== undefined || headers['last-event-id'] !== undefined)
    return refused('this revision has no sessions');
  if (headers['mcp-protocol-version'] !== version) return refused('header and body name one version');
  if (version !== VERSION) return refused('this revision is not spoken', UNSUPPORTED_VERSION);
  if (headers['mcp-method'] !== method) return refused('header and body name one method');
  const name = method === 'tools/call' ? params['name'] : undefined;
  if (plain(headers['mcp-name']) !== name) return refused('header and body name one tool');
  if (['cookie', 'accept-encoding', 'proxy-authorization'].some((header) => headers[header] !== undefined))
    return refused('no cookies, no compression, no proxy');
  return null;
}

/** The value that a header carries, which may be wrapped in base64. */
function plain(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, wrapped] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  return wrapped === undefined ? value : Buffer.from(wrapped, 'base64').toString('utf8');
}
