import type { IncomingHttpHeaders } from 'node:http';
import { collectedBytes } from '../../http/collected-bytes.ts';
import type { AnswerReader } from '../../http/single-exchange.ts';
import type { TransportFault } from '../exchanged.ts';
import { peek } from '../protocol/peek.ts';
import type { ServerRequest } from '../protocol/request.ts';
import { MESSAGE_BYTES_IN } from '../protocol/revision.ts';
import type { ServerQuestion } from '../protocol/server-request.ts';
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
  readonly answerServer: ((question: ServerQuestion) => boolean) | null;
  /** The session that the request belongs to is named in it. */
  readonly hasSession: boolean;
}

/** A name that can be sent back, as the protocol wants it. */
const SESSION = /^[\x21-\x7e]{1,1024}$/;

/**
 * Reads the one message that answers a request, as JSON or as the first answer of a stream, in at most 2 MiB of body
 * (providers.md §7.1, §8).
 */
export function messageReader(terms: ReadingTerms): MessageReader {
  return new Reading(terms);
}

class Reading implements MessageReader {
  readonly #terms: ReadingTerms;
  #found: ReadAnswer | null = null;
  #status = 0;
  #session: string | null = null;
  #bytes = 0;
  #stream: EventReader | null = null;
  /** Of streams that broke off before. */
  #before: StreamPlace = { lastEventId: '', retryMs: null };
  #body = collectedBytes(MESSAGE_BYTES_IN);

  constructor(terms: ReadingTerms) {
    this.#terms = terms;
  }

  next(): AnswerReader {
    this.#before = placeOf(this.#stream, this.#before);
    return {
      // It says all, whatever would follow.
      statusLine: (code) => (code === 401 ? this.#settle({ kind: 'unauthorised', status: code, headers: {} }) : true),
      head: (code, headers) => this.#head(code, headers),
      data: (piece) => this.#data(piece),
    };
  }

  end(isWhole: boolean): ReadAnswer {
    if (this.#found !== null) return this.#found;
    const place = placeOf(this.#stream, this.#before);
    // Only what a server said it would keep can be asked for again.
    if (place.lastEventId !== '' && this.#terms.answerServer !== null) return { kind: 'interrupted', place };
    if (!isWhole || this.#stream !== null) return { kind: 'fault', fault: 'unanswered' };
    const message = this.#body.bytes();
    this.#body = collectedBytes(0);
    return this.#message(message);
  }

  #head(code: number, headers: IncomingHttpHeaders): boolean {
    const { method, hasSession } = this.#terms;
    this.#status = code;
    if (code === 401 || code === 403) return this.#settle({ kind: 'unauthorised', status: code, headers });
    if (code === 404 && hasSession) return this.#fault('session_ended');
    const type = mediaType(headers);
    // A page that informs people of it says nothing more.
    if (isRefusedStart(method, code))
      return type === 'application/json' || this.#settle(this.#message(new Uint8Array(0)));
    if (code !== 200) return this.#settle({ kind: 'fault', fault: 'unanswered', said: `HTTP ${code}` });
    if (method === 'initialize' && !this.#joins(headers)) return this.#fault('malformed');
    if (type === 'text/event-stream') this.#stream = eventReader(MESSAGE_BYTES_IN);
    else if (type !== 'application/json' || this.#stream !== null) return this.#fault('malformed');
    return true;
  }

  /** Keeps the session that a server names; false for a name that cannot be sent back. */
  #joins({ 'mcp-session-id': named }: IncomingHttpHeaders): boolean {
    if (named === undefined) return true;
    if (typeof named !== 'string' || !SESSION.test(named)) return false;
    this.#session = named;
    return true;
  }

  #data(piece: Uint8Array): boolean {
    this.#bytes += piece.length;
    if (this.#stream === null) return this.#body.add(piece) || this.#fault('oversize');
    // Of a piece that goes beyond, what comes before the bound counts.
    const fitting = piece.subarray(0, piece.length - Math.max(0, this.#bytes - MESSAGE_BYTES_IN));
    this.#stream.take(fitting, ({ type, data }) => (type === '' || type === 'message' ? this.#receive(data) : true));
    if (this.#found !== null) return false;
    return this.#bytes <= MESSAGE_BYTES_IN || this.#fault('oversize');
  }

  /** A message of a stream. */
  #receive(data: Uint8Array): boolean {
    if (data.length === 0) return true;
    const { id, answerServer } = this.#terms;
    const peeked = peek(data);
    if (peeked === null) return this.#fault('malformed');
    if (peeked.hasMethod && peeked.id !== undefined) {
      if (answerServer === null || peeked.question === null) return this.#fault('malformed');
      return answerServer(peeked.question) || this.#fault('oversize');
    }
    if (peeked.hasMethod) return true;
    return peeked.id === id ? this.#settle(this.#message(data)) : this.#fault('malformed');
  }

  #message(bytes: Uint8Array): ReadAnswer {
    return { kind: 'message', bytes, status: this.#status, session: this.#session };
  }

  #fault(fault: TransportFault): false {
    return this.#settle({ kind: 'fault', fault });
  }

  /** The first that is found counts; nothing more is wanted behind it. */
  #settle(answer: ReadAnswer): false {
    this.#found ??= answer;
    return false;
  }
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
