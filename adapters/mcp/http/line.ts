import { exchangeOnce, type AnswerReader, type SingleEnd, type SingleRequest } from '../../http/single-exchange.ts';
import type { DialTools } from '../../http/dial.ts';
import type { Allowed, Authorisation } from '../authorisation.ts';
import type { TransportFault } from '../exchanged.ts';
import type { Headers } from '../protocol/request-headers.ts';

/** What is sent. `headers`: all of them, made of those that authorise it; null where they cannot be sent. */
export interface Sending extends Pick<SingleRequest, 'method' | 'body' | 'signal'> {
  readonly headers: (authorisation: Headers) => Headers | null;
}

export type Sent =
  /** Nothing left. */
  | { readonly kind: 'unsent'; readonly fault: TransportFault }
  | { readonly kind: 'sent'; readonly allowed: Allowed; readonly end: SingleEnd };

/** Sends one request of HTTP to one server, authorised, over a connection of its own. Never rejects. */
export type Line = (sending: Sending, reader: AnswerReader) => Promise<Sent>;

export function httpLine(url: URL, authorisation: Authorisation, tools: DialTools): Line {
  return async ({ method, body, signal, headers: headersOf }, reader) => {
    const allowed = await authorisation.allow(signal);
    if (!allowed.ok) return { kind: 'unsent', fault: allowed.fault };
    const headers = headersOf(allowed.headers);
    if (headers === null) return { kind: 'unsent', fault: 'unsendable' };
    const end = await exchangeOnce({ url, method, headers, body, signal, admits: authorisation.admits }, reader, tools);
    return { kind: 'sent', allowed, end };
  };
}
