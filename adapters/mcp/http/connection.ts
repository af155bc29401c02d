import { ANSWER_SECRET_BYTES, Scrubber } from '../../../contract/provider-protocol/scrubber.ts';
import { exchangeOnce, type HttpFault } from '../../http/single-exchange.ts';
import type { DialTools } from '../../http/dial.ts';
import { timedOut } from '../../http/timed-out.ts';
import type { Exchanged, TransportFault } from '../exchanged.ts';
import type { Connection } from '../transport.ts';
import { messageReader, type ReadAnswer } from './answer-reader.ts';
import type { Authorisation } from '../authorisation.ts';
import { requestHeaders } from '../protocol/request-headers.ts';

const FAULTS: Readonly<Record<HttpFault, TransportFault>> = {
  unresolved: 'unresolved',
  denied: 'unanswered',
  refused: 'refused',
  tls: 'tls',
  unconnected: 'unanswered',
  timeout: 'timeout',
  cancelled: 'cancelled',
  broken: 'unanswered',
};

/** A server over HTTP: each request has a connection of its own, so that there is nothing to open (providers.md §8). */
export function httpConnection(endpoint: string, authorisation: Authorisation, tools: DialTools): Connection {
  const url = new URL(endpoint);
  const closed = new AbortController();
  const running = new Set<Promise<unknown>>();
  // Each request has a connection of its own: no server is gone before it is closed.
  const { promise: ended, resolve: tellEnd } = Promise.withResolvers<void>();

  async function exchange(request: Parameters<Connection['exchange']>[0], signal: AbortSignal): Promise<Exchanged> {
    if (closed.signal.aborted) return failed('released', false);
    if (signal.aborted) return failed(timedOut(signal) ? 'timeout' : 'cancelled', false);
    const allowed = await authorisation.allow(signal);
    if (!allowed.ok) return failed(allowed.fault, false);
    const headers = requestHeaders(request, allowed.headers, url.host);
    if (headers === null) return failed('unsendable', false);
    const reader = messageReader(request);
    const end = await exchangeOnce(
      {
        url,
        method: 'POST',
        headers,
        body: request.text,
        signal: AbortSignal.any([signal, closed.signal]),
        admits: authorisation.admits,
      },
      reader,
      tools,
    );
    // What a reader found stands, however the connection ended behind it.
    const read = reader.end(end.ok && end.isWhole);
    if (!end.ok && !(read.kind === 'unauthorised' || read.kind === 'message'))
      return failed(FAULTS[end.fault], end.isSent, end.said);
    const heard = read.kind === 'message' ? { ...read, bytes: withoutTokens(read.bytes, allowed.tokens) } : read;
    return awaitAnswer(heard, async (status, given) => authorisation.refused(allowed, status, given));
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
    ended,
    lastWords: async () => ({ end: null, stderr: null }),
    close: async () => {
      closed.abort();
      tellEnd();
      await Promise.all(running);
      return true;
    },
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
  }
}

function failed(fault: TransportFault, isSent: boolean, said: string | null = null): Exchanged {
  return { kind: 'failed', fault, isSent, stderr: null, ...(said === null ? {} : { said }) };
}
