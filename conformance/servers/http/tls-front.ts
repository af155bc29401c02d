import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { SignedCertificate } from './own-authority.ts';

/** A server that takes TLS off what comes to it, and hands it on to a plain one on loopback. */
export interface TlsFront {
  readonly port: number;
  close(): Promise<void>;
}

export async function startTlsFront({ cert, key }: SignedCertificate, behind: number): Promise<TlsFront> {
  const sockets = new Set<Socket>();
  const hold = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const server = createServer({ cert, key, ALPNProtocols: ['http/1.1'] }, (secure) => {
    const plain = hold(connect(behind, '127.0.0.1'));
    secure.on('error', () => undefined).once('close', () => plain.destroy());
    plain.once('close', () => secure.destroy());
    secure.pipe(plain).pipe(secure);
  });
  server.on('connection', hold).on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server has a port');
  return {
    port: address.port,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
