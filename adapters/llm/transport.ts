import { Agent, type Dispatcher } from 'undici';
import type { Network } from '../../contract/provider-protocol/network.ts';
import { collectedBytes } from '../http/collected-bytes.ts';
import { SENT_TOO_MUCH, connecting, type Connecting } from '../http/connector.ts';
import { errorCode, networkWords } from '../http/network-words.ts';
import type { AnswerHeaders } from './retry/requested-wait.ts';

/** Bytes of an answer; more is no answer (providers.md §5.6). */
export const ANSWER_BYTES_MAX = 4_194_304;
/** Bytes of an error that are read. */
const ERROR_BYTES_MAX = 4096;
const HEADER_BYTES_MAX = 32_768;
/** Milliseconds that an idle connection is kept for the next call of its installation. */
const KEEP_ALIVE_MS = 30_000;

/** How one HTTP exchange ended, before anybody reads the vendor's form in it. */
export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: AnswerHeaders; readonly body: Uint8Array }
  | { readonly kind: 'too_large' }
  | FailedExchange
  /** The supervisor did not let it be sent. */
  | { readonly kind: 'refused' };

export interface FailedExchange {
  readonly kind: 'failed';
  /** Code of the transport's error; null for one without. */
  readonly code: string | null;
  /** What happened, in words for people. */
  readonly words: string;
  /** Whether a connection was there and was given the request. */
  readonly isSent: boolean;
  /** Whether a status came before it failed. */
  readonly hasStatus: boolean;
}

export interface ModelHttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Asked once, right before the request is given to a socket. */
  readonly openGate: () => Promise<boolean>;
}

/**
 * Connections of one installation: kept alive between its calls, shared with no other credential. No redirects, no
 * proxy of the environment, no compression; the one deadline is the caller's signal, which also ends a connection on
 * its way.
 */
export interface ModelConnections {
  /** One attempt. Never rejects. */
  exchange(outgoing: ModelHttpRequest): Promise<Exchange>;
  /** Ends whatever goes on and closes every socket. */
  destroy(): Promise<void>;
}

export function openConnections(network: Network): ModelConnections {
  /** Of the request that is being passed, which opens its connection in the same turn where none is free. */
  let opening: ((connection: Connecting) => void) | null = null;
  const agent = new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    allowH2: false,
    connect: (options, callback) => {
      const own = opening;
      const connection = connecting(options, network, callback);
      own?.(connection);
    },
  });
  return {
    exchange: async (outgoing) => {
      if (outgoing.signal.aborted || !(await outgoing.openGate())) return { kind: 'refused' };
      return new Promise((resolve) => {
        const call = answering(outgoing.signal, resolve);
        const { origin, pathname, search } = new URL(outgoing.url);
        opening = call.opened;
        try {
          agent.dispatch(
            { origin, path: pathname + search, method: 'POST', headers: outgoing.headers, body: outgoing.body },
            call.handler,
          );
        } catch (error) {
          resolve(failedBy(error, { isSent: false, hasStatus: false }));
        } finally {
          opening = null;
        }
      });
    },
    destroy: async () => agent.destroy(),
  };
}

interface Answering {
  readonly handler: Dispatcher.DispatchHandler;
  /** Passes the connection that is made for this request. */
  readonly opened: (connection: Connecting) => void;
}

/** `settle` is called once, as soon as nothing more is wanted of the exchange. */
function answering(signal: AbortSignal, settle: (exchange: Exchange) => void): Answering {
  let sending: Dispatcher.DispatchController | null = null;
  let connection: Connecting | null = null;
  let status = 0;
  let headers: AnswerHeaders = {};
  let body = collectedBytes(ERROR_BYTES_MAX);

  const isSuccess = (): boolean => status >= 200 && status < 300;
  const end = (exchange: Exchange): void => {
    signal.removeEventListener('abort', stop);
    settle(exchange);
  };
  const stop = (): void => {
    end(failedBy(new Abandoned(), { isSent: sending !== null, hasStatus: status >= 200 }));
    if (sending === null) connection?.destroy();
    else sending.abort(new Abandoned());
  };
  signal.addEventListener('abort', stop, { once: true });

  return {
    opened: (input) => {
      connection = input;
    },
    handler: {
      onRequestStart: (controller) => {
        // Given up while it waited for a connection that others had opened too.
        if (signal.aborted) controller.abort(new Abandoned());
        else sending = controller;
      },
      onResponseStart: (_, statusCode, input) => {
        status = statusCode;
        headers = single(input);
        body = collectedBytes(isSuccess() ? ANSWER_BYTES_MAX : ERROR_BYTES_MAX);
      },
      onResponseData: (controller, chunk) => {
        if (body.add(chunk)) return;
        end(isSuccess() ? { kind: 'too_large' } : { kind: 'answered', status, headers, body: body.bytes() });
        controller.abort(new Abandoned());
      },
      onResponseEnd: () => end({ kind: 'answered', status, headers, body: body.bytes() }),
      onResponseError: (_, error) => {
        // A refusal whose text was cut is one all the same.
        if (status >= 300) {
          end({ kind: 'answered', status, headers, body: body.bytes() });
          return;
        }
        const failed = failedBy(error, { isSent: sending !== null, hasStatus: status >= 200 });
        end(failed.code === SENT_TOO_MUCH ? { kind: 'too_large' } : failed);
      },
    },
  };
}

const ABANDONED = 'UND_ERR_ABORTED';
class Abandoned extends Error {
  readonly code = ABANDONED;
}

function failedBy(error: unknown, facts: Pick<FailedExchange, 'isSent' | 'hasStatus'>): FailedExchange {
  return { kind: 'failed', code: errorCode(error), words: networkWords(error), ...facts };
}

/** The last of a header that came several times. */
function single(headers: Readonly<Record<string, string | readonly string[] | undefined>>): AnswerHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value?.at(-1)]),
  );
}
