import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { deliver, fail, type AnswerHeaders, type Delivery, type Fault } from '../http/deliver.ts';
import { listen, type Listening, type ListenOptions } from '../http/listen.ts';
import { loggedRequest, secretHash, type LoggedRequest } from '../http/log.ts';

/** What is answered instead of what an authorisation server would say. */
export interface Instead {
  readonly status?: number;
  readonly headers?: AnswerHeaders;
  /** Takes the place of members of the document; those that are undefined are left out. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** The whole body as it is. */
  readonly body?: string;
  readonly fault?: Fault;
  readonly delivery?: Delivery;
}

/** What a scripted authorisation server does, as data. */
export interface AuthorityScript {
  /** By path below the address. Paths without an entry have no document, but the usual one. */
  readonly metadata?: Readonly<Record<string, Instead>>;
  /** Of the people's page: parameters that are sent back, null for one that is left out. */
  readonly authorize?: Readonly<Record<string, string | null>>;
  /** Of the token endpoint, in order; behind the last one it is as it should be. */
  readonly tokens?: readonly Instead[];
  /** Of the endpoint where clients register themselves, in order, likewise. */
  readonly registrations?: readonly Instead[];
  /** Of the endpoint where grants are given back, in order, likewise. */
  readonly revocations?: readonly Instead[];
}

export interface Authority extends Listening {
  /** Its address is its issuer. */
  readonly requests: readonly LoggedRequest[];
  /** `authorization` headers of the tokens that it gave, as hashes, in order. */
  readonly issued: readonly string[];
  /** Forms that came to the token endpoint, secrets included, in order. */
  readonly forms: readonly Readonly<Record<string, string>>[];
  /** What clients said of themselves when they registered, in order. */
  readonly registered: readonly Readonly<Record<string, unknown>>[];
  /** Tokens that were given back, in order. */
  readonly revoked: readonly string[];
}

export interface AuthorityOptions extends ListenOptions {
  readonly script?: AuthorityScript;
  readonly onRequest?: (request: LoggedRequest) => void;
}

const WELL_KNOWN = '/.well-known/oauth-authorization-server';
const LIFETIME_S = 3600;

interface Pending {
  readonly redirect: string;
  readonly challenge: string;
  readonly scope: string;
  readonly resource: string;
  readonly client: string;
}

/**
 * Starts an authorisation server on loopback that grants whatever is asked, as OAuth 2.1 has it: codes are used once,
 * are proved by their verifier, and refresh tokens change with each use. Its script says what is otherwise.
 */
export async function startAuthority({
  script = {},
  onRequest,
  ...options
}: AuthorityOptions = {}): Promise<Authority> {
  const requests: LoggedRequest[] = [];
  const input: string[] = [];
  const forms: Record<string, string>[] = [];
  const codes = new Map<string, Pending>();
  const refreshes = new Map<string, Pending>();
  const insteads = [...(script.tokens ?? [])];
  const [registrations, revocations] = [[...(script.registrations ?? [])], [...(script.revocations ?? [])]];
  const registered: Record<string, unknown>[] = [];
  const revoked: string[] = [];
  let issuer = '';

  const tokensFor = (pending: Pending): Record<string, unknown> => {
    const [access, refresh] = [`access-${randomBytes(8).toString('hex')}`, `refresh-${randomBytes(8).toString('hex')}`];
    input.push(secretHash(`Bearer ${access}`));
    const isOffline = pending.scope.split(' ').includes('offline_access');
    if (isOffline) refreshes.set(refresh, pending);
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: LIFETIME_S,
      scope: pending.scope,
      ...(isOffline && { refresh_token: refresh }),
    };
  };

  const granted = (form: Readonly<Record<string, string>>, client: string | undefined): Record<string, unknown> => {
    const refresh = form['refresh_token'] ?? '';
    const pending = form['grant_type'] === 'refresh_token' ? refreshes.get(refresh) : codes.get(form['code'] ?? '');
    refreshes.delete(refresh);
    codes.delete(form['code'] ?? '');
    if (pending === undefined) return { error: 'invalid_grant' };
    const isProved =
      form['grant_type'] === 'refresh_token' ||
      createHash('sha256')
        .update(form['code_verifier'] ?? '')
        .digest('base64url') === pending.challenge;
    const isSame =
      client === pending.client &&
      form['resource'] === pending.resource &&
      (form['redirect_uri'] ?? pending.redirect) === pending.redirect;
    return isProved && isSame ? tokensFor(pending) : { error: 'invalid_grant' };
  };

  const listening = await listen(options, async ({ request, response, body, connection }) => {
    const logged = loggedRequest({ request, body, connection, number: requests.length + 1 });
    requests.push(logged);
    onRequest?.(logged);
    const url = new URL(request.url ?? '/', issuer);
    const instead = script.metadata?.[url.pathname];
    if (instead !== undefined || url.pathname === WELL_KNOWN)
      return answer(
        response,
        instead ?? {},
        instead?.members === undefined && instead?.status !== undefined ? {} : metadataOf(issuer),
      );
    if (url.pathname === '/authorize') return sendBack(response, url, script, codes, issuer);
    if (url.pathname === '/token' && isForm(request)) {
      const form = Object.fromEntries(new URLSearchParams(body));
      forms.push(form);
      const next = insteads.shift() ?? {};
      const document =
        next.body === undefined && next.fault === undefined && next.status === undefined
          ? granted(form, form['client_id'] ?? clientOf(request))
          : {};
      return answer(response, { ...('error' in document && { status: 400 }), ...next }, document);
    }
    if (url.pathname === '/register' && request.method === 'POST') {
      const metadata: Record<string, unknown> = JSON.parse(body);
      registered.push(metadata);
      const number = String(registered.length);
      const secret = metadata['token_endpoint_auth_method'] === 'none' ? {} : { client_secret: `secret-${number}` };
      return answer(
        response,
        { status: 201, ...registrations.shift() },
        { ...metadata, client_id: `client-${number}`, ...secret },
      );
    }
    if (url.pathname === '/revoke' && isForm(request)) {
      revoked.push(new URLSearchParams(body).get('token') ?? '');
      return answer(response, revocations.shift() ?? {}, {});
    }
    return deliver(response, 404, {}, '{}');
  });
  issuer = listening.url;
  return { ...listening, requests, issued: input, forms, registered, revoked };
}

function isForm({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && headers['content-type'] === 'application/x-www-form-urlencoded';
}

/** The client that a request names beside its secret. */
function clientOf({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  const [id] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString('utf8')
    .split(':');
  return id === undefined ? undefined : decodeURIComponent(id);
}

function metadataOf(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize?lang=en`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    scopes_supported: ['read', 'write', 'offline_access'],
    authorization_response_iss_parameter_supported: true,
  };
}

async function answer(
  response: ServerResponse,
  { status = 200, headers = {}, members = {}, body, fault, delivery }: Instead,
  document: Readonly<Record<string, unknown>>,
): Promise<void> {
  const whole = body ?? JSON.stringify({ ...document, ...members });
  if (fault !== undefined) return fail(response, fault, whole);
  return deliver(response, status, headers, whole, delivery);
}

/** The people's page: everybody agrees at once. */
async function sendBack(
  response: ServerResponse,
  url: URL,
  { authorize = {} }: AuthorityScript,
  codes: Map<string, Pending>,
  issuer: string,
): Promise<void> {
  const parameter = (name: string): string => url.searchParams.get(name) ?? '';
  const code = randomBytes(8).toString('hex');
  if (
    parameter('response_type') !== 'code' ||
    parameter('code_challenge_method') !== 'S256' ||
    parameter('lang') !== 'en'
  )
    return deliver(response, 400, {}, '{}');
  codes.set(code, {
    redirect: parameter('redirect_uri'),
    challenge: parameter('code_challenge'),
    scope: parameter('scope'),
    resource: parameter('resource'),
    client: parameter('client_id'),
  });
  const parameters = Object.entries({ code, state: parameter('state'), iss: issuer, ...authorize }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return deliver(
    response,
    302,
    { location: `${parameter('redirect_uri')}?${new URLSearchParams(parameters).toString()}` },
    '',
  );
}
