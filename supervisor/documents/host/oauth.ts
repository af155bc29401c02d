import type { Decoded } from '../fields/shape.ts';
import type { OAUTH } from './mcp-fields.ts';

export type OauthDeclaration = Decoded<typeof OAUTH>;

/** Bytes of all scopes of the ceiling together (documents.md §7). */
const MAX_SCOPE_BYTES = 8192;

/** The place of the first broken rule inside the OAuth block, null for none (documents.md §7, oauth). */
export function oauthFault(oauth: OauthDeclaration, endpoint: string): string | null {
  if (!isPlainHttps(oauth.issuer)) return '/issuer';
  if (oauth.resource !== undefined && canonicalAddress(oauth.resource) !== canonicalAddress(endpoint))
    return '/resource';
  const bytes = oauth.scope_ceiling.reduce((sum, scope) => sum + Buffer.byteLength(scope), 0);
  if (bytes > MAX_SCOPE_BYTES) return '/scope_ceiling';
  if (!oauth.default_scopes.every((scope) => oauth.scope_ceiling.includes(scope))) return '/default_scopes';
  if (!oauth.network.additional_origins.every((origin) => isOrigin(origin, ['https:'])))
    return '/network/additional_origins';
  if (!oauth.network.private_network_origins.every((origin) => isOrigin(origin, ['http:', 'https:']))) {
    return '/network/private_network_origins';
  }
  return clientFault(oauth.client);
}

function clientFault(client: OauthDeclaration['client']): string | null {
  if ('grant_types' in client && !client.grant_types.includes('authorization_code')) return '/client/grant_types';
  if (client.registration === 'client_id_metadata_document' && !isMetadataDocument(client.client_id))
    return '/client/client_id';
  const loopback = 'loopback_redirect' in client && client.loopback_redirect !== undefined;
  const redirects = client.redirect_uris ?? [];
  // A client that registers itself needs none: it takes a port of this machine.
  const isOpen = client.registration === 'dynamic' && !loopback && redirects.length === 0;
  if (!isOpen && loopback === redirects.length > 0) return '/client';
  return redirects.every(isRedirect) ? null : '/client/redirect_uris';
}

/** Scheme and host in lower case, everything else as written; null for no address. */
function canonicalAddress(address: string): string | null {
  const [, scheme, authority, rest] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)(.*)$/su.exec(address) ?? [];
  if (scheme === undefined || authority === undefined || rest === undefined) return null;
  return `${scheme.toLowerCase()}://${authority.toLowerCase()}${rest}`;
}

function parsedHttps(address: string): URL | null {
  const url = address.startsWith('https://') ? URL.parse(address) : null;
  if (url === null || url.username !== '' || url.password !== '') return null;
  return /[@\\\s]/u.test(address) ? null : url;
}

function isPlainHttps(address: string): boolean {
  return parsedHttps(address) !== null && !/[?#]/u.test(address);
}

function isRedirect(address: string): boolean {
  return isPlainHttps(address) && /^https:\/\/[^/]+\//u.test(address);
}

/** A client that is described by a document at its own id: a real path, as it is written. */
function isMetadataDocument(address: string): boolean {
  const url = parsedHttps(address);
  if (url === null || /[?#]/u.test(address)) return false;
  const path = /^https:\/\/[^/]+(\/.*)$/u.exec(address)?.[1];
  return path !== undefined && path !== '/' && !path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/iu.test(segment));
}

function isOrigin(address: string, schemes: readonly string[]): boolean {
  const url = URL.parse(address);
  return url !== null && schemes.includes(url.protocol) && url.origin === address;
}
