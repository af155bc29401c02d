import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What no longer goes through: what is asked, what is answered, or neither. */
export type Cut = 'requests' | 'answers' | 'both';

/** A way to a server on which packets may be lost without either end being told. */
export interface Link {
  readonly port: number;
  /** From now on, also of connections that are made meanwhile. */
  cut(what: Cut): void;
  /** What was held up arrives late. */
  mend(): void;
  close(): Promise<void>;
}

interface Direction {
  readonly from: Socket;
  readonly what: 'requests' | 'answers';
}

/** To a server that listens on a socket of the file system. */
export async function severableLink(socket: string): Promise<Link> {
  let cut: Cut | null = null;
  const directions = new Set<Direction>();
  const isCut = ({ what }: Direction): boolean => cut === 'both' || cut === what;

  function forward(direction: Direction, to: Socket): void {
    const { from } = direction;
    directions.add(direction);
    from.on('data', (chunk: Buffer) => void to.write(chunk));
    from.on('end', () => void to.end());
    from.on('error', () => undefined);
    from.on('close', () => {
      directions.delete(direction);
      // Nobody learns of an end that lies behind a cut.
      if (cut === null) to.destroy();
    });
    if (isCut(direction)) from.pause();
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ path: socket, allowHalfOpen: true });
    forward({ from: client, what: 'requests' }, upstream);
    forward({ from: upstream, what: 'answers' }, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a link has a port');
  return {
    port: address.port,
    cut: (what) => {
      cut = what;
      for (const direction of directions) if (isCut(direction)) direction.from.pause();
    },
    mend: () => {
      cut = null;
      for (const { from } of directions) from.resume();
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const { from } of directions) from.destroy();
      await closed;
    },
  };
}
