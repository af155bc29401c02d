import { isIPv6, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { waitUntilAborted } from '../../system/until-aborted.ts';
import { networkWords } from './network-words.ts';
import { openSocket, race, type OpenSocket } from './race.ts';
import { literalAddress, resolveBySystem, type Resolve } from './resolve.ts';
import { trustedAuthorities } from './trusted-authorities.ts';

/** Why there is no connection. */
export type DialFault =
  | 'unresolved'
  /** An address that the policy of its caller does not admit. */
  | 'denied'
  /** Every address refused. */
  | 'refused'
  | 'tls'
  /** Anything else, several reasons together among it. */
  | 'unconnected'
  /** The signal ended it. */
  | 'stopped';

export type Dialled =
  | { readonly ok: true; readonly socket: Socket }
  /** `said`: what happened, for people; null for nothing. */
  | { readonly ok: false; readonly fault: DialFault; readonly said: string | null };

/** What connections are made with; tests bring their own. */
export interface DialTools {
  readonly resolve: Resolve;
  readonly open: OpenSocket;
  /** Certificates of the authorities that are trusted, as PEM; undefined for those that the runtime brings. */
  readonly authorities: () => readonly string[] | undefined;
}

/** Names by the system, and the authorities that models are trusted by too. */
export function systemDial(): DialTools {
  return { resolve: resolveBySystem, open: openSocket, authorities: trustedAuthorities };
}

/** Addresses that a policy looks at, if it looks at any. */
const RESOLVED_MAX = 16;
/** Over TLS no other protocol is offered. */
const PROTOCOLS = ['http/1.1'];

/**
 * A connection to the origin of a URL, its peer and its name verified (providers.md §8). `admits`: whether an address
 * may be spoken to; every one that the name has must be admitted, and nothing is connected to before that is known.
 */
export async function dial(
  url: URL,
  tools: DialTools,
  signal: AbortSignal,
  admits: ((address: string) => boolean) | null = null,
): Promise<Dialled> {
  const resolved = await waitUntilAborted(
    tools.resolve(url.hostname).then(
      (addresses) => ({ addresses, said: `name not found (${url.hostname})` }),
      (error: unknown) => ({ addresses: [], said: networkWords(error) }),
    ),
    signal,
    'stopped',
  );
  if (resolved === 'stopped' || signal.aborted) return failed('stopped');
  const { addresses, said } = resolved;
  if (addresses.length === 0) return failed('unresolved', said);
  if (admits !== null && (addresses.length > RESOLVED_MAX || !addresses.every(admits)))
    return failed('denied', NOT_PUBLIC);
  const isSecure = url.protocol === 'https:';
  const raced = await race(addresses, Number(url.port === '' ? (isSecure ? 443 : 80) : url.port), signal, tools.open);
  if (signal.aborted) {
    if (raced.ok) raced.socket.destroy();
    return failed('stopped');
  }
  if (!raced.ok) return failed(raced.areAllRefused ? 'refused' : 'unconnected', networkWords(raced.error));
  const { socket } = raced;
  if (admits !== null && !isPeerOf(socket, addresses)) {
    socket.destroy();
    return failed('denied', NOT_PUBLIC);
  }
  return isSecure ? secureSocket(socket, url.hostname, tools, signal) : { ok: true, socket };
}

const NOT_PUBLIC = 'an address that may not be spoken to';

function failed(fault: DialFault, said: string | null = null): Dialled {
  return { ok: false, fault, said };
}

function isPeerOf({ remoteAddress }: Socket, addresses: readonly string[]): boolean {
  if (remoteAddress === undefined) return false;
  return addresses.some(
    (address) =>
      address === remoteAddress || (isIPv6(address) && isIPv6(remoteAddress) && sameV6(address, remoteAddress)),
  );
}

function sameV6(left: string, right: string): boolean {
  return new URL(`http://[${left}]`).hostname === new URL(`http://[${right}]`).hostname;
}

/** Codes of a connection that broke off, which says nothing about certificates. */
const BROKEN: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED']);

const ENDED = 'connection closed before it was secured';

/** What is no certificate's fault may still be the handshake's. */
function secureWords(error: Error): string {
  const words = networkWords(error);
  return words.startsWith('TLS: ') || ('code' in error && BROKEN.has(error.code))
    ? words
    : `TLS: the handshake failed (${'code' in error ? String(error.code) : error.name})`;
}

function secureSocket(
  plain: Socket,
  hostname: string,
  { authorities }: DialTools,
  signal: AbortSignal,
): Promise<Dialled> {
  const literal = literalAddress(hostname);
  const trusted = authorities();
  const socket = connectSecure({
    socket: plain,
    // Whose name the certificate must bear; no name is told of an address.
    host: literal ?? hostname,
    ...(literal === null && { servername: hostname }),
    ALPNProtocols: PROTOCOLS,
    rejectUnauthorized: true,
    ...(trusted !== undefined && { ca: [...trusted] }),
  });
  return new Promise((resolve) => {
    const end = (dialled: Dialled): void => {
      signal.removeEventListener('abort', stop);
      if (!dialled.ok) {
        socket.destroy();
        plain.destroy();
      }
      resolve(dialled);
    };
    const stop = (): void => end(failed('stopped'));
    signal.addEventListener('abort', stop, { once: true });
    socket.once('secureConnect', () => end({ ok: true, socket }));
    socket.on('error', (error) =>
      end(failed('code' in error && BROKEN.has(error.code) ? 'unconnected' : 'tls', secureWords(error))),
    );
    socket.once('close', () => end(failed('unconnected', ENDED)));
  });
}
