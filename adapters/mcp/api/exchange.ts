import type { IncomingHttpHeaders } from 'node:http';
import { ANSWER_SECRET_BYTES, Scrubber } from '../../../contract/provider-protocol/scrubber.ts';
import { collectedBytes } from '../../http/collected-bytes.ts';
import { dial, type DialTools } from '../../http/dial.ts';
import { exchangeOnce, type AnswerReader, type SingleRequest } from '../../http/single-exchange.ts';
import { timedOut } from '../../http/timed-out.ts';
import type { Authorisation } from '../authorisation.ts';
import type { NotOpened, TransportFault } from '../exchanged.ts';
import { HTTP_FAULTS } from '../http/http-faults.ts';
import { isSendable } from '../protocol/request-headers.ts';
import { CLIENT } from '../protocol/revision.ts';

/** What goes to an API, without what authorises it. */
export interface ApiRequest {
  readonly method: SingleRequest['method'];
  /** Path and query below the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** How one exchange with an API ended, before anybody reads the answer. */
export type ApiExchanged =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Of its header; null where there is none, or several. */
      readonly contentType: string | null;
      /** False where the body would have to be decoded first. */
      readonly isPlain: boolean;
      readonly bytes: Uint8Array;
    }
  /** `said`: what happened, in words for people; absent for nothing. */
  | { readonly kind: 'failed'; readonly fault: TransportFault; readonly isSent: boolean; readonly said?: string };

/** Bytes of the body of an answer (providers.md §8). */
const BODY_BYTES = 2_097_152;
/** Of a refusal no more is shown to anybody. */
const REFUSAL_BYTES = 65_536;

export interface ApiAddress {
  /** The base URL. */
  readonly endpoint: string;
  readonly authorisation: Authorisation;
}

/** One request over a connection of its own; redirects are not followed (providers.md §8). Never rejects. */
export async function exchangeApi(
  { endpoint, authorisation }: ApiAddress,
  request: ApiRequest,
  signal: AbortSignal,
  tools: DialTools,
): Promise<ApiExchanged> {
  if (signal.aborted) return failed(timedOut(signal) ? 'timeout' : 'cancelled', false);
  const url = urlOf(endpoint, request.path);
  if (url === null) return failed('unsendable', false);
  const allowed = await authorisation.allow(signal);
  if (!allowed.ok) return failed(allowed.fault, false);
  const headers = {
    accept: 'application/json, text/*;q=0.9, */*;q=0.5',
    'accept-encoding': 'identity',
    'user-agent': `${CLIENT.name}/${CLIENT.version}`,
    ...request.headers,
    // What authorises wins over whatever a program gave.
    ...allowed.headers,
  };
  const added = {
    host: url.host,
    connection: 'close',
    'content-length': String(Buffer.byteLength(request.body ?? '')),
  };
  if (!isSendable({ ...headers, ...added })) return failed('unsendable', false);
  const reader = bodyReader();
  const end = await exchangeOnce(
    { url, method: request.method, headers, body: request.body, signal, admits: authorisation.admits },
    reader,
    tools,
  );
  const read = reader.end(end.ok && end.isWhole);
  if (read === 'broken')
    return end.ok ? failed('unanswered', true) : failed(HTTP_FAULTS[end.fault], end.isSent, end.said);
  if (read === 'oversize') return failed('oversize', true);
  const { status } = read;
  if (status === 401 || (status === 403 && authorisation.admits !== null))
    return failed(await authorisation.refused(allowed, status, read.headers), true);
  return {
    kind: 'answered',
    status,
    contentType: read.headers['content-type'] ?? null,
    isPlain: (read.headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity',
    bytes: withoutTokens(read.bytes, allowed.tokens),
  };
}

/** Whether somebody is there: a connection is made, and closed again. Null where it was. */
export async function reachApi(
  { endpoint, authorisation }: ApiAddress,
  signal: AbortSignal,
  tools: DialTools,
): Promise<NotOpened | null> {
  const dialled = await dial(new URL(endpoint), tools, signal, authorisation.admits);
  if (dialled.ok) {
    dialled.socket.destroy();
    return null;
  }
  const { fault, said } = dialled;
  return { fault: fault === 'stopped' ? (timedOut(signal) ? 'timeout' : 'cancelled') : HTTP_FAULTS[fault], said };
}

/** Below the base URL, whose own query stays. */
function urlOf(endpoint: string, path: string): URL | null {
  const base = new URL(endpoint);
  const [way = '', query] = path.split(/\?(.*)/s);
  const whole = [base.search.slice(1), query ?? ''].filter((part) => part !== '').join('&');
  return URL.parse(`${base.origin}${base.pathname.replace(/\/$/, '')}${way}${whole === '' ? '' : `?${whole}`}`);
}

interface Body {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
}

function bodyReader(): AnswerReader & { end(isWhole: boolean): Body | 'broken' | 'oversize' } {
  let [status, isOver] = [0, false];
  let headers: IncomingHttpHeaders = {};
  let body = collectedBytes(BODY_BYTES);
  return {
    head: (code, input) => {
      [status, headers] = [code, input];
      if (code >= 400) body = collectedBytes(REFUSAL_BYTES);
      return true;
    },
    data: (piece) => {
      isOver = !body.add(piece);
      return !isOver;
    },
    end: (isWhole) => {
      if (status === 0) return 'broken';
      // A refusal says what it says, however much comes behind it.
      if (status < 400 && isOver) return 'oversize';
      return isWhole || (status >= 400 && isOver) ? { status, headers, bytes: body.bytes() } : 'broken';
    },
  };
}

/** Tokens are letters, digits and signs that are written as they are: what a server repeats of them is found so. */
function withoutTokens(bytes: Uint8Array, tokens: readonly string[]): Uint8Array {
  if (tokens.length === 0) return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const scrubbed = new Scrubber(tokens, ANSWER_SECRET_BYTES).text(text);
  return scrubbed === text ? bytes : new Uint8Array(Buffer.from(scrubbed, 'latin1'));
}

function failed(fault: TransportFault, isSent: boolean, said: string | null = null): ApiExchanged {
  return { kind: 'failed', fault, isSent, ...(said === null ? {} : { said }) };
}
