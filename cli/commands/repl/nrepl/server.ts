import { createServer, type Socket } from 'node:net';
import { bencodeReader, encodeBencode, type ReadBencodeMap } from './bencode.ts';
import type { Operations } from './operations.ts';

/** Connections at a time; further ones are closed. */
const MOST_CONNECTIONS = 16;
/** Bytes of answers that nobody reads. */
const MOST_UNREAD = 16 * 1024 * 1024;
/** No other machine gets here: who is connected evaluates with what this session may. */
const HOST = '127.0.0.1';

export interface NreplServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

export interface NreplServerOptions {
  readonly port: number;
  readonly operations: Operations;
  readonly reportBug: (error: unknown) => Promise<void>;
}

/** Answers nREPL messages at an address of this machine; null: it cannot be listened on. */
export async function serveNrepl({ port, operations, reportBug }: NreplServerOptions): Promise<NreplServer | null> {
  const sockets = new Set<Socket>();

  function converse(socket: Socket): void {
    sockets.add(socket);
    const owner = {};
    const read = bencodeReader();
    const reply = (message: Parameters<typeof encodeBencode>[0]): void => {
      if (socket.writable) socket.write(encodeBencode(message));
      if (socket.writableLength > MOST_UNREAD) socket.destroy();
    };
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      let messages: readonly ReadBencodeMap[];
      try {
        messages = read(chunk);
      } catch {
        // What is no message ends the connection, before anything behind it is read: a browser may have sent it.
        socket.destroy();
        return;
      }
      for (const message of messages)
        operations.handle(message, owner, reply).catch((error: unknown) => {
          socket.destroy();
          void reportBug(error);
        });
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
      operations.leave(owner).catch((error: unknown) => void reportBug(error));
    });
  }

  const server = createServer((socket) => {
    if (sockets.size < MOST_CONNECTIONS) converse(socket);
    else socket.destroy();
  });
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => resolve(true));
  });
  const address = server.address();
  if (!isListening || address === null || typeof address === 'string') return null;
  return {
    port: address.port,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await operations.close();
    },
  };
}
