import { setTimeout as pause } from 'node:timers/promises';
import { ANSWER_SECRET_BYTES, Scrubber } from '../../../contract/provider-protocol/scrubber.ts';
import type { DialTools } from '../../http/dial.ts';
import { timedOut } from '../../http/timed-out.ts';
import type { Exchanged, TransportFault } from '../exchanged.ts';
import type { Connection } from '../transport.ts';
import type { Authorisation } from '../authorisation.ts';
import type { ClientInfo, ServerRequest } from '../protocol/request.ts';
import { isSendable, requestHeaders } from '../protocol/request-headers.ts';
import { isOlder, type RevisionPolicy } from '../protocol/revision.ts';
import { messageReader, type ReadAnswer, type ReadingTerms } from './answer-reader.ts';
import type { StreamPlace } from './event-stream.ts';
import { HTTP_FAULTS } from './http-faults.ts';
import { httpLine, type Sending } from './line.ts';
import { OlderSession, retryMs } from './older-session.ts';

/** Times that one stream is asked for again. */
const RESUMPTIONS_MAX = 128;

interface HttpTerms {
  readonly client: ClientInfo;
  readonly revisions: RevisionPolicy;
}

/**
 * A server over HTTP: each request has a connection of its own, so that there is nothing to open (providers.md §8).
 * Servers of earlier revisions keep a session meanwhile (world.md §2.1).
 */
export function httpConnection(
  endpoint: string,
  authorisation: Authorisation,
  tools: DialTools,
  { client, revisions }: HttpTerms,
): Connection {
  const url = new URL(endpoint);
  const closed = new AbortController();
  const running = new Set<Promise<unknown>>();
  const line = httpLine(url, authorisation, tools);
  const sessionOf = (id: string | null): OlderSession =>
    new OlderSession(id, { line, authorisation, client, host: url.host });
  let session: OlderSession | null = null;
  // Each request has a connection of its own: no server is gone before it is closed.
  const { promise: ended, resolve: reportEnd } = Promise.withResolvers<void>();

  async function exchange(request: ServerRequest, signal: AbortSignal): Promise<Exchanged> {
    if (closed.signal.aborted) return failed('released', false);
    if (signal.aborted) return failed(timedOut(signal) ? 'timeout' : 'cancelled', false);
    const used = request.method === 'initialize' ? null : session;
    const reader = messageReader({
      id: request.id,
      method: request.method,
      answerServer: answererOf(request, used, revisions),
      hasSession: used !== null && used.id !== null,
    });
    const either = AbortSignal.any([signal, closed.signal]);
    let place: StreamPlace | null = null;
    for (let resumptions = 0; ; resumptions += 1) {
      const sent = await line(
        sendingOf(request, { place, session: used, host: url.host, signal: either }),
        reader.next(),
      );
      if (sent.kind === 'unsent') return failed(sent.fault, place !== null);
      const { end, allowed } = sent;
      // What a reader found is valid, however the connection ended behind it.
      const read = reader.end(end.ok && end.isWhole);
      if (read.kind === 'interrupted' && !either.aborted && resumptions < RESUMPTIONS_MAX) {
        ({ place } = read);
        await pause(retryMs(place), undefined, { signal: either, ref: false }).catch(() => undefined);
        continue;
      }
      if (!end.ok && !(read.kind === 'unauthorised' || read.kind === 'message')) {
        const fault = HTTP_FAULTS[end.fault];
        if (end.isSent && (fault === 'timeout' || fault === 'cancelled') && request.method !== 'initialize')
          used?.cancel(request.id);
        return failed(fault, end.isSent || place !== null, end.said);
      }
      if (read.kind === 'message' && request.method === 'initialize') await begin(read.session);
      const name = used?.id ?? null;
      const tokens = [...allowed.tokens, ...(name === null ? [] : [name])];
      const heard = read.kind === 'message' ? { ...read, bytes: withoutTokens(read.bytes, tokens) } : read;
      return awaitAnswer(heard, async (status, headers) => authorisation.refused(allowed, status, headers));
    }
  }

  /** What the server said before is over. */
  async function begin(id: string | null): Promise<void> {
    await session?.stop();
    session = sessionOf(id);
  }

  return {
    exchange: async (request, signal) => {
      const exchanging = exchange(request, signal);
      running.add(exchanging);
      try {
        return await exchanging;
      } finally {
        running.delete(exchanging);
      }
    },
    agree: async (revision, signal) => {
      if (!isOlder(revision)) return null;
      session ??= sessionOf(null);
      return session.agree(revision, AbortSignal.any([signal, closed.signal]));
    },
    ended,
    lastWords: async () => ({ end: null, stderr: null }),
    close: async () => {
      closed.abort();
      reportEnd();
      await Promise.all(running);
      await session?.end();
      return true;
    },
  };
}

/** A server may ask something back while it works at a request of an earlier revision. */
function answererOf(
  { method, revision }: ServerRequest,
  session: OlderSession | null,
  revisions: RevisionPolicy,
): ReadingTerms['answerServer'] {
  if (revisions !== 'auto' || method === 'server/discover' || !isOlder(revision)) return null;
  // Before the session is known nobody can be answered; that is no reason to refuse its beginning.
  return session === null ? () => true : (question) => session.answerServer(question);
}

function sendingOf(
  request: ServerRequest,
  {
    place,
    session,
    host,
    signal,
  }: {
    readonly place: StreamPlace | null;
    readonly session: OlderSession | null;
    readonly host: string;
    readonly signal: AbortSignal;
  },
): Sending {
  const own = session?.headers ?? {};
  if (place === null)
    return {
      method: 'POST',
      body: request.text,
      signal,
      headers: (authorisation) => requestHeaders(request, { ...own, ...authorisation }, host),
    };
  const headers = { accept: 'text/event-stream', ...own, 'last-event-id': place.lastEventId };
  return {
    method: 'GET',
    body: null,
    signal,
    headers: (authorisation) =>
      isSendable({ ...headers, ...authorisation }) ? { ...headers, ...authorisation } : null,
  };
}

/**
 * Tokens are letters, digits and signs that JSON writes as they are: what a server repeats of them is found before it
 * is read.
 */
function withoutTokens(bytes: Uint8Array, tokens: readonly string[]): Uint8Array {
  if (tokens.length === 0) return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const scrubbed = new Scrubber(tokens, ANSWER_SECRET_BYTES).text(text);
  return scrubbed === text ? bytes : new Uint8Array(Buffer.from(scrubbed, 'latin1'));
}

async function awaitAnswer(
  read: ReadAnswer,
  refused: (
    status: 401 | 403,
    headers: Extract<ReadAnswer, { kind: 'unauthorised' }>['headers'],
  ) => Promise<TransportFault>,
): Promise<Exchanged> {
  switch (read.kind) {
    case 'message':
      return { kind: 'answered', bytes: read.bytes, status: read.status, stderr: null };
    case 'unauthorised':
      return failed(await refused(read.status, read.headers), true);
    case 'fault':
      return failed(read.fault, true, read.said ?? null);
    case 'interrupted':
      return failed('unanswered', true);
  }
}

function failed(fault: TransportFault, isSent: boolean, said: string | null = null): Exchanged {
  return { kind: 'failed', fault, isSent, stderr: null, ...(said === null ? {} : { said }) };
}
