import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure, type SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Network } from '../../contract/provider-protocol/network.ts';
import { hopTo, type Hop } from './proxy.ts';
import { PROTOCOLS, secureOver } from './secure-socket.ts';
import { askForTunnel, authorityOf, failureOnTheWay } from './tunnel.ts';
import { trustedContext } from './trusted-authorities.ts';

/**
 * Bytes that a server may send to one request, whatever they are: what is around an answer (interim answers, extensions
 * of chunks) has no bound of its own.
 */
export const SENT_BYTES_MAX = 4 * 4_194_304;
/** Of the error of a connection whose server sent more. */
export const SENT_TOO_MUCH = 'SENT_TOO_MUCH';

/** A connection that is being made. Ended before it is made, it fails like any other. */
export interface Connecting {
  destroy(): void;
}

/** Connects to a server, through a proxy where the way leads by one (world.md §1.6). */
export function connecting(
  { protocol, hostname, port, servername }: buildConnector.Options,
  network: Network,
  callback: buildConnector.Callback,
): Connecting {
  const isSecure = protocol === 'https:';
  const server = { host: hostname, port: Number(port === '' ? (isSecure ? 443 : 80) : port) };
  let isSettled = false;
  const settle = (...result: Parameters<buildConnector.Callback>): void => {
    if (isSettled) return;
    isSettled = true;
    callback(...result);
  };
  const arrive = (socket: Socket): void => {
    bound(socket);
    settle(null, socket);
  };
  const context = (): SecureContext => trustedContext(network.authorities);
  const named = servername !== undefined && servername !== '' ? { servername } : {};
  let hop: Hop | null;
  try {
    hop = hopTo(new URL(`${protocol}//${hostname}:${String(server.port)}`), network.proxy);
  } catch (error) {
    queueMicrotask(() => settle(error instanceof Error ? error : new ClosedWhileConnecting(), null));
    return { destroy: () => undefined };
  }
  if (hop === null) {
    const at = { ...server, ...SOCKET };
    const socket = isSecure
      ? connectSecure({ ...at, ALPNProtocols: PROTOCOLS, secureContext: context(), ...named })
      : connectPlain(at);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => arrive(socket));
    failing(socket, (error) => settle(error, null));
    return socket;
  }
  const by = hop;
  const way = openWay(by, context);
  const refuse = (error: Error): void => {
    settle(failureOnTheWay(error, by), null);
    way.destroy();
  };
  failing(way, refuse);
  const secure = (): void => {
    const socket = secureOver(way, hostname, { secureContext: context() });
    socket.once('secureConnect', () => arrive(socket));
    failing(socket, (error) => {
      settle(error, null);
      way.destroy();
    });
  };
  way.once(by.isSecure ? 'secureConnect' : 'connect', () => {
    void askForTunnel(way, by, authorityOf(hostname, server.port)).then(secure, refuse);
  });
  return way;
}

const SOCKET = { noDelay: true, keepAlive: true };

/** A connection to a proxy. */
function openWay({ isSecure, host, port }: Hop, context: () => SecureContext): Socket {
  const at = { host, port, ...SOCKET };
  return isSecure
    ? connectSecure({
        ...at,
        ALPNProtocols: PROTOCOLS,
        secureContext: context(),
        ...(isIP(host) === 0 && { servername: host }),
      })
    : connectPlain(at);
}

function failing(socket: Socket, fail: (error: Error) => void): void {
  socket.on('error', fail);
  socket.once('close', () => fail(new ClosedWhileConnecting()));
}

/** Looks at what came whenever something did; with each request that leaves the count begins again. */
function bound(socket: Socket): void {
  let [written, readBefore] = [socket.bytesWritten, socket.bytesRead];
  socket.on('readable', () => {
    const { bytesWritten, bytesRead } = socket;
    if (bytesWritten !== written) [written, readBefore] = [bytesWritten, bytesRead];
    if (bytesRead - readBefore > SENT_BYTES_MAX) socket.destroy(new SentTooMuch());
  });
}

class SentTooMuch extends Error {
  readonly code = SENT_TOO_MUCH;
}

/** Of a connection that was given up, or that its server closed before it was there. */
class ClosedWhileConnecting extends Error {
  readonly code = 'ECONNRESET';
}
