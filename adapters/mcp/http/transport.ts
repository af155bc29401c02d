import type { Network } from '../../../contract/provider-protocol/network.ts';
import { systemDial } from '../../http/dial.ts';
import type { HttpDeclaration } from '../declaration.ts';
import type { Authorities } from '../oauth/authorities.ts';
import type { OwnedOAuth } from '../oauth/declaration.ts';
import type { ClientInfo } from '../protocol/request.ts';
import type { RevisionPolicy } from '../protocol/revision.ts';
import { refused } from '../refused.ts';
import type { Connector, Transport } from '../transport.ts';
import { staticAuthorisation } from '../authorisation.ts';
import { httpConnection } from './connection.ts';
import { credentialHeaders } from './credential-headers.ts';
import type { Headers } from '../protocol/request-headers.ts';

/** A server over HTTP, with its secrets. */
export interface HttpTarget {
  readonly type: 'streamable_http';
  readonly client: ClientInfo;
  readonly revisions: RevisionPolicy;
  readonly endpoint: string;
  readonly headers: Headers;
  readonly network: Network;
  /** Null where nobody has to authorise it. */
  readonly oauth: { readonly owned: OwnedOAuth; readonly client: ClientInfo; readonly secret: string | null } | null;
}

/** An endpoint that is asked by POST (providers.md §7, §8, §9). */
export const httpTransport: Transport<HttpDeclaration, HttpTarget> = {
  prepare: async ({ endpoint, auth, oauth }, { client, credentials, revisions, network }) => {
    const headers = credentialHeaders(auth, credentials);
    if (headers === null) return refused('authentication_rejected');
    const name = oauth?.declaration.client.secret ?? null;
    const secret = name === null ? null : (credentials.get(name)?.reveal() ?? null);
    return {
      ok: true,
      target: {
        type: 'streamable_http',
        client,
        revisions,
        endpoint,
        headers,
        network,
        oauth: oauth === null ? null : { owned: oauth, client, secret },
      },
      facts: [],
    };
  },
};

/** Requests are authorised by what their target brings, or by what people granted. */
export function httpConnector(grantOf: Authorities['grantOf']): Connector<HttpTarget> {
  return {
    open: async ({ endpoint, headers, network, oauth, client, revisions }) => {
      const authorisation =
        oauth === null ? staticAuthorisation(headers) : grantOf(oauth.owned, oauth.client, oauth.secret);
      return httpConnection(endpoint, authorisation, systemDial(network), { client, revisions });
    },
  };
}
