import { Client, type Dispatcher } from 'undici';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { dial, type DialFault, type DialTools } from './dial.ts';
import { networkWords } from './network-words.ts';
import { timedOut } from './timed-out.ts';

export interface SingleRequest {
  readonly url: URL;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The one deadline of everything, and the caller's wish to end it. */
  readonly signal: AbortSignal;
  /** Of `dial`. */
  readonly admits: ((address: string) => boolean) | null;
}

/**
 * What reads an answer while it comes. Every function says whether more is wanted; where not, the connection is ended.
 */
export interface AnswerReader {
  /** As soon as the first line is there. */
  readonly statusLine?: (status: number) => boolean;
  readonly head: (status: number, headers: IncomingHttpHeaders) => boolean;
  readonly data: (piece: Uint8Array) => boolean;
}

/** Why an exchange came to no end. */
export type HttpFault =
  | Exclude<DialFault, 'stopped'>
  | 'timeout'
  | 'cancelled'
  /** The connection broke off, or what came is no HTTP, or more of it than there may be. */
  | 'broken';

export type SingleEnd =
  /** `isWhole`: the answer came to its end; else its reader wanted no more. */
  | { readonly ok: true; readonly isWhole: boolean }
  /** `isSent`: whether a connection was there and was given the request; `said`: what happened, null for nothing. */
  | { readonly ok: false; readonly fault: HttpFault; readonly isSent: boolean; readonly said: string | null };

const HEADER_BYTES_MAX = 32_768;
const HEADERS_MAX = 64;
/** Answers that announce another one. */
const INFORMATIONAL_MAX = 16;
const TOO_MANY_HEADERS = 'headers of the answer are too long';

/**
 * One request over a connection of its own: no redirect, proxy, cookie or compression (providers.md §8). Never rejects,
 * and leaves no socket behind.
 */
export async function exchangeOnce(request: SingleRequest, reader: AnswerReader, tools: DialTools): Promise<SingleEnd> {
  const { signal, url } = request;
  const ended = (): HttpFault => (timedOut(signal) ? 'timeout' : 'cancelled');
  const dialled = await dial(url, tools, signal, request.admits);
  if (!dialled.ok) {
    const { fault, said } = dialled;
    return { ok: false, fault: fault === 'stopped' ? ended() : fault, isSent: false, said };
  }
  const { socket } = dialled;
  if (signal.aborted) {
    socket.destroy();
    return { ok: false, fault: ended(), isSent: false, said: null };
  }
  const client = new Client(url.origin, {
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    allowH2: false,
    connect: once(socket),
  });
  const stop = { now: (): void => undefined };
  const end = await new Promise<SingleEnd>((resolve) => {
    let isSent = false;
    stop.now = () => resolve({ ok: false, fault: ended(), isSent, said: null });
    signal.addEventListener('abort', stop.now, { once: true });
    spyStatus(socket, (status) => {
      if (reader.statusLine?.(status) === false) resolve({ ok: true, isWhole: false });
    });
    const handler = handlerOf(
      reader,
      resolve,
      () => {
        isSent = true;
      },
      () => isSent,
    );
    const { pathname, search } = url;
    try {
      client.dispatch(
        { path: pathname + search, method: request.method, headers: request.headers, body: request.body, reset: true },
        handler,
      );
    } catch {
      // A header that cannot be written.
      resolve({ ok: false, fault: 'broken', isSent: false, said: null });
    }
  });
  signal.removeEventListener('abort', stop.now);
  await client.destroy().catch(() => undefined);
  socket.destroy();
  return end;
}

function handlerOf(
  reader: AnswerReader,
  settle: (end: SingleEnd) => void,
  sent: () => void,
  isSent: () => boolean,
): Dispatcher.DispatchHandler {
  let [headers, informational] = [0, 0];
  let isEnough = false;
  const enough = (controller: Dispatcher.DispatchController, end: SingleEnd): void => {
    isEnough = true;
    settle(end);
    controller.abort(new Error('nothing more is wanted'));
  };
  return {
    onRequestStart: sent,
    onResponseStart: (controller, status, input) => {
      headers += Array.isArray(controller.rawHeaders) ? controller.rawHeaders.length / 2 : 0;
      if (status < 200) informational += 1;
      if (headers > HEADERS_MAX || informational > INFORMATIONAL_MAX)
        enough(controller, { ok: false, fault: 'broken', isSent: true, said: TOO_MANY_HEADERS });
      else if (status >= 200 && !reader.head(status, input)) enough(controller, { ok: true, isWhole: false });
    },
    onResponseData: (controller, piece) => {
      if (!isEnough && !reader.data(piece)) enough(controller, { ok: true, isWhole: false });
    },
    onResponseEnd: () => settle({ ok: true, isWhole: true }),
    onResponseError: (_, error) => settle({ ok: false, fault: 'broken', isSent: isSent(), said: networkWords(error) }),
  };
}

/** Passes the one connection that there is; nobody gets another. */
function once(
  socket: Socket,
): (options: unknown, callback: (...result: [Error, null] | [null, Socket]) => void) => void {
  let isProvided = false;
  return (_, callback) => {
    if (isProvided) {
      callback(new Error('the connection is gone'), null);
      return;
    }
    isProvided = true;
    // Not while the client is still at asking.
    queueMicrotask(() => callback(null, socket));
  };
}

const STATUS_LINE = /^HTTP\/1\.[01] ([0-9]{3})/;
const STATUS_BYTES = 12;

/** Reports the first status as soon as its digits are there: anyone who reads the connection reads through this. */
function spyStatus(socket: Socket, report: (status: number) => void): void {
  const read = socket.read.bind(socket);
  let seen = '';
  socket.read = (size?: number): unknown => {
    const piece: unknown = read(size);
    if (seen.length < STATUS_BYTES && Buffer.isBuffer(piece)) {
      seen += piece.toString('latin1', 0, STATUS_BYTES - seen.length);
      const [, status] = STATUS_LINE.exec(seen) ?? [];
      if (status !== undefined) report(Number(status));
    }
    return piece;
  };
}
