import type { HashedSecret } from './secrets.ts';

/** Who may ask for a route (evidence.md §11, "Routes, checks"). */
export type RouteAccess =
  /** Pages, assets, traces and private analysis: reading. */
  | 'read'
  /** Changes nothing but what this process has captured. */
  | 'refresh'
  | 'repl read'
  | 'repl change'
  | 'live read'
  | 'live change'
  /** Decides about a call of a run: a page of this very viewer, and nothing else. */
  | 'approval change'
  /** A run that reports its progress. */
  | 'reporter';

/** What a request shows of who sends it; null for what it does not carry, or carries more than once. */
export interface RequestSender {
  readonly host: string | null;
  readonly origin: string | null;
  readonly fetchSite: string | null;
  readonly isLoopbackPeer: boolean;
  readonly bearer: string | null;
  readonly cookie: string | null;
  readonly queryToken: string | null;
  readonly pageNonce: string | null;
  readonly replNonce: string | null;
  readonly liveNonce: string | null;
}

/** What a process of the viewer lets in. */
export interface ViewerAdmission {
  readonly isExposed: boolean;
  readonly port: number;
  /** Null only on loopback. */
  readonly token: HashedSecret | null;
  readonly pageNonce: HashedSecret;
  readonly replNonce: HashedSecret;
  readonly liveNonce: HashedSecret;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const REPL_NAMES = ['localhost', '127.0.0.1'];
const HTTP_PORT = 80;

/** Whether a request may pass; a refusal is 403 whatever the reason, so that it reports nothing. */
export function mayPass(gate: RouteAccess, caller: RequestSender, admission: ViewerAdmission): boolean {
  return isHere(gate, caller, admission) && PASSES[gate](caller, admission);
}

/** On loopback the name by which a browser asks keeps foreign pages out; beyond it only the token does. */
function isHere(gate: RouteAccess, caller: RequestSender, admission: ViewerAdmission): boolean {
  if (!admission.isExposed)
    return isOwnHost(caller.host, gate.startsWith('repl') ? REPL_NAMES : LOOPBACK_NAMES, admission.port);
  return hasToken(caller, admission);
}

const PASSES: Readonly<Record<RouteAccess, (caller: RequestSender, admission: ViewerAdmission) => boolean>> = {
  read: () => true,
  refresh: (caller) =>
    caller.fetchSite !== 'cross-site' &&
    caller.fetchSite !== 'same-site' &&
    (caller.origin === null || isSameOrigin(caller)),
  'repl read': (caller, { pageNonce }) => caller.fetchSite === 'same-origin' && pageNonce.matches(caller.pageNonce),
  'repl change': (caller, { replNonce }) => isSameOrigin(caller) && replNonce.matches(caller.replNonce),
  'live read': (caller, admission) => caller.isLoopbackPeer || hasToken(caller, admission),
  'live change': (caller, admission) =>
    (caller.isLoopbackPeer || hasToken(caller, admission)) &&
    isSameOrigin(caller) &&
    admission.liveNonce.matches(caller.liveNonce),
  'approval change': (caller, admission) =>
    caller.fetchSite === 'same-origin' && PASSES['live change'](caller, admission),
  reporter: (caller, { token }) =>
    token === null ? caller.isLoopbackPeer && caller.origin === null : token.matches(caller.bearer),
};

function isOwnHost(host: string | null, names: readonly string[], port: number): boolean {
  return host !== null && names.some((name) => host === `${name}:${port}` || (port === HTTP_PORT && host === name));
}

function isSameOrigin({ origin, host }: RequestSender): boolean {
  return host !== null && origin === `http://${host}`;
}

function hasToken({ bearer, cookie, queryToken }: RequestSender, { token }: ViewerAdmission): boolean {
  return token !== null && (token.matches(bearer) || token.matches(cookie) || token.matches(queryToken));
}
