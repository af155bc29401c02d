import { accepts, isJsonType } from './accept.ts';
import { refuseHttp, type GatewayAnswer } from '../http/answers.ts';
import type { HashedBearer } from './bearer.ts';
import { onlyValueOf, valuesOf, type RawHeaders } from '../http/raw-headers.ts';

/** What a request shows before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** As on the request line: a path, or an absolute address. */
  readonly target: string;
  readonly rawHeaders: RawHeaders;
}

/** Whom a listener lets in. */
export interface ListenerGate {
  /**
   * `127.0.0.1:PORT` or `[::1]:PORT`, and `localhost:PORT`; `any`: beyond loopback, where nobody knows all names of a
   * machine or of the proxy in front of it.
   */
  readonly authorities: ReadonlySet<string> | 'any';
  readonly origins: ReadonlySet<string>;
  readonly bearer: HashedBearer;
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const;
/** A name or an address, and a port. */
const AUTHORITY = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,253})?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * What Host must say: the address, or the name that every machine has for itself, which no name server answers for; the
 * port may be left out where it is the protocol's.
 */
export function authoritiesOf(
  address: string,
  port: number,
  scheme: keyof typeof DEFAULT_PORTS = 'http',
): ReadonlySet<string> {
  const names = [address === '::1' ? '[::1]' : address, 'localhost'];
  return new Set(names.flatMap((name) => [`${name}:${port}`, ...(port === DEFAULT_PORTS[scheme] ? [name] : [])]));
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;

/** Path and query of a target; `authority` is null unless the target is absolute. */
export function splitTarget(target: string): { readonly authority: string | null; readonly path: string } {
  if (target.startsWith('/')) return { authority: null, path: target };
  const [, authority, path] = ABSOLUTE.exec(target) ?? [];
  return authority === undefined
    ? { authority: null, path: target }
    : { authority, path: path === undefined || path === '' ? '/' : path };
}

/** Row 3 of gateway.md §3: exactly one Host, and an absolute target alike. */
export function authorityFault(
  { target, rawHeaders }: RequestHead,
  { authorities }: ListenerGate,
): GatewayAnswer | null {
  const host = onlyValueOf(rawHeaders, 'host');
  const { authority } = splitTarget(target);
  const isOwn =
    host !== null &&
    (authorities === 'any'
      ? AUTHORITY.test(host) && (authority === null || authority === host)
      : authorities.has(host) && (authority === null || authorities.has(authority)));
  return isOwn ? null : refuseHttp(400, 'invalid_authority');
}

/** Row 4: no Origin, or one that is listed. */
export function originFault({ rawHeaders }: RequestHead, { origins }: ListenerGate): GatewayAnswer | null {
  const input = valuesOf(rawHeaders, 'origin');
  const [origin] = input;
  const isListed = origin === undefined || (input.length === 1 && origins.has(origin));
  return isListed ? null : refuseHttp(403, 'origin_forbidden');
}

function bearerFault({ rawHeaders }: RequestHead, { bearer }: ListenerGate): GatewayAnswer | null {
  const { matches, isPresent } = bearer.check(onlyValueOf(rawHeaders, 'authorization'));
  const hasToken = isPresent || valuesOf(rawHeaders, 'authorization').length > 1;
  return matches
    ? null
    : refuseHttp(401, 'unauthorized', {
        headers: { 'www-authenticate': hasToken ? 'Bearer error="invalid_token"' : 'Bearer' },
        closes: true,
      });
}

function contentTypeFault({ rawHeaders }: RequestHead): GatewayAnswer | null {
  const type = onlyValueOf(rawHeaders, 'content-type');
  return type !== null && isJsonType(type) ? null : refuseHttp(415, 'unsupported_media_type', { closes: true });
}

function acceptFault({ rawHeaders }: RequestHead): GatewayAnswer | null {
  const accept = onlyValueOf(rawHeaders, 'accept');
  const admitsBoth =
    accept !== null && accepts(accept, 'application', 'json') && accepts(accept, 'text', 'event-stream');
  return admitsBoth ? null : refuseHttp(406, 'not_acceptable', { closes: true });
}

function methodFault({ method }: RequestHead): GatewayAnswer | null {
  return method === 'POST' ? null : refuseHttp(405, 'method_not_allowed', { headers: { allow: 'POST' }, closes: true });
}

/** Rows 2 to 7 of gateway.md §3: what refuses a request whose body nobody has read, the first failure. */
export function headFault(head: RequestHead, gate: ListenerGate): GatewayAnswer | null {
  return (
    methodFault(head) ??
    authorityFault(head, gate) ??
    originFault(head, gate) ??
    bearerFault(head, gate) ??
    contentTypeFault(head) ??
    acceptFault(head)
  );
}
