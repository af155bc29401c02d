import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What is known of one socket. */
interface Connection {
  /** Whether a request on it showed what it has to show. */
  isProven: boolean;
  /** Requests on it that did and have no answer yet. */
  busy: number;
}

/** The sockets of a listener: no more than so many, and none that its client can hold open for as long as it likes. */
export interface Connections {
  /** A request on the socket has shown that its client may ask; call the answer once it has its answer. */
  begin(socket: Socket): () => void;
  /** Sends the bytes and closes the socket within `closingMs`, whether or not the client closes its side too. */
  end(socket: Socket, bytes: string): void;
  count(): number;
}

/**
 * Watches the sockets of a server. Where there are more than `most`, the one that gives way is the oldest of those that
 * have shown nothing, else the oldest that is idle: sockets that are only held keep nobody from being served.
 */
export function watchConnections(
  server: Server,
  { most, closingMs }: { readonly most: number; readonly closingMs: number },
): Connections {
  // In the order in which they came.
  const open = new Map<Socket, Connection>();

  function victim(): Socket | null {
    let idle: Socket | null = null;
    for (const [socket, { isProven, busy }] of open) {
      if (!isProven) return socket;
      if (busy === 0) idle ??= socket;
    }
    return idle;
  }

  let isTrimming = false;

  /**
   * As soon as what came with the connections was read, so that who asks at once is not taken for one who only holds a
   * socket.
   */
  function trimSoon(): void {
    if (isTrimming) return;
    isTrimming = true;
    setImmediate(() => {
      setImmediate(trim);
    });
  }

  function trim(): void {
    isTrimming = false;
    for (let closed = victim(); open.size > most && closed !== null; closed = victim()) {
      open.delete(closed);
      closed.destroy();
    }
  }

  const peer = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  const shaking = new Map<string, Socket>();

  function add(socket: Socket): void {
    open.set(socket, { isProven: false, busy: 0 });
    socket.once('close', () => {
      open.delete(socket);
    });
    if (open.size > most) trimSoon();
  }

  server.on('connection', (socket: Socket) => {
    const from = peer(socket);
    shaking.set(from, socket);
    socket.once('close', () => {
      if (shaking.get(from) === socket) shaking.delete(from);
    });
    add(socket);
  });
  // Of a server that speaks TLS: requests come on a socket of their own, which takes the place of the one below it.
  server.on('secureConnection', (socket: Socket) => {
    const below = shaking.get(peer(socket));
    if (below !== undefined) open.delete(below);
    add(socket);
  });

  return {
    count: () => open.size,
    begin: (socket) => {
      const connection = open.get(socket);
      if (connection === undefined) return () => undefined;
      connection.isProven = true;
      connection.busy += 1;
      return () => {
        connection.busy -= 1;
      };
    },
    end: (socket, bytes) => {
      if (!socket.writable) {
        socket.destroy();
        return;
      }
      const late = setTimeout(() => {
        socket.destroy();
      }, closingMs);
      socket.once('close', () => {
        clearTimeout(late);
      });
      socket.end(bytes);
      // What was not read yet would take the answer from the client when the socket is closed.
      socket.resume();
    },
  };
}
