import { integerOf, type JsonObject } from '../../../contract/json/value.ts';
import { ask, type AuthorityResponse, type AuthorizationClient } from './ask.ts';
import { readScopes } from './challenge.ts';
import { refusedBy, type KnownClient, type OAuthRefusal } from './declaration.ts';
import type { WantedScopes } from './scopes.ts';

/** What an authorisation server gave. */
export interface Tokens {
  readonly ok: true;
  readonly access: string;
  /** Null where none came. */
  readonly refresh: string | null;
  /** Seconds; null where it is not reported. */
  readonly expiresIn: number | null;
  readonly scopes: readonly string[];
}

/** `endsGrant`: the grant that was used cannot be used again. */
export type TokenRefusal = OAuthRefusal & { readonly endsGrant: boolean };

export interface TokenRequest {
  readonly endpoint: string;
  readonly client: KnownClient;
  /** Of the form, beside the client's own. */
  readonly members: Readonly<Record<string, string>>;
  readonly scopes: WantedScopes;
}

const TOKEN_BYTES = 65_536;
const EXPIRY_MAX = 31_536_000;
/** Of a token in a header. */
export const BEARER = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Asks a token endpoint once (providers.md §9, steps 9 and 10, "Refresh"). */
export async function askTokens(
  { endpoint, client, members, scopes }: TokenRequest,
  signal: AbortSignal,
  wire: AuthorizationClient,
): Promise<Tokens | TokenRefusal> {
  const answer = await askAsClient({ endpoint, client, members }, signal, wire);
  if (!answer.ok) return { ...refusedBy(answer.code), endsGrant: answer.isSent };
  const { status, document } = answer;
  if (status === 200) {
    const tokens = document === null ? null : readTokens(document, scopes);
    return tokens ?? { ...refusedBy('connectivity_protocol_error'), endsGrant: true };
  }
  const error = document?.get('error');
  if (status === 401 || error === 'invalid_client') return { ...refusedBy('authentication_rejected'), endsGrant: true };
  if (status >= 500) return { ...refusedBy('connectivity_unavailable'), endsGrant: true };
  return {
    ...refusedBy(
      status === 400 && typeof error === 'string' ? 'authorization_rejected' : 'connectivity_protocol_error',
    ),
    endsGrant: true,
  };
}

/** Sends a form to an endpoint of an authority, once, with what proves the client (RFC 6749). Never rejects. */
export async function askAsClient(
  { endpoint, client: { id, method, secret }, members }: Omit<TokenRequest, 'scopes'>,
  signal: AbortSignal,
  wire: AuthorizationClient,
): Promise<AuthorityResponse> {
  const isBasic = method === 'client_secret_basic';
  const proof = isBasic ? {} : { client_id: id, ...(secret !== null && { client_secret: secret }) };
  const named = `${encodeURIComponent(id)}:${encodeURIComponent(secret ?? '')}`;
  const headers = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    ...(isBasic && { authorization: `Basic ${Buffer.from(named).toString('base64')}` }),
  };
  const body = new URLSearchParams({ ...members, ...proof }).toString();
  return ask(new URL(endpoint), { method: 'POST', headers, body, maxBytes: TOKEN_BYTES, signal }, wire);
}

/** Null for what is no such document; a refusal for scopes that are not what was asked. */
function readTokens(
  document: JsonObject,
  { required, requested, allowed }: WantedScopes,
): Tokens | TokenRefusal | null {
  const [access, type, expiry, refresh, scope] = [
    'access_token',
    'token_type',
    'expires_in',
    'refresh_token',
    'scope',
  ].map((name) => document.get(name));
  const seconds = expiry === undefined ? null : integerOf(expiry);
  if (typeof access !== 'string' || !BEARER.test(access) || typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    return null;
  if (seconds !== null && !(typeof seconds === 'number' && seconds >= 1 && seconds <= EXPIRY_MAX)) return null;
  if (
    !(refresh === undefined || (typeof refresh === 'string' && refresh !== '')) ||
    !(scope === undefined || typeof scope === 'string')
  )
    return null;
  const scopes = scope === undefined ? requested : readScopes(scope);
  if (scopes === null) return null;
  const isAsked = scopes.every((one) => allowed.includes(one)) && required.every((one) => scopes.includes(one));
  return isAsked
    ? { ok: true, access, refresh: refresh ?? null, expiresIn: seconds, scopes }
    : { ...refusedBy('authorization_rejected'), endsGrant: true };
}
