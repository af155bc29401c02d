import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ClientInfo } from '../protocol/request.ts';
import type { AuthorizationClient } from './ask.ts';
import {
  declaredClient,
  refusedBy,
  type KnownClient,
  type OAuthDeclaration,
  type OAuthRefusal,
} from './declaration.ts';
import { discoverAuthority, type AuthorizationFound } from './discover.ts';
import type { OAuthGrant } from './grants.ts';
import { registerClient } from './register.ts';
import { openListener } from './listener.ts';
import type { Callback, Redirect } from './redirect.ts';
import { askTokens, type Tokens } from './tokens.ts';

export interface FlowTools {
  readonly wire: AuthorizationClient;
  readonly client: ClientInfo;
  /** Of a confidential client that its operator registered. */
  readonly secret: string | null;
  /** Where people are sent back to; null for the port of this machine that the declaration speaks of. */
  readonly redirect: Redirect | null;
  readonly now: () => number;
}

/** An authorisation that waits for a person. */
export interface Flow {
  readonly ok: true;
  /** Where the person goes. */
  readonly url: string;
  /** The grant, once the person came back; nobody is awaited then. */
  finish(): Promise<{ readonly ok: true; readonly grant: OAuthGrant } | OAuthRefusal>;
}

const SECRET_BYTES = 32;

/**
 * Opens the listener, finds the authority, and says where to go (providers.md §9, steps 2 to 6). `needed`: scopes that
 * are asked for beside those of the server, null for none. The signal ends it all.
 */
export async function startFlow(
  oauth: OAuthDeclaration,
  needed: readonly string[] | null,
  signal: AbortSignal,
  tools: FlowTools,
): Promise<Flow | OAuthRefusal> {
  const { loopback } = oauth.client;
  const redirect = tools.redirect ?? (loopback === null ? null : await openListener(loopback));
  if (redirect === null) return refusedBy('authorization_unavailable');
  let isStored = false;
  try {
    const found = await discoverAuthority(oauth, tools.client, needed, signal, tools.wire);
    if (!found.ok) return signal.aborted ? refusedBy('authorization_unavailable') : found;
    const known = await clientOf(oauth, found, redirect.redirectUri, signal, tools);
    if (!known.ok) return signal.aborted ? refusedBy('authorization_unavailable') : known;
    const { client } = known;
    const scope = found.scopes.requested.length === 0 ? {} : { scope: found.scopes.requested.join(' ') };
    const [state, verifier] = [
      randomBytes(SECRET_BYTES).toString('base64url'),
      randomBytes(SECRET_BYTES).toString('base64url'),
    ];
    const url = authorizationUrl(found.server.authorizationEndpoint, {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: redirect.redirectUri,
      ...scope,
      resource: found.resource,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state,
    });
    isStored = true;
    const finish: Flow['finish'] = async () => {
      try {
        const callback = await redirect.callback(signal);
        if (callback === null)
          return refusedBy(signal.aborted ? 'authorization_unavailable' : 'authorization_rejected');
        const code = codeOf(callback, { state, issuer: oauth.issuer, isIssuerTold: found.server.isIssuerTold });
        const members = {
          grant_type: 'authorization_code',
          code: code ?? '',
          redirect_uri: redirect.redirectUri,
          code_verifier: verifier,
          resource: found.resource,
          ...scope,
        };
        const tokens =
          code === null
            ? refusedBy('authorization_rejected')
            : await askTokens(
                { endpoint: found.server.tokenEndpoint, client, members, scopes: found.scopes },
                signal,
                tools.wire,
              );
        await callback.answer(
          tokens.ok ? { kind: 'authorised' } : { kind: 'refused', code: tokens.code, ...refusalIn(callback, state) },
        );
        if (!tokens.ok) return refusedBy(signal.aborted ? 'authorization_unavailable' : tokens.code);
        return {
          ok: true,
          grant: {
            ...makeGrant(tokens, oauth, tools.now()),
            generation: 1,
            server: found.server,
            resource: found.resource,
            registered: oauth.client.registration === 'dynamic' ? client : null,
            granted: null,
            needed: [],
          },
        };
      } finally {
        await redirect.close();
      }
    };
    return { ok: true, url, finish };
  } finally {
    if (!isStored) await redirect.close();
  }
}

/** The client that authorises: one that its operator knows, or one that registers itself now. */
async function clientOf(
  { client: declared, wantsRefresh }: OAuthDeclaration,
  { server, scopes }: AuthorizationFound,
  redirectUri: string,
  signal: AbortSignal,
  { wire, client, secret }: FlowTools,
): Promise<{ readonly ok: true; readonly client: KnownClient } | OAuthRefusal> {
  const { registrationEndpoint: endpoint, authMethod: method } = server;
  if (declared.registration !== 'dynamic' || endpoint === null)
    return { ok: true, client: declaredClient(declared, secret) };
  const registration = { endpoint, redirectUri, method, scopes: scopes.requested, wantsRefresh, client };
  return registerClient(registration, signal, wire);
}

/** What the authority says of a refusal, as it came back with the browser; nothing where nobody knows who sent it. */
function refusalIn(
  { parameters }: Callback,
  expected: string,
): { readonly error: string | null; readonly description: string | null } {
  if (!isSame(parameters.get('state') ?? '', expected)) return { error: null, description: null };
  return { error: parameters.get('error') ?? null, description: parameters.get('error_description') ?? null };
}

/** What tokens come to by the clock. */
export function makeGrant(
  { access, refresh, expiresIn, scopes }: Tokens,
  { unknownExpiryTtlMs }: OAuthDeclaration,
  now: number,
): Pick<OAuthGrant, 'access' | 'refresh' | 'expiresAt' | 'scopes' | 'isRejected'> {
  return {
    access,
    refresh,
    expiresAt: now + (expiresIn === null ? unknownExpiryTtlMs : expiresIn * 1000),
    scopes,
    isRejected: false,
  };
}

/** The endpoint's own query is kept as it is. */
function authorizationUrl(endpoint: string, members: Readonly<Record<string, string>>): string {
  const added = new URLSearchParams(members).toString();
  return endpoint + (endpoint.includes('?') ? (/[?&]$/.test(endpoint) ? '' : '&') : '?') + added;
}

/** The code that came back, or null where it is no answer to this flow (step 8). */
function codeOf(
  { parameters }: Callback,
  expected: { readonly state: string; readonly issuer: string; readonly isIssuerTold: boolean },
): string | null {
  const [state, issuer, code] = [parameters.get('state'), parameters.get('iss'), parameters.get('code')];
  if (state === undefined || !isSame(state, expected.state) || parameters.has('error')) return null;
  const isIssuer = issuer === undefined ? !expected.isIssuerTold : issuer === expected.issuer;
  return isIssuer && code !== undefined && code !== '' ? code : null;
}

/** In a time that does not depend on where they differ. */
function isSame(input: string, expected: string): boolean {
  const [left, right] = [input, expected].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
