import { isIPv6, connect, type Socket } from 'node:net';

/** Addresses of one family that are tried. */
const FAMILY_MAX = 8;
/** Milliseconds after which the next address is tried beside the ones that have not answered yet. */
const NEXT_MS = 250;

export type Raced =
  | { readonly ok: true; readonly socket: Socket }
  | {
      readonly ok: false;
      readonly areAllRefused: boolean;
      /** Of the last that failed; null where none did. */
      readonly error: Error | null;
    };

/** Starts a connection. */
export type OpenSocket = (address: string, port: number) => Socket;

export const openSocket: OpenSocket = (address, port) =>
  connect({ host: address, port, noDelay: true, keepAlive: true });

/**
 * Connects to whichever address answers first: the families in turn, each a little after the one before, or as soon as
 * that has failed (providers.md §8). Whatever else was started is ended.
 */
export function race(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
  open: OpenSocket,
): Promise<Raced> {
  const waiting = inTurn(addresses);
  const tried = new Set<Socket>();
  let failures = 0;
  let refusals = 0;
  let last: Error | null = null;
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let isEnded = false;
    const end = (raced: Raced): void => {
      isEnded = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      waiting.length = 0;
      for (const socket of tried) if (!raced.ok || socket !== raced.socket) socket.destroy();
      tried.clear();
      resolve(raced);
    };
    const stop = (): void => end({ ok: false, areAllRefused: false, error: null });
    const next = (): void => {
      clearTimeout(timer);
      const address = waiting.shift();
      if (address === undefined) {
        if (tried.size === 0) end({ ok: false, areAllRefused: failures > 0 && refusals === failures, error: last });
        return;
      }
      const socket = open(address, port);
      if (isEnded) {
        socket.destroy();
        return;
      }
      tried.add(socket);
      socket.once('connect', () => {
        if (tried.has(socket)) end({ ok: true, socket });
      });
      socket.on('error', (error) => {
        if (!tried.delete(socket)) return;
        failures += 1;
        last = error;
        if ('code' in error && error.code === 'ECONNREFUSED') refusals += 1;
        next();
      });
      timer = setTimeout(next, NEXT_MS);
    };
    if (signal.aborted) stop();
    else {
      signal.addEventListener('abort', stop, { once: true });
      next();
    }
  });
}

/** At most so many of each family, the newer one first. */
function inTurn(addresses: readonly string[]): string[] {
  const newer = addresses.filter((address) => isIPv6(address)).slice(0, FAMILY_MAX);
  const older = addresses.filter((address) => !isIPv6(address)).slice(0, FAMILY_MAX);
  return Array.from({ length: Math.max(newer.length, older.length) }, (_, at) => [newer[at], older[at]])
    .flat()
    .filter((address) => address !== undefined);
}
