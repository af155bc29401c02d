import { connect as connectPlain } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { buildConnector } from 'undici';

/** Over TLS no other protocol is offered: that one's connections are shared by calls, and cannot be closed with one of them. */
const PROTOCOLS = ['http/1.1'];

/** A connection on its way. Ended before it is there, it fails as any other. */
export function connecting({ protocol, hostname, port, servername }: buildConnector.Options, callback: buildConnector.Callback): Socket {
  const isSecure = protocol === 'https:';
  const at = { host: hostname, port: Number(port === '' ? (isSecure ? 443 : 80) : port), noDelay: true, keepAlive: true };
  const socket = isSecure ? connectSecure({ ...at, ALPNProtocols: PROTOCOLS, ...(servername !== undefined && servername !== '' && { servername }) }) : connectPlain(at);
  let isSettled = false;
  const settle = (...result: Parameters<buildConnector.Callback>): void => {
    if (isSettled) return;
    isSettled = true;
    callback(...result);
  };
  socket.once(isSecure ? 'secureConnect' : 'connect', () => settle(null, socket));
  socket.on('error', (error) => settle(error, null));
  socket.once('close', () => settle(new ClosedWhileConnecting(), null));
  return socket;
}

/** Of a connection that was given up, or that its server closed before it was there. */
class ClosedWhileConnecting extends Error {
  readonly code = 'ECONNRESET';
}
