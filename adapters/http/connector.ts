import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { buildConnector } from 'undici';
import { trustedContext } from './trusted-authorities.ts';

/**
 * Over TLS no other protocol is offered: that one's connections are shared by calls, and cannot be closed with one of
 * them.
 */
const PROTOCOLS = ['http/1.1'];

/**
 * Bytes that a server may send to one request, whatever they are: what stands around an answer (interim answers,
 * extensions of chunks) has no bound of its own.
 */
export const SENT_BYTES_MAX = 4 * 4_194_304;
/** Of the error of a connection whose server sent more. */
export const SENT_TOO_MUCH = 'SENT_TOO_MUCH';

/** A connection on its way. Ended before it is there, it fails as any other. */
export function connecting(
  { protocol, hostname, port, servername }: buildConnector.Options,
  callback: buildConnector.Callback,
): Socket {
  const isSecure = protocol === 'https:';
  const at = {
    host: hostname,
    port: Number(port === '' ? (isSecure ? 443 : 80) : port),
    noDelay: true,
    keepAlive: true,
  };
  const socket = isSecure
    ? connectSecure({
        ...at,
        ALPNProtocols: PROTOCOLS,
        secureContext: trustedContext(),
        ...(servername !== undefined && servername !== '' && { servername }),
      })
    : connectPlain(at);
  let isSettled = false;
  const settle = (...result: Parameters<buildConnector.Callback>): void => {
    if (isSettled) return;
    isSettled = true;
    callback(...result);
  };
  socket.once(isSecure ? 'secureConnect' : 'connect', () => {
    bound(socket);
    settle(null, socket);
  });
  socket.on('error', (error) => settle(error, null));
  socket.once('close', () => settle(new ClosedWhileConnecting(), null));
  return socket;
}

/** Looks at what came whenever something did; with each request that leaves the count begins anew. */
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
