import { setTimeout as pause } from 'node:timers/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerReader } from '../../http/single-exchange.ts';
import type { JsonText } from '../../../contract/json/canonical.ts';
import type { Authorisation } from '../authorisation.ts';
import type { TransportFault } from '../exchanged.ts';
import { peek } from '../protocol/peek.ts';
import { cancelledNotification, INITIALIZED, type ClientInfo } from '../protocol/request.ts';
import { isSendable, type Headers } from '../protocol/request-headers.ts';
import { MESSAGE_BYTES_IN, type OlderRevision } from '../protocol/revision.ts';
import { answerToServer, type ServerQuestion } from '../protocol/server-request.ts';
import { mediaType } from './answer-reader.ts';
import { eventReader, type StreamPlace } from './event-stream.ts';
import type { Line, Sending } from './line.ts';

/** Answers to a server that are under way at a time, and requests of it that one stream may bring. */
const ANSWERS_MAX = 16;
const STREAM_REQUESTS_MAX = 128;
/** Milliseconds that what nobody waits for may take. */
const ASIDE_MS = 1000;
/** Milliseconds before a stream is asked for again, where its server does not say, and at most. */
const RETRY_MS = 1000;
const RETRY_MAX_MS = 30_000;
/** Streams in a row that bring nothing. */
const EMPTY_STREAMS_MAX = 8;

interface SessionTools {
  readonly line: Line;
  readonly authorisation: Pick<Authorisation, 'refused'>;
  readonly client: ClientInfo;
  /** Of the endpoint, with its port. */
  readonly host: string;
}

/** How long to wait before a stream that broke off is asked for again. */
export function retryMs({ retryMs: requested }: StreamPlace): number {
  return Math.min(requested ?? RETRY_MS, RETRY_MAX_MS);
}

/**
 * A session with a server of an earlier revision over HTTP (world.md §2.1): the headers that name it, the stream over
 * which its server may speak unasked, and what it receives beside requests: answers to what it asks, which calls nobody
 * waits for any more, and in the end that it is over.
 */
export class OlderSession {
  readonly #tools: SessionTools;
  readonly #aside = new Set<Promise<unknown>>();
  /** Ends the stream. */
  readonly #over = new AbortController();
  readonly #id: string | null;
  #revision: OlderRevision | null = null;
  #answering = 0;

  /** `id`: what the server calls it; null where it does not distinguish one session from another. */
  constructor(id: string | null, tools: SessionTools) {
    this.#id = id;
    this.#tools = tools;
  }

  get id(): string | null {
    return this.#id;
  }

  /** Those of every request that belongs to it. */
  get headers(): Headers {
    return {
      ...(this.#id !== null && { 'mcp-session-id': this.#id }),
      ...(this.#revision !== null && { 'mcp-protocol-version': this.#revision }),
    };
  }

  /** Informs the server that the session has started, and listens to it. */
  async agree(revision: OlderRevision, signal: AbortSignal): Promise<TransportFault | null> {
    this.#revision = revision;
    const fault = await this.#notify(INITIALIZED, signal);
    if (fault === null) this.#doAside(this.#listen());
    return fault;
  }

  /** Answers what the server asks; false where it asks for more than is answered at a time. */
  answerServer(question: ServerQuestion): boolean {
    if (this.#answering >= ANSWERS_MAX) return false;
    this.#answering += 1;
    this.#doAside(
      this.#notify(answerToServer(question), AbortSignal.timeout(ASIDE_MS)).finally(() => {
        this.#answering -= 1;
      }),
    );
    return true;
  }

  /** Informs the server that nobody waits for an answer any more: that the connection ended does not say it here. */
  cancel(requestId: number): void {
    if (this.#revision === null) return;
    const text = cancelledNotification(this.#tools.client, this.#revision, requestId, 'the caller no longer waits');
    this.#doAside(this.#notify(text, AbortSignal.timeout(ASIDE_MS)));
  }

  /** Ends the stream, and what is under way. */
  async stop(): Promise<void> {
    this.#over.abort();
    while (this.#aside.size > 0) await Promise.all(this.#aside);
  }

  /** Informs the server that the session is over, whatever it makes of that. */
  async end(): Promise<void> {
    await this.stop();
    if (this.#id === null) return;
    const headers = { accept: 'application/json', ...this.headers };
    await this.#tools.line(this.#sending('DELETE', null, headers, AbortSignal.timeout(ASIDE_MS)), {
      head: () => false,
      data: () => false,
    });
  }

  #doAside(work: Promise<unknown>): void {
    const done = work.finally(() => this.#aside.delete(done));
    this.#aside.add(done);
  }

  #sending(method: Sending['method'], body: JsonText | null, own: Headers, signal: AbortSignal): Sending {
    const { host } = this.#tools;
    const added: Headers = { host, connection: 'close', 'content-length': String(Buffer.byteLength(body ?? '')) };
    return {
      method,
      body,
      signal,
      headers: (authorisation) => {
        const headers = { ...own, ...authorisation };
        return isSendable({ ...headers, ...added }) ? headers : null;
      },
    };
  }

  /** A message that is not answered. */
  async #notify(text: JsonText, signal: AbortSignal): Promise<TransportFault | null> {
    const { line, authorisation } = this.#tools;
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...this.headers,
    };
    const answered: { status: number; headers: IncomingHttpHeaders } = { status: 0, headers: {} };
    const reader: AnswerReader = {
      head: (status, headers) => {
        answered.status = status;
        answered.headers = headers;
        return false;
      },
      data: () => false,
    };
    const sent = await line(this.#sending('POST', text, headers, signal), reader);
    if (sent.kind === 'unsent') return sent.fault;
    const { status } = answered;
    if (status === 401 || status === 403) return authorisation.refused(sent.allowed, status, answered.headers);
    if (status >= 200 && status < 300) return null;
    return signal.aborted ? 'timeout' : 'unanswered';
  }

  /**
   * Listens to what the server says unasked, as long as it says something: requests are answered, notifications
   * counted. A server that has no such stream, or says more over it than one answer may bring, is not listened to.
   */
  async #listen(): Promise<void> {
    const signal = this.#over.signal;
    let place: StreamPlace = { lastEventId: '', retryMs: null };
    for (let empty = 0; empty < EMPTY_STREAMS_MAX && !signal.aborted;) {
      const stream = this.#streamReader();
      const headers = {
        accept: 'text/event-stream',
        ...this.headers,
        ...(place.lastEventId !== '' && { 'last-event-id': place.lastEventId }),
      };
      await this.#tools.line(this.#sending('GET', null, headers, signal), stream.reader);
      const { lastEventId, retryMs: requested } = stream.place();
      if (!stream.isUsable()) return;
      place = {
        lastEventId: lastEventId === '' ? place.lastEventId : lastEventId,
        retryMs: requested ?? place.retryMs,
      };
      empty = stream.hasSpoken() ? 0 : empty + 1;
      await pause(retryMs(place), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  #streamReader(): {
    readonly reader: AnswerReader;
    readonly place: () => StreamPlace;
    readonly isUsable: () => boolean;
    readonly hasSpoken: () => boolean;
  } {
    const events = eventReader(MESSAGE_BYTES_IN);
    const seen = { isUsable: false, bytes: 0, requests: 0 };
    const refuse = (): false => {
      seen.isUsable = false;
      return false;
    };
    const receive = (data: Uint8Array): boolean => {
      const peeked = data.length === 0 ? null : peek(data);
      if (peeked?.question === null || peeked === null) return true;
      seen.requests += 1;
      return (seen.requests <= STREAM_REQUESTS_MAX && this.answerServer(peeked.question)) || refuse();
    };
    return {
      reader: {
        head: (status, headers) => {
          seen.isUsable = status === 200 && mediaType(headers) === 'text/event-stream';
          return seen.isUsable;
        },
        data: (piece) => {
          seen.bytes += piece.length;
          if (seen.bytes > MESSAGE_BYTES_IN) return refuse();
          events.take(piece, ({ data }) => receive(data));
          return seen.isUsable;
        },
      },
      place: () => events.place(),
      isUsable: () => seen.isUsable,
      hasSpoken: () => seen.bytes > 0,
    };
  }
}
