import type { Network } from '../../../contract/provider-protocol/network.ts';
import { type DialTools, systemDial } from '../../http/dial.ts';
import { staticAuthorisation } from '../authorisation.ts';
import type { HttpTarget } from '../http/transport.ts';
import type { Authorities } from '../oauth/authorities.ts';
import type { NotOpened } from '../exchanged.ts';
import { exchangeApi, reachApi, type ApiAddress, type ApiExchanged, type ApiRequest } from './exchange.ts';
import { fetchDocument, type FetchedDocument } from './fetch-document.ts';

/** An API with its secrets: what a server over HTTP is opened with. */
export type ApiTarget = Omit<HttpTarget, 'type' | 'client' | 'revisions'>;

/** One request to an opened API. */
export interface OpenedApiRequest {
  /** Of `openApi`. */
  readonly api: number;
  /** Of the caller, unique among its running requests. */
  readonly call: number;
  readonly request: ApiRequest;
  readonly timeoutMs: number;
}

/**
 * Anyone who sends requests to APIs and knows what authorises them; it outlives every worker that reads what they
 * answer (providers.md §14). Everything that crosses is text, numbers and bytes.
 */
export interface ApiConnections {
  /** The document at an address. Never rejects. */
  fetchDocument(url: string, network: Network, timeoutMs: number): Promise<FetchedDocument>;
  /** The number of the API, or why nobody is there. Nothing is sent. */
  openApi(target: ApiTarget, timeoutMs: number): Promise<number | NotOpened>;
  /** Never rejects. */
  exchangeApi(request: OpenedApiRequest): Promise<ApiExchanged>;
  /** Ends a request: none of it is sent any more. */
  cancelApi(call: number): void;
  /** Ends the requests to an API, and forgets it. */
  closeApi(api: number): Promise<void>;
}

interface Opened extends ApiAddress {
  readonly tools: DialTools;
  readonly closed: AbortController;
  readonly running: Set<Promise<unknown>>;
}

export function apiConnections(grantOf: Authorities['grantOf']): ApiConnections {
  const opened = new Map<number, Opened>();
  const running = new Map<number, AbortController>();
  let count = 0;
  return {
    fetchDocument: async (url, network, timeoutMs) =>
      fetchDocument(url, AbortSignal.timeout(Math.ceil(timeoutMs)), systemDial(network)),
    openApi: async ({ endpoint, headers, network, oauth }, timeoutMs) => {
      const tools = systemDial(network);
      const authorisation =
        oauth === null ? staticAuthorisation(headers) : grantOf(oauth.owned, oauth.client, oauth.secret);
      const missed = await reachApi({ endpoint, authorisation }, AbortSignal.timeout(Math.ceil(timeoutMs)), tools);
      if (missed !== null) return missed;
      count += 1;
      opened.set(count, { endpoint, authorisation, tools, closed: new AbortController(), running: new Set() });
      return count;
    },
    exchangeApi: async ({ api, call, request, timeoutMs }) => {
      const address = opened.get(api);
      if (address === undefined) return { kind: 'failed', fault: 'released', isSent: false };
      const ended = new AbortController();
      running.set(call, ended);
      const signal = AbortSignal.any([ended.signal, address.closed.signal, AbortSignal.timeout(Math.ceil(timeoutMs))]);
      const exchanging = exchangeApi(address, request, signal, address.tools);
      address.running.add(exchanging);
      try {
        return await exchanging;
      } finally {
        running.delete(call);
        address.running.delete(exchanging);
      }
    },
    cancelApi: (call) => running.get(call)?.abort(),
    closeApi: async (api) => {
      const address = opened.get(api);
      opened.delete(api);
      address?.closed.abort();
      if (address !== undefined) await Promise.all(address.running);
    },
  };
}
