import type { IncomingHttpHeaders } from 'node:http';
import { OLDER_REVISIONS, PROTOCOL_VERSION } from '../protocol/revision.ts';
import { requestHeaders } from '../protocol/request-headers.ts';
import { discoverRequest, initializeRequest, type ClientInfo, type Meta } from '../protocol/request.ts';
import { ask, askDocument, type AuthorizationClient } from './ask.ts';
import { readChallenge } from './challenge.ts';
import { refusedBy, type OAuthDeclaration, type OAuthRefusal } from './declaration.ts';
import { readResource, readServer, type ResourceFacts, type ServerFacts } from './metadata.ts';
import { wantedScopes, type WantedScopes } from './scopes.ts';

/** Where a server is authorised, and for what. */
export interface AuthorizationFound {
  readonly ok: true;
  readonly server: ServerFacts;
  /** What tokens are asked for. */
  readonly resource: string;
  readonly scopes: WantedScopes;
}

const CHALLENGE_BYTES = 65_536;

/**
 * From a refusal of the server to the endpoints that authorise (providers.md §9, "Discovery"). `needed`: scopes that a
 * refusal named before, null for none.
 */
export async function discoverAuthority(
  oauth: OAuthDeclaration,
  client: ClientInfo,
  needed: readonly string[] | null,
  signal: AbortSignal,
  wire: AuthorizationClient,
): Promise<AuthorizationFound | OAuthRefusal> {
  const challenged = await fetchChallenge(oauth, client, signal, wire);
  if (!challenged.ok) return challenged;
  const challenge = readChallenge(challenged.headers);
  if (challenge === null) return refusedBy('connectivity_protocol_error');
  const resource = await fetchResourceFacts(oauth, challenge.resourceMetadata, signal, wire);
  if ('ok' in resource) return resource;
  const server = await fetchServerFacts(oauth, signal, wire);
  if ('ok' in server) return server;
  const requested = needed === null ? challenge.scopes : [...new Set([...(challenge.scopes ?? []), ...needed])];
  const scopes = wantedScopes(oauth, requested, resource.scopes, server);
  return scopes === null
    ? refusedBy('authorization_rejected')
    : { ok: true, server, resource: resource.resource, scopes };
}

/** The headers of the refusal that a request without a token must get. */
async function fetchChallenge(
  oauth: OAuthDeclaration,
  client: ClientInfo,
  signal: AbortSignal,
  wire: AuthorizationClient,
): Promise<{ readonly ok: true; readonly headers: IncomingHttpHeaders } | OAuthRefusal> {
  if (oauth.isPlainApi === true) return fetchApiChallenge(oauth, signal, wire);
  const url = URL.parse(oauth.resource);
  if (url === null) return refusedBy('connectivity_rejected');
  const meta: Meta = { client, revision: PROTOCOL_VERSION, progressToken: null, traceparent: null };
  // A server of an earlier revision may say of the first question only that there is no session yet.
  for (const request of [discoverRequest(1, meta), initializeRequest(2, meta, OLDER_REVISIONS[0])]) {
    const headers = requestHeaders(request, {}, url.host);
    if (headers === null) return refusedBy('connectivity_rejected');
    const asking = { method: 'POST', headers, body: request.text, maxBytes: CHALLENGE_BYTES, signal } as const;
    const answer = await ask(url, asking, wire);
    if (!answer.ok) return refusedBy(answer.code);
    if (answer.status === 401) return { ok: true, headers: answer.headers };
    if (answer.status >= 500) return refusedBy('connectivity_unavailable');
  }
  return refusedBy('connectivity_protocol_error');
}

/** Of an API whatever it answers will do: there need be nothing at its base URL. */
async function fetchApiChallenge(
  oauth: OAuthDeclaration,
  signal: AbortSignal,
  wire: AuthorizationClient,
): ReturnType<typeof fetchChallenge> {
  const url = URL.parse(oauth.resource);
  if (url === null) return refusedBy('connectivity_rejected');
  const answer = await ask(url, { method: 'GET', headers: {}, body: null, maxBytes: CHALLENGE_BYTES, signal }, wire);
  if (!answer.ok) return refusedBy(answer.code);
  if (answer.status >= 500) return refusedBy('connectivity_unavailable');
  return { ok: true, headers: answer.status === 401 ? answer.headers : {} };
}

async function fetchResourceFacts(
  oauth: OAuthDeclaration,
  named: string | null,
  signal: AbortSignal,
  wire: AuthorizationClient,
): Promise<ResourceFacts | OAuthRefusal> {
  const { origin, pathname } = new URL(oauth.resource);
  const known = [
    `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`,
    `${origin}/.well-known/oauth-protected-resource`,
  ];
  const found = await fetchFirst(
    named === null ? known : [named],
    (document) => readResource(document, oauth),
    signal,
    wire,
  );
  const isSilent = named === null && 'ok' in found && found.code === 'connectivity_rejected';
  return isSilent && oauth.isPlainApi === true ? { resource: oauth.resource, scopes: null } : found;
}

async function fetchServerFacts(
  oauth: OAuthDeclaration,
  signal: AbortSignal,
  wire: AuthorizationClient,
): Promise<ServerFacts | OAuthRefusal> {
  const { origin, pathname } = new URL(oauth.issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${oauth.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  ];
  return fetchFirst(places, (document) => readServer(document, oauth, wire.origins), signal, wire);
}

/** What the first place that has it says; where none has, why the first that answered was no good. */
async function fetchFirst<T extends object>(
  places: readonly string[],
  read: (document: Parameters<typeof readResource>[0]) => T | null,
  signal: AbortSignal,
  wire: AuthorizationClient,
): Promise<T | OAuthRefusal> {
  let refusal: OAuthRefusal | null = null;
  for (const place of new Set(places)) {
    const url = URL.parse(place);
    if (url === null) return refusedBy('connectivity_protocol_error');
    const fresh = wire.documents.fresh(place);
    const known = fresh === null ? null : read(fresh);
    if (known !== null) return known;
    const answer = await askDocument(url, signal, wire);
    const found = answer.ok ? read(answer.document) : null;
    // What is no good is asked for again: somebody may be mending it.
    if (answer.ok && found !== null) wire.documents.keep(place, answer.document, answer.headers);
    if (found !== null) return found;
    if (!answer.ok && !answer.mayBeElsewhere) return refusedBy(answer.code);
    const code = answer.ok ? 'connectivity_protocol_error' : answer.code;
    if (refusal === null || code === 'connectivity_protocol_error') refusal = refusedBy(code);
  }
  return refusal ?? refusedBy('connectivity_protocol_error');
}
