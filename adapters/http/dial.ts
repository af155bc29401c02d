import { isIPv6, type Socket } from 'node:net';
import { waitUntilAborted } from '../../system/until-aborted.ts';
import { SYSTEM_NETWORK, type Network } from '../../contract/provider-protocol/network.ts';
import { networkWords } from './network-words.ts';
import { hopTo, type Hop } from './proxy.ts';
import { openSocket, race, type OpenSocket } from './race.ts';
import { literalAddress, resolveBySystem, type Resolve } from './resolve.ts';
import { secureOver } from './secure-socket.ts';
import { trustedAuthorities } from './trusted-authorities.ts';
import { askForTunnel, authorityOf } from './tunnel.ts';

/** Why there is no connection. */
export type DialFault =
  | 'unresolved'
  /** An address that the policy of its caller does not admit. */
  | 'denied'
  /** Every address refused. */
  | 'refused'
  | 'tls'
  /** A proxy, where one is on the way, that does not let the connection through. */
  | 'proxy'
  /** Anything else, several reasons together among it. */
  | 'unconnected'
  /** The signal ended it. */
  | 'stopped';

export type Dialled =
  | { readonly ok: true; readonly socket: Socket }
  | {
      readonly ok: false;
      readonly fault: DialFault;
      /** What happened, in words for people; null where nothing did but what its caller wished. */
      readonly said: string | null;
    };

/** What connections are made with; tests bring their own. */
export interface DialTools {
  readonly resolve: Resolve;
  readonly open: OpenSocket;
  /** Certificates of the authorities that are trusted, as PEM; undefined for those that the runtime brings. */
  readonly authorities: () => readonly string[] | undefined;
  /** Absent: as the system leads to servers. */
  readonly network?: Network;
}

/** Names by the system, and the authorities that models are trusted by too. */
export function systemDial(network: Network = SYSTEM_NETWORK): DialTools {
  const { authorities } = network;
  return {
    resolve: resolveBySystem,
    open: openSocket,
    authorities: authorities === null ? trustedAuthorities : () => [...trustedAuthorities(), authorities],
    network,
  };
}

/** Addresses that a policy looks at, if it looks at any. */
const RESOLVED_MAX = 16;

/**
 * A connection to the origin of a URL, its peer and its name verified (providers.md §8). `admits`: whether an address
 * may be spoken to; every one that the name has must be admitted, and nothing is connected to before that is known.
 * Where a proxy leads to the server, it is the proxy that looks names up: of an address that is written out `admits` is
 * asked all the same.
 */
export async function dial(
  url: URL,
  tools: DialTools,
  signal: AbortSignal,
  admits: ((address: string) => boolean) | null = null,
): Promise<Dialled> {
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port === '' ? (isSecure ? 443 : 80) : url.port);
  let hop: Hop | null;
  try {
    hop = hopTo(url, tools.network?.proxy ?? null);
  } catch (error) {
    return failed('proxy', networkWords(error));
  }
  const reached = await (hop === null
    ? connectTo(url.hostname, port, { tools, signal, admits })
    : connectThrough(hop, url.hostname, port, { tools, signal, admits }));
  return reached.ok && isSecure ? secureSocket(reached.socket, url.hostname, tools, signal) : reached;
}

interface Dialling {
  readonly tools: DialTools;
  readonly signal: AbortSignal;
  readonly admits: ((address: string) => boolean) | null;
}

async function connectTo(hostname: string, port: number, { tools, signal, admits }: Dialling): Promise<Dialled> {
  const addresses = await waitUntilAborted(
    tools.resolve(hostname).catch(() => []),
    signal,
    'stopped',
  );
  if (addresses === 'stopped' || signal.aborted) return failed('stopped');
  if (addresses.length === 0) return failed('unresolved', `name not found (${hostname})`);
  if (admits !== null && (addresses.length > RESOLVED_MAX || !addresses.every(admits)))
    return failed('denied', NOT_PUBLIC);
  const raced = await race(addresses, port, signal, tools.open);
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
  return { ok: true, socket };
}

async function connectThrough(
  hop: Hop,
  hostname: string,
  port: number,
  { tools, signal, admits }: Dialling,
): Promise<Dialled> {
  const literal = literalAddress(hostname);
  if (admits !== null && literal !== null && !admits(literal)) return failed('denied', NOT_PUBLIC);
  const plain = await connectTo(hop.host, hop.port, { tools, signal, admits: null });
  const way = plain.ok && hop.isSecure ? await secureSocket(plain.socket, hop.host, tools, signal) : plain;
  if (!way.ok) return way.fault === 'stopped' ? way : failed('proxy', `proxy ${hop.place}: ${way.said ?? way.fault}`);
  const { socket } = way;
  const answered = await waitUntilAborted(
    askForTunnel(socket, hop, authorityOf(hostname, port)).then(
      () => null,
      (error: unknown) => ({ said: networkWords(error) }),
    ),
    signal,
    'stopped',
  );
  if (answered === null) return way;
  socket.destroy();
  return answered === 'stopped' ? failed('stopped') : failed('proxy', answered.said);
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
  const trusted = authorities();
  const socket = secureOver(plain, hostname, trusted === undefined ? {} : { ca: [...trusted] });
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
