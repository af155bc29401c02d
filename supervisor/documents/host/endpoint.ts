import type { DiagnosticCode } from '../../../contract/diagnostics/diagnostic.ts';

export type EndpointCode = Extract<DiagnosticCode, `installation_endpoint_${string}`>;

export interface EndpointFacts {
  readonly endpoint: string;
  /** Static authentication or OAuth is declared. */
  readonly hasCredentials: boolean;
  readonly allowInsecureLoopback: boolean;
}

/** The first endpoint rule that an installed address breaks, null for none (documents.md §7). */
export function endpointFault({ endpoint, hasCredentials, allowInsecureLoopback }: EndpointFacts): EndpointCode | null {
  if (hasCredentials && endpoint.startsWith('http://')) return 'installation_endpoint_credentials_require_https';
  const address = parseAddress(endpoint);
  if (address === null) return 'installation_endpoint_invalid';
  if (address.scheme === 'https')
    return allowInsecureLoopback ? 'installation_endpoint_insecure_loopback_forbidden' : null;
  if (address.scheme !== 'http') return 'installation_endpoint_invalid';
  if (!allowInsecureLoopback) return 'installation_endpoint_insecure_loopback_required';
  return LITERAL_LOOPBACK.has(address.host) ? null : 'installation_endpoint_literal_loopback_required';
}

/** Names such as `localhost` depend on a resolver. */
const LITERAL_LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);

interface Address {
  readonly scheme: string;
  readonly host: string;
}

/** Space, control and Unicode space characters; a backslash, which URL parsers read as a slash. */
const NEVER = /[\s\p{Z}\u0000-\u001f\u007f-\u009f\\]/u;
const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/(\[[0-9A-Fa-f:.]+\]|[^/?#:@[\]]+)(?::([1-9][0-9]{0,4}))?(?:[/?][^#]*)?$/u;
const MAX_PORT = 65_535;
const MAX_BYTES = 4096;

/**
 * An address of so many bytes whose authority is exactly a host and at most one plain port; null for any other text.
 */
function parseAddress(endpoint: string): Address | null {
  if (Buffer.byteLength(endpoint) > MAX_BYTES || NEVER.test(endpoint)) return null;
  const [, scheme, host, port] = ADDRESS.exec(endpoint) ?? [];
  if (scheme === undefined || host === undefined || Number(port ?? 1) > MAX_PORT) return null;
  const url = URL.parse(endpoint);
  if (url === null) return null;
  // A parser that reads another host than the text says (0x7f.1, escapes) may not decide where a credential goes.
  const exact = host.startsWith('[') || url.hostname === host.toLowerCase();
  return exact ? { scheme, host } : null;
}
