import { isJsonArray, type JsonObject } from '../../../contract/json/value.ts';
import type { ClientAuthMethod, OAuthDeclaration } from './declaration.ts';
import type { Origins } from './origins.ts';

/** Those that svc can register with, the one that has no secret to keep first. */
const METHODS: readonly ClientAuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];
/** Of an authority that lists none (RFC 8414). */
const STANDARD_METHOD: ClientAuthMethod = 'client_secret_basic';

/** What a server says of how it is protected. */
export interface ResourceFacts {
  /** What tokens are asked for: the endpoint, or the whole origin of it. */
  readonly resource: string;
  readonly scopes: readonly string[] | null;
}

/** What an authorisation server says of itself, as far as it is used. A grant belongs to exactly this. */
export interface ServerFacts {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly scopes: readonly string[] | null;
  readonly isIssuerTold: boolean;
  readonly canRefresh: boolean;
  /** How the client proves itself. */
  readonly authMethod: ClientAuthMethod;
  /** Where clients register themselves; null where they cannot, and where none has to. */
  readonly registrationEndpoint: string | null;
  /** Where a grant is given back; null where it cannot be. */
  readonly revocationEndpoint: string | null;
}

/**
 * Null where the document is of another resource, or does not name the issuer (providers.md §9, "Discovery"). It may be
 * that of the whole origin (world.md §2.5).
 */
export function readResource(
  document: JsonObject,
  { resource, issuer }: Pick<OAuthDeclaration, 'resource' | 'issuer'>,
): ResourceFacts | null {
  const named = document.get('resource');
  const methods = listIn(document, 'bearer_methods_supported');
  const scopes = listIn(document, 'scopes_supported');
  const found = typeof named === 'string' ? protectedResource(named, resource) : null;
  const isNamed = listIn(document, 'authorization_servers')?.includes(issuer) === true;
  return found !== null && isNamed && (methods === undefined || methods?.includes('header') === true) && scopes !== null
    ? { resource: found, scopes: scopes ?? null }
    : null;
}

/** The endpoint as the operator wrote it, or its origin as the server writes it; null for anything else. */
function protectedResource(named: string, endpoint: string): string | null {
  if (canonical(named) === canonical(endpoint)) return endpoint;
  return canonical(named).replace(/\/$/, '') === new URL(endpoint).origin ? named : null;
}

/**
 * Null where it is another issuer's, or cannot do what is needed: codes by query, proof by S256, this client's method.
 */
export function readServer(
  document: JsonObject,
  { issuer, client }: Pick<OAuthDeclaration, 'issuer' | 'client'>,
  origins: Origins,
): ServerFacts | null {
  const [authorize, token] = [
    endpointIn(document, 'authorization_endpoint', origins),
    endpointIn(document, 'token_endpoint', origins),
  ];
  const scopes = listIn(document, 'scopes_supported');
  const grants = listIn(document, 'grant_types_supported');
  const isNamed = document.get('authorization_response_iss_parameter_supported') ?? false;
  const supports = (name: string, value: string, otherwise: readonly string[]): boolean => {
    const list = listIn(document, name);
    return list !== null && (list ?? otherwise).includes(value);
  };
  const methods: readonly ClientAuthMethod[] = client.registration === 'dynamic' ? METHODS : [client.authMethod];
  const method = methods.find((one) => supports('token_endpoint_auth_methods_supported', one, [STANDARD_METHOD]));
  const registration =
    client.registration === 'dynamic' ? endpointIn(document, 'registration_endpoint', origins) : null;
  const isUsable =
    document.get('issuer') === issuer &&
    supports('response_types_supported', 'code', []) &&
    supports('grant_types_supported', 'authorization_code', ['authorization_code']) &&
    supports('response_modes_supported', 'query', ['query']) &&
    supports('code_challenge_methods_supported', 'S256', []) &&
    (client.registration !== 'dynamic' || registration !== null) &&
    (client.registration !== 'client_id_metadata_document' ||
      document.get('client_id_metadata_document_supported') === true);
  if (!isUsable || authorize === null || token === null || scopes === null || typeof isNamed !== 'boolean') return null;
  if (method === undefined) return null;
  return {
    authorizationEndpoint: authorize,
    tokenEndpoint: token,
    scopes: scopes ?? null,
    isIssuerTold: isNamed,
    canRefresh: grants?.includes('refresh_token') === true,
    authMethod: method,
    registrationEndpoint: registration,
    revocationEndpoint: endpointIn(document, 'revocation_endpoint', origins),
  };
}

/** Whether a grant by one is a grant by the other: where it was given, and how it is used (providers.md §9). */
export function isSameAuthority(one: ServerFacts, other: ServerFacts): boolean {
  const [left, right] = [one, other].map(({ authorizationEndpoint, tokenEndpoint, scopes, isIssuerTold, canRefresh }) =>
    JSON.stringify([authorizationEndpoint, tokenEndpoint, scopes, isIssuerTold, canRefresh]),
  );
  return left === right;
}

/** Undefined where the member is missing, null where it is no list of texts. */
function listIn(document: JsonObject, name: string): readonly string[] | undefined | null {
  const list = document.get(name);
  if (list === undefined) return undefined;
  return isJsonArray(list) && list.every((item) => typeof item === 'string') ? list : null;
}

function endpointIn(document: JsonObject, name: string, origins: Origins): string | null {
  const text = document.get(name);
  const url = typeof text === 'string' ? URL.parse(text) : null;
  const isSound =
    url !== null && url.hash === '' && url.username === '' && url.password === '' && origins.admits(url) !== undefined;
  return isSound ? url.href : null;
}

/** Scheme and host in lower case, everything else as written. */
function canonical(address: string): string {
  return address.replace(/^[^/]*\/\/[^/?#]*/, (start) => start.toLowerCase());
}
