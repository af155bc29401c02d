import { systemDial } from '../../http/dial.ts';
import type { HttpDeclaration } from '../declaration.ts';
import { refused } from '../refused.ts';
import type { Connector, Transport } from '../transport.ts';
import { staticAuthorisation } from './authorisation.ts';
import { httpConnection } from './connection.ts';
import { credentialHeaders } from './credential-headers.ts';
import type { Headers } from './headers.ts';

/** A server over HTTP, with its secrets. */
export interface HttpTarget {
  readonly type: 'streamable_http';
  readonly endpoint: string;
  readonly headers: Headers;
}

/** An endpoint that is asked by POST (providers.md §7, §8). */
export const httpTransport: Transport<HttpDeclaration, HttpTarget> = {
  prepare: async ({ endpoint, auth }, { credentials }) => {
    const headers = credentialHeaders(auth, credentials);
    return headers === null ? refused('authentication_rejected') : { ok: true, target: { type: 'streamable_http', endpoint, headers }, facts: [] };
  },
};

const tools = systemDial();

export const httpConnector: Connector<HttpTarget> = {
  open: async ({ endpoint, headers }) => httpConnection(endpoint, staticAuthorisation(headers), tools),
};
