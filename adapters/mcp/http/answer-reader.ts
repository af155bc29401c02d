import type { IncomingHttpHeaders } from 'node:http';
import { collectedBytes } from '../../http/collected-bytes.ts';
import type { AnswerReader } from '../../http/single-exchange.ts';
import type { TransportFault } from '../exchanged.ts';
import { peek } from '../protocol/peek.ts';
import type { ServerRequest } from '../protocol/request.ts';
import { MESSAGE_BYTES_IN } from '../protocol/revision.ts';
import type { AskedByServer } from '../protocol/server-request.ts';
import { eventReader, type EventReader, type StreamPlace } from './event-stream.ts';

/** What reading an answer came to. */
export type ReadAnswer =
  | { readonly kind: 'message'; readonly bytes: Uint8Array; readonly status: number; readonly session: string | null }
  /** `said`: what people read about it; absent: what the fault says. */
  | { readonly kind: 'fault'; readonly fault: TransportFault; readonly said?: string }
  /** A status that is about who asks. */
  | { readonly kind: 'unauthorised'; readonly status: 401 | 403; readonly headers: IncomingHttpHeaders }
  /** The stream ended before the answer, at a place from which it can be asked for again. */
  | { readonly kind: 'interrupted'; readonly place: StreamPlace };

export interface MessageReader {
  /** Reads one answer of HTTP, or what a stream that broke off goes on with. */
  next(): AnswerReader;
  /** Once nothing more comes; `isWhole` as the exchange reports it. */
  end(isWhole: boolean): ReadAnswer;
}

/** Statuses that say something of who asks, or that the server can do nothing just now. */
const OTHER_CLIENT_FAULTS: ReadonlySet<number> = new Set([401, 403, 408, 429]);

/**
 * Statuses by which a server says that it does not know a method or a revision: those of its own, and, of servers of
 * earlier revisions, whatever they refuse a request with that comes before its session (providers.md §7.3, world.md
 * §2.1).
 */
export function isRefusedStart(method: ServerRequest['method'], status: number): boolean {
  const isStart = method === 'server/discover' || method === 'initialize';
  return isStart && status >= 400 && status < 500 && !OTHER_CLIENT_FAULTS.has(status);
}

export interface ReadingTerms extends Pick<ServerRequest, 'id' | 'method'> {
  /** Takes what the server asks meanwhile; false where that is too much. Null: it may ask nothing. */
  readonly answerServer: ((asked: AskedByServer) => boolean) | null;
  /** The session that the request belongs to is named in it. */
  readonly hasSession: boolean;
}

/** A name that can be sent back, as the protocol wants it. */
const SESSION = /^[\x21-\x7e]{1,1024}$/;

/**
 * Reads the one message that answers a request, as JSON or as the first answer of a stream, in at most 2 MiB of body
 * (providers.md §7.1, §8).
 */
export function messageReader({ id, method, answerServer, hasSession }: ReadingTerms): MessageReader {
  let found: ReadAnswer | null = null;
  let status = 0;
  let session: string | null = null;
  let bytes = 0;
  let stream: EventReader | null = null;
  /** Of streams that broke off before. */
  let before: StreamPlace = { lastEventId: '', retryMs: null };
  let body = collectedBytes(MESSAGE_BYTES_IN);
  const settle = (answer: ReadAnswer): false => {
    found ??= answer;
    return false;
  };
  const fault = (name: TransportFault): false => settle({ kind: 'fault', fault: name });

  function receive(data: Uint8Array): boolean {
    if (data.length === 0) return true;
    const peeked = peek(data);
    if (peeked === null) return fault('malformed');
    if (peeked.hasMethod && peeked.id !== undefined) {
      if (answerServer === null || peeked.asked === null) return fault('malformed');
      return answerServer(peeked.asked) || fault('oversize');
    }
    if (peeked.hasMethod) return true;
    return peeked.id === id ? settle({ kind: 'message', bytes: data, status, session }) : fault('malformed');
  }

  function head(code: number, headers: IncomingHttpHeaders): boolean {
    status = code;
    if (code === 401 || code === 403) return settle({ kind: 'unauthorised', status: code, headers });
    if (code === 404 && hasSession) return fault('session_ended');
    const type = mediaType(headers);
    if (isRefusedStart(method, code)) {
      // A page that informs people of it says nothing more.
      return (
        type === 'application/json' || settle({ kind: 'message', bytes: new Uint8Array(0), status: code, session })
      );
    }
    if (code !== 200) return settle({ kind: 'fault', fault: 'unanswered', said: `HTTP ${code}` });
    const { 'mcp-session-id': named } = headers;
    if (method === 'initialize' && named !== undefined) {
      if (typeof named !== 'string' || !SESSION.test(named)) return fault('malformed');
      session = named;
    }
    if (type === 'text/event-stream') stream = eventReader(MESSAGE_BYTES_IN);
    else if (type !== 'application/json' || stream !== null) return fault('malformed');
    return true;
  }

  return {
    next: () => {
      before = placeOf(stream, before);
      return {
        // It says all, whatever would follow.
        statusLine: (code) => (code === 401 ? settle({ kind: 'unauthorised', status: code, headers: {} }) : true),
        head,
        data: (piece) => {
          bytes += piece.length;
          if (stream === null) return body.add(piece) || fault('oversize');
          // Of a piece that goes beyond, what comes before the bound counts.
          const fitting = piece.subarray(0, piece.length - Math.max(0, bytes - MESSAGE_BYTES_IN));
          stream.take(fitting, ({ type, data }) => (type === '' || type === 'message' ? receive(data) : true));
          if (found !== null) return false;
          return bytes <= MESSAGE_BYTES_IN || fault('oversize');
        },
      };
    },
    end: (isWhole) => {
      if (found !== null) return found;
      const place = placeOf(stream, before);
      // Only what a server said it would keep can be asked for again.
      if (place.lastEventId !== '' && answerServer !== null) return { kind: 'interrupted', place };
      if (!isWhole || stream !== null) return { kind: 'fault', fault: 'unanswered' };
      const message = body.bytes();
      body = collectedBytes(0);
      return { kind: 'message', bytes: message, status, session };
    },
  };
}

/** An id and a pause hold until another one comes. */
function placeOf(stream: EventReader | null, before: StreamPlace): StreamPlace {
  const { lastEventId, retryMs } = stream?.place() ?? before;
  return {
    lastEventId: lastEventId === '' ? before.lastEventId : lastEventId,
    retryMs: retryMs ?? before.retryMs,
  };
}

/** Null where there is none, several, or a body that would have to be decoded first. */
export function mediaType(headers: IncomingHttpHeaders): string | null {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = headers;
  if (typeof type !== 'string' || encoding.toLowerCase() !== 'identity') return null;
  const [media = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isUtf8 = parameters.every(
    (parameter) => !parameter.startsWith('charset=') || /^charset="?utf-8"?$/.test(parameter),
  );
  return isUtf8 ? media : null;
}
