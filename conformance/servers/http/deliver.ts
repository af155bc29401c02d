import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** How the bytes of an answer travel. */
export interface Delivery {
  /** Milliseconds before the first byte. */
  readonly delayMs?: number;
  /** Bytes of each write; absent: one write. */
  readonly split?: number;
  /** Milliseconds between two writes. */
  readonly pauseMs?: number;
  /** The connection is cut after so many bytes of the body. */
  readonly cutAfter?: number;
}

/** What any server over HTTP can do wrong. */
export const FAULTS = {
  reset: 'the connection is reset before anything is answered',
  silent: 'the request is read and never answered',
  half_closed: 'the connection is closed in order before anything is answered',
  not_json: 'an answer of status 200 that is no JSON',
  empty: 'an answer of status 200 without a body',
  huge: 'a whole answer of 5 MiB',
  endless: 'a body that never ends',
  endless_headers: 'headers that never end',
  endless_chunks: 'chunks of one byte each, without end',
  endless_extension: 'a chunk whose extension never ends',
  endless_trailers: 'a whole answer with trailers that never end',
  trickling_headers: 'headers without end, a small one each 5 ms',
  compressed: 'a whole answer of 1 MiB, in gzip, that would be 1 GiB',
  endless_informational: 'answers of status 103 that never end',
  slow: 'an answer that comes byte by byte, one each 50 ms',
  garbage: 'bytes that are no HTTP',
} as const;
export type Fault = keyof typeof FAULTS;

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Writes an answer as its delivery says. Ends early when the client is gone. */
export async function deliver(
  response: ServerResponse,
  status: number,
  headers: AnswerHeaders,
  body: string,
  delivery: Delivery = {},
): Promise<void> {
  const bytes = Buffer.from(body);
  // Nobody waits for an answer whose server is gone.
  if (delivery.delayMs !== undefined) await pause(delivery.delayMs, undefined, { ref: false });
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...written(headers),
  });
  const step = delivery.split ?? Math.max(bytes.length, 1);
  const end = Math.min(delivery.cutAfter ?? bytes.length, bytes.length);
  for (let at = 0; at < end && !response.destroyed; at += step) {
    response.write(bytes.subarray(at, Math.min(at + step, end)));
    if (delivery.pauseMs !== undefined) await pause(delivery.pauseMs);
    else if (delivery.split !== undefined) await new Promise(setImmediate);
  }
  if (delivery.cutAfter === undefined) response.end();
  else response.socket?.end();
}

const HUGE_BYTES = 5 * 1024 * 1024;
const CHUNK = 'x'.repeat(65_536);

/** Does what the fault says to one request. `whole` is the body of an ordinary answer. */
export async function fail(response: ServerResponse, fault: Fault, whole: string): Promise<void> {
  const { socket } = response;
  switch (fault) {
    case 'reset':
      socket?.resetAndDestroy();
      return;
    case 'silent':
      return;
    case 'half_closed':
      socket?.end();
      return;
    case 'not_json':
      return deliver(response, 200, { 'content-type': 'text/html' }, '<html><body>It works!</body></html>');
    case 'empty':
      return deliver(response, 200, {}, '');
    case 'huge':
      return deliver(response, 200, {}, `{"padding":"${'x'.repeat(HUGE_BYTES)}"}`);
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"padding":"');
      return pour(() => response.write(CHUNK), response);
    case 'endless_headers':
      socket?.write('HTTP/1.1 200 OK\r\n');
      return pour(() => socket?.write(`x-padding: ${CHUNK}\r\n`) ?? true, response);
    case 'endless_informational':
      return pour(
        () => socket?.write('HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n'.repeat(1000)) ?? true,
        response,
      );
    case 'endless_chunks':
      socket?.write(CHUNKED);
      return pour(() => socket?.write('1\r\nx\r\n'.repeat(10_000)) ?? true, response);
    case 'endless_extension':
      socket?.write(`${CHUNKED}1;`);
      return pour(() => socket?.write(CHUNK) ?? true, response);
    case 'endless_trailers':
      socket?.write(`${CHUNKED}${whole.length.toString(16)}\r\n${whole}\r\n0\r\n`);
      return pour(() => socket?.write(`x-padding: ${CHUNK}\r\n`) ?? true, response);
    case 'trickling_headers':
      socket?.write('HTTP/1.1 200 OK\r\n');
      return pour(
        () => socket?.write('x-small: 1\r\n') ?? true,
        response,
        () => pause(5),
      );
    case 'compressed':
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(Buffer.concat(Array<Buffer>(1024).fill(gzipSync(Buffer.alloc(1024 * 1024, ' ')))));
      return;
    case 'slow':
      return deliver(response, 200, {}, whole, { split: 1, pauseMs: 50 });
    case 'garbage':
      socket?.end('\u0000\u0001 this is no HTTP\r\n\r\n');
      return;
  }
}

/** Node takes several values of one header as an array that may be written to. */
export function written(headers: AnswerHeaders): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
}

const CHUNKED = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';

/** Writes until the client is gone, never more than it takes. `breath`: between two writes. */
export async function pour(
  write: () => boolean,
  response: ServerResponse,
  breath: () => Promise<unknown> = () => new Promise(setImmediate),
): Promise<void> {
  const { socket } = response;
  if (socket === null) return;
  const closed = once(socket, 'close');
  while (!socket.destroyed) {
    const next = write() ? breath() : once(socket, 'drain');
    await Promise.race([next, closed]);
  }
}
