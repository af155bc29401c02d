import type { Socket } from 'node:net';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { literalAddress } from './resolve.ts';

/**
 * Over TLS no other protocol is offered: that one's connections are shared by calls, and cannot be closed with one of
 * them.
 */
export const PROTOCOLS = ['http/1.1'];

/** Whose certificates are trusted; empty for the authorities that the runtime brings. */
type Trust = Pick<ConnectionOptions, 'ca' | 'secureContext'>;

/** TLS over a connection that is there. The certificate must name the host; an IP address is sent without a name. */
export function secureOver(plain: Socket, hostname: string, trust: Trust): TLSSocket {
  const literal = literalAddress(hostname);
  return connect({
    socket: plain,
    host: literal ?? hostname,
    ...(literal === null && { servername: hostname }),
    ALPNProtocols: PROTOCOLS,
    rejectUnauthorized: true,
    ...trust,
  });
}
