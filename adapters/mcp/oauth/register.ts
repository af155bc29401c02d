import type { JsonObject } from '../../../contract/json/value.ts';
import type { ClientInfo } from '../protocol/request.ts';
import { ask, type AuthorizationClient } from './ask.ts';
import { refusedBy, type ClientAuthMethod, type KnownClient, type OAuthRefusal } from './declaration.ts';

export interface Registration {
  readonly endpoint: string;
  readonly redirectUri: string;
  readonly method: ClientAuthMethod;
  readonly scopes: readonly string[];
  readonly wantsRefresh: boolean;
  readonly client: ClientInfo;
}

const ANSWER_BYTES = 65_536;
/** Characters of what an authority gives: an id and a secret are sent with each request. */
const TEXT_MAX = 4096;

/** Registers svc with an authority as a client of one person's machine (RFC 7591, world.md §2.5). Never rejects. */
export async function registerClient(
  registration: Registration,
  signal: AbortSignal,
  wire: AuthorizationClient,
): Promise<{ readonly ok: true; readonly client: KnownClient } | OAuthRefusal> {
  const answer = await ask(
    new URL(registration.endpoint),
    {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: metadataOf(registration),
      maxBytes: ANSWER_BYTES,
      signal,
    },
    wire,
  );
  if (!answer.ok) return refusedBy(answer.code);
  const { status, document } = answer;
  if (status === 200 || status === 201) {
    const client = document === null ? null : readClient(document, registration.method);
    return client === null ? refusedBy('connectivity_protocol_error') : { ok: true, client };
  }
  if (status >= 500) return refusedBy('connectivity_unavailable');
  // An authority that lets nobody register without a token of its own.
  if (status === 401 || status === 403) return refusedBy('authentication_rejected');
  return refusedBy(
    typeof document?.get('error') === 'string' ? 'authorization_rejected' : 'connectivity_protocol_error',
  );
}

function metadataOf({ redirectUri, method, scopes, wantsRefresh, client }: Registration): string {
  return JSON.stringify({
    client_name: client.name,
    software_version: client.version,
    application_type: redirectUri.startsWith('http:') ? 'native' : 'web',
    redirect_uris: [redirectUri],
    response_types: ['code'],
    grant_types: ['authorization_code', ...(wantsRefresh ? ['refresh_token'] : [])],
    token_endpoint_auth_method: method,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  });
}

/** The authority may give another method than the one that was asked for; null for one that svc does not have. */
function readClient(document: JsonObject, clientAuthMethod: ClientAuthMethod): KnownClient | null {
  const [id, input, registered = clientAuthMethod] = ['client_id', 'client_secret', 'token_endpoint_auth_method'].map(
    (name) => document.get(name),
  );
  const method = METHODS.find((one) => one === registered);
  if (method === undefined || !isText(id)) return null;
  if (method === 'none') return { id, method, secret: null };
  return isText(input) ? { id, method, secret: input } : null;
}

const METHODS: readonly ClientAuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= TEXT_MAX;
}
