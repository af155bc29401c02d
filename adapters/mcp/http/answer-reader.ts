import type { IncomingHttpHeaders } from 'node:http';
import { collectedBytes } from '../../http/collected-bytes.ts';
import type { AnswerReader } from '../../http/single-exchange.ts';
import type { TransportFault } from '../exchanged.ts';
import { peek } from '../protocol/peek.ts';
import type { ServerRequest } from '../protocol/request.ts';
import { MESSAGE_BYTES_IN } from '../protocol/revision.ts';
import { eventReader } from './event-stream.ts';

/** What reading an answer came to. */
export type ReadAnswer =
  | { readonly kind: 'message'; readonly bytes: Uint8Array; readonly status: number }
  /** `said`: what people are told of it; absent: what the fault says. */
  | { readonly kind: 'fault'; readonly fault: TransportFault; readonly said?: string }
  /** A status that is about who asks. */
  | { readonly kind: 'unauthorised'; readonly status: 401 | 403; readonly headers: IncomingHttpHeaders };

export interface MessageReader extends AnswerReader {
  /** Once nothing more comes; `isWhole` as the exchange tells it. */
  end(isWhole: boolean): ReadAnswer;
}

/** Statuses by which a server says that it does not know a method or a revision (providers.md §7.3). */
const DISCOVERY_STATUSES: ReadonlySet<number> = new Set([400, 404]);

/**
 * Reads the one message that answers a request, as JSON or as the first answer of a stream, in at most 2 MiB of body
 * (providers.md §7.1, §8).
 */
export function messageReader({ id, method }: Pick<ServerRequest, 'id' | 'method'>): MessageReader {
  let found: ReadAnswer | null = null;
  let status = 0;
  let bytes = 0;
  let stream: ReturnType<typeof eventReader> | null = null;
  let body = collectedBytes(MESSAGE_BYTES_IN);
  const settle = (answer: ReadAnswer): false => {
    found ??= answer;
    return false;
  };
  const fault = (name: TransportFault): false => settle({ kind: 'fault', fault: name });

  function receive(data: Uint8Array): boolean {
    if (data.length === 0) return true;
    const peeked = peek(data);
    if (peeked === null || (peeked.hasMethod && peeked.id !== undefined)) return fault('malformed');
    if (peeked.hasMethod) return true;
    return peeked.id === id ? settle({ kind: 'message', bytes: data, status }) : fault('malformed');
  }

  return {
    // It says all, whatever would follow.
    statusLine: (code) => (code === 401 ? settle({ kind: 'unauthorised', status: code, headers: {} }) : true),
    head: (code, headers) => {
      status = code;
      if (code === 401 || code === 403) return settle({ kind: 'unauthorised', status: code, headers });
      const isDiscovery = method === 'server/discover' && DISCOVERY_STATUSES.has(code);
      if (code !== 200 && !isDiscovery) return settle({ kind: 'fault', fault: 'unanswered', said: `HTTP ${code}` });
      const type = mediaType(headers);
      if (type === 'text/event-stream' && code === 200) stream = eventReader(MESSAGE_BYTES_IN);
      else if (type !== 'application/json') return fault('malformed');
      return true;
    },
    data: (piece) => {
      bytes += piece.length;
      if (stream === null) return body.add(piece) || fault('oversize');
      // Of a piece that goes beyond, what stands before the bound counts.
      const fitting = piece.subarray(0, piece.length - Math.max(0, bytes - MESSAGE_BYTES_IN));
      stream.take(fitting, ({ type, data }) => (type === '' || type === 'message' ? receive(data) : true));
      if (found !== null) return false;
      return bytes <= MESSAGE_BYTES_IN || fault('oversize');
    },
    end: (isWhole) => {
      if (found !== null) return found;
      if (!isWhole || stream !== null) return { kind: 'fault', fault: 'unanswered' };
      const message = body.bytes();
      body = collectedBytes(0);
      return { kind: 'message', bytes: message, status };
    },
  };
}

/** Null where there is none, several, or a body that would have to be decoded first. */
function mediaType(headers: IncomingHttpHeaders): string | null {
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
