import type { IncomingMessage } from 'node:http';
import type { RequestSender } from './gates.ts';

const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]{1,1024})$/;

/** Cookies know no ports: another viewer of this host has another name for its own. */
export function cookieName(port: number): string {
  return `svc-viewer-${port}`;
}

/** What a request shows of its sender. What is given twice counts as not given. */
export function callerOf(request: IncomingMessage, options: URLSearchParams, port: number): RequestSender {
  const header = (name: string): string | null => {
    const input = request.headersDistinct[name];
    return input?.length === 1 ? (input[0] ?? null) : null;
  };
  const tokens = options.getAll('live_token');
  return {
    host: header('host'),
    origin: header('origin'),
    fetchSite: header('sec-fetch-site'),
    isLoopbackPeer: isLoopback(request.socket.remoteAddress ?? ''),
    bearer: BEARER.exec(header('authorization') ?? '')?.[1] ?? null,
    cookie: cookieOf(header('cookie') ?? '', cookieName(port)),
    queryToken: tokens.length === 1 ? (tokens[0] ?? null) : null,
    pageNonce: header('x-svc-viewer-page-nonce'),
    replNonce: header('x-svc-viewer-nonce'),
    liveNonce: header('x-svc-viewer-live-nonce'),
  };
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}

function cookieOf(text: string, name: string): string | null {
  const found = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return found.length === 1 ? (found[0]?.slice(name.length + 1) ?? null) : null;
}
