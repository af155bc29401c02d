import { isJsonArray, type JsonObject } from '../../../contract/json/value.ts';
import type { OAuthDeclaration } from './declaration.ts';
import type { Origins } from './origins.ts';

/** What a server says of how it is protected. */
export interface ResourceFacts {
  readonly scopes: readonly string[] | null;
}

/** What an authorisation server says of itself, as far as it is used. A grant belongs to exactly this. */
export interface ServerFacts {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly scopes: readonly string[] | null;
  readonly isIssuerTold: boolean;
  readonly canRefresh: boolean;
}

/** Null where the document is of another resource, or does not name the issuer (providers.md §9, "Discovery"). */
export function readResource(
  document: JsonObject,
  { resource, issuer }: Pick<OAuthDeclaration, 'resource' | 'issuer'>,
): ResourceFacts | null {
  const named = document.get('resource');
  const methods = listIn(document, 'bearer_methods_supported');
  const scopes = listIn(document, 'scopes_supported');
  const isOurs =
    typeof named === 'string' &&
    canonical(named) === canonical(resource) &&
    listIn(document, 'authorization_servers')?.includes(issuer) === true;
  return isOurs && (methods === undefined || methods?.includes('header') === true) && scopes !== null
    ? { scopes: scopes ?? null }
    : null;
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
  const told = document.get('authorization_response_iss_parameter_supported') ?? false;
  const supports = (name: string, value: string, otherwise: readonly string[]): boolean => {
    const list = listIn(document, name);
    return list !== null && (list ?? otherwise).includes(value);
  };
  const isUsable =
    document.get('issuer') === issuer &&
    supports('response_types_supported', 'code', []) &&
    supports('grant_types_supported', 'authorization_code', ['authorization_code']) &&
    supports('response_modes_supported', 'query', ['query']) &&
    supports('code_challenge_methods_supported', 'S256', []) &&
    supports('token_endpoint_auth_methods_supported', client.secret === null ? 'none' : 'client_secret_basic', [
      'client_secret_basic',
    ]) &&
    (!client.isDescribedAtId || document.get('client_id_metadata_document_supported') === true);
  if (!isUsable || authorize === null || token === null || scopes === null || typeof told !== 'boolean') return null;
  return {
    authorizationEndpoint: authorize,
    tokenEndpoint: token,
    scopes: scopes ?? null,
    isIssuerTold: told,
    canRefresh: grants?.includes('refresh_token') === true,
  };
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
