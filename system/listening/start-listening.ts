import type { Server } from 'node:http';

/** Why an address cannot be had. */
export type ListenFault = 'port_in_use' | 'port_forbidden' | 'address_unusable';

/** The port that a server listens on, which the system chose where 0 was asked for. */
export async function startListening(
  server: Server,
  at: { readonly host: string; readonly port: number; readonly ipv6Only?: boolean },
): Promise<number | ListenFault> {
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(faultOf(code));
    });
    server.listen(at, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : 'address_unusable');
    });
  });
}

function faultOf(errno: string | undefined): ListenFault {
  switch (errno) {
    case 'EADDRINUSE':
      return 'port_in_use';
    case 'EACCES':
    case 'EPERM':
      return 'port_forbidden';
    default:
      return 'address_unusable';
  }
}
