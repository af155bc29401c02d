import { ProxyFailure } from './proxy-failure.ts';

/** The error, or what caused it: several addresses fail with one error that holds theirs. */
function innermost(error: unknown): object | null {
  if (typeof error !== 'object' || error === null) return null;
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  if (hasCode(error)) return error;
  return ('cause' in error ? innermost(error.cause) : null) ?? error;
}

function hasCode(error: object): error is { readonly code: string } {
  return 'code' in error && typeof error.code === 'string';
}

/** Code of a transport's error, or of what caused it; null without one. */
export function errorCode(error: unknown): string | null {
  const inner = innermost(error);
  return inner !== null && hasCode(inner) ? inner.code : null;
}

/**
 * What went wrong on the way to a server, in words that a person can act on (world.md §1.5). It may hold an address or
 * a host name, never more of a URL.
 */
export function networkWords(error: unknown): string {
  const inner = innermost(error);
  if (inner === null) return 'the connection failed';
  if (inner instanceof ProxyFailure) return inner.words;
  const code = errorCode(inner) ?? '';
  const message = 'message' in inner && typeof inner.message === 'string' ? inner.message : '';
  if (isTls(code, message)) return `TLS: ${tlsWords(code, message)}`;
  const plain = BY_CODE.get(code);
  if (plain !== undefined) return `${plain}${placeOf(inner)}`;
  // A code is there for some of these errors alone.
  if (code.startsWith('HPE_') || ('name' in inner && inner.name === 'HTTPParserError')) return 'the answer is no HTTP';
  return code === '' ? 'the connection failed' : `the connection failed (${code})`;
}

const BY_CODE: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection closed before the answer was whole'],
  ['EPIPE', 'connection closed before the answer was whole'],
  ['ECONNABORTED', 'connection closed before the answer was whole'],
  ['UND_ERR_SOCKET', 'connection closed before the answer was whole'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'connection closed before the answer was whole'],
  ['UND_ERR_ABORTED', 'given up'],
  ['UND_ERR_HEADERS_OVERFLOW', 'headers of the answer are too long'],
  ['ENOTFOUND', 'name not found'],
  ['EAI_AGAIN', 'name not found: the resolver did not answer'],
  ['ETIMEDOUT', 'no connection in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection in time'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['ENETUNREACH', 'network unreachable'],
  ['EACCES', 'connection not permitted'],
  ['EPERM', 'connection not permitted'],
]);

function placeOf(error: object): string {
  const text = (name: string): string | null => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  };
  const [hostname, address, port] = [text('hostname'), text('address'), text('port')];
  if (hostname !== null) return ` (${hostname})`;
  if (address === null) return '';
  const host = address.includes(':') ? `[${address}]` : address;
  return ` (${port === null ? host : `${host}:${port}`})`;
}

/** Reasons that OpenSSL gives for a certificate, as Node names them. */
const CERTIFICATES: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
  ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'the chain ends in a self-signed certificate that is not trusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the certificate is of an authority that is not trusted'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'the certificate is of an authority that is not trusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'the certificate is of an authority that is not trusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another name'],
  ['CERT_REVOKED', 'the certificate was revoked'],
]);

function isTls(code: string, message: string): boolean {
  return CERTIFICATES.has(code) || /^(?:ERR_SSL_|ERR_TLS_|CERT_|EPROTO$)/.test(code) || /certificate/i.test(message);
}

function tlsWords(code: string, message: string): string {
  const known = CERTIFICATES.get(code);
  if (known !== undefined) return `${known} (${code})`;
  // `...:SSL routines:...:wrong version number:...`: the last words before the place in OpenSSL's source.
  const [, reason] = /:SSL routines:[^:]*:([^:]+)/.exec(message) ?? [];
  return reason ?? (code === '' ? 'the handshake failed' : `the handshake failed (${code})`);
}
