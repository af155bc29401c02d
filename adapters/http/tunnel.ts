import type { Socket } from 'node:net';
import { errorCode, networkWords } from './network-words.ts';
import { PROXY_REFUSED, PROXY_UNAVAILABLE, ProxyFailure } from './proxy-failure.ts';
import type { Hop } from './proxy.ts';

/** Bytes of a proxy's answer that are read. */
const HEAD_BYTES_MAX = 32_768;
const HEAD_END = '\r\n\r\n';
const STATUS = /^HTTP\/1\.[01] ([0-9]{3})(?![0-9])/;

/** Statuses of a proxy behind which a server cannot be reached at the moment. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const WANTS_LOGIN = 407;

/**
 * Asks a proxy, by an open connection to it, to be led to a server: nothing but what that server says comes by the
 * connection then. `authority`: host and port. Rejects with a `ProxyFailure`; the connection is its caller's to end.
 */
export async function askForTunnel(socket: Socket, hop: Hop, authority: string): Promise<void> {
  const login = hop.authorization === null ? '' : `Proxy-Authorization: ${hop.authorization}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n`);
  const head = await readHead(socket, hop);
  const status = Number(STATUS.exec(head)?.[1] ?? 0);
  if (status >= 200 && status < 300) return;
  if (status === 0) throw new ProxyFailure(PROXY_REFUSED, `proxy ${hop.place}: the answer is no HTTP`);
  throw new ProxyFailure(
    PASSING.has(status) ? PROXY_UNAVAILABLE : PROXY_REFUSED,
    `proxy ${hop.place} answered ${String(status)}${status === WANTS_LOGIN ? loginWords(hop) : ` for ${authority}`}`,
  );
}

function loginWords({ authorization }: Hop): string {
  return authorization === null ? ': it asks for a user and a password' : ': it does not take this user and password';
}

/** Host and port, as a request for a tunnel names them; `host` of an address of the newer kind with brackets. */
export function authorityOf(host: string, port: number): string {
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${String(port)}`;
}

/** What went wrong between this machine and a proxy. */
export function failureOnTheWay(error: unknown, { place }: Hop): ProxyFailure {
  return error instanceof ProxyFailure
    ? error
    : new ProxyFailure(errorCode(error) ?? PROXY_REFUSED, `proxy ${place}: ${networkWords(error)}`);
}

/** Everything up to the end of the answer's head; what comes behind it stays in the socket. */
function readHead(socket: Socket, hop: Hop): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = '';
    const settle = (act: () => void): void => {
      socket.off('readable', read);
      socket.off('error', failed);
      socket.off('close', closed);
      socket.off('end', closed);
      act();
    };
    const failed = (error: unknown): void => settle(() => reject(failureOnTheWay(error, hop)));
    const closed = (): void => failed({ code: 'ECONNRESET' });
    const read = (): void => {
      for (let piece: unknown = socket.read(); Buffer.isBuffer(piece); piece = socket.read()) {
        const text = head + piece.toString('latin1');
        const end = text.indexOf(HEAD_END);
        if (end < 0) {
          head = text;
          if (head.length <= HEAD_BYTES_MAX) continue;
          failed({ code: 'UND_ERR_HEADERS_OVERFLOW' });
          return;
        }
        const rest = Buffer.from(text.slice(end + HEAD_END.length), 'latin1');
        settle(() => {
          if (rest.length > 0) socket.unshift(rest);
          resolve(text.slice(0, end));
        });
        return;
      }
    };
    socket.on('readable', read);
    socket.on('error', failed);
    socket.once('close', closed);
    socket.once('end', closed);
  });
}
