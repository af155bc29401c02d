import type { ProxySettings } from '../../contract/provider-protocol/network.ts';
import { isException } from './no-proxy.ts';
import { ProxyFailure } from './proxy-failure.ts';

/** The proxy that a connection goes by. */
export interface Hop {
  readonly isSecure: boolean;
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** As people know it: `proxy.example:3128`. */
  readonly place: string;
  /** Of the header `proxy-authorization`; null without a login. */
  readonly authorization: string | null;
}

const STANDARD_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * The proxy by which a server is asked; null where it is asked directly. Plain HTTP is spoken to addresses of this
 * machine alone, which another one would look for in vain. Throws `ProxyFailure` where the settings name no proxy that
 * can be spoken to.
 */
export function hopTo({ protocol, hostname, port }: URL, proxy: ProxySettings | null): Hop | null {
  if (proxy === null || protocol !== 'https:') return null;
  if (proxy.exceptions !== null && isException(proxy.exceptions, hostname, Number(port === '' ? 443 : port)))
    return null;
  const url = addressOf(proxy);
  const standard = STANDARD_PORTS[url?.protocol ?? ''];
  if (url === null || standard === undefined)
    throw new ProxyFailure('PROXY_UNUSABLE', 'the proxy of the environment has no address with http or https');
  const login = loginOf(proxy);
  return {
    isSecure: url.protocol === 'https:',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? standard : Number(url.port),
    place: url.port === '' ? `${url.hostname}:${String(standard)}` : url.host,
    authorization: login === null ? null : `Basic ${Buffer.from(login).toString('base64')}`,
  };
}

/** The texts of a proxy's login that a server could repeat. */
export function proxySecrets(proxy: ProxySettings | null): readonly string[] {
  const login = proxy === null ? null : loginOf(proxy);
  if (login === null) return [];
  const password = login.slice(login.indexOf(':') + 1);
  return password === '' ? [login] : [login, password];
}

/** An address of the environment may do without its scheme. */
function addressOf({ url }: ProxySettings): URL | null {
  return URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`);
}

function loginOf(proxy: ProxySettings): string | null {
  if (proxy.login !== null) return proxy.login;
  const { username = '', password = '' } = addressOf(proxy) ?? {};
  return username === '' ? null : `${decoded(username)}:${decoded(password)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
