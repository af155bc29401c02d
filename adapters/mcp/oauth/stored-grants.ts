import type { GrantStore, StoredGrant } from '../../../contract/provider-protocol/grant-store.ts';
import { BEARER } from './tokens.ts';
import type { ClientAuthMethod, KnownClient, OAuthDeclaration } from './declaration.ts';
import type { OAuthGrant, Grants } from './grants.ts';
import type { ServerFacts } from './metadata.ts';

/** A store that has not answered by then is not available; the same as for credentials (gateway.md §16). */
const ANSWER_MS = 5000;
const TEXT_BYTES = 262_144;

/**
 * Grants in a store of the calling program, which is written by others: nothing of what it answers is taken on trust.
 */
export function storedGrants(store: GrantStore, answerMs: number = ANSWER_MS): Grants {
  return {
    read: async (key) => {
      const storedGrant = await finishInTime(store.read(key), answerMs);
      const grant = storedGrant === null ? null : grantIn(storedGrant);
      if (grant === undefined) throw new TypeError('what a store gives was not put there');
      return grant;
    },
    replace: async (key, generation, grant) => {
      const isReplaced = await finishInTime(store.replace(key, generation, storedGrant(grant)), answerMs);
      if (typeof isReplaced !== 'boolean') throw new TypeError('a store says whether it replaced');
      return isReplaced;
    },
    remove: async (key, generation) => {
      await finishInTime(store.remove(key, generation), answerMs);
    },
    lock: async (key) => {
      const isLocked = store.lock === undefined || (await finishInTime(store.lock(key), answerMs));
      if (typeof isLocked !== 'boolean') throw new TypeError('a store says whether it is locked');
      return isLocked;
    },
    unlock: async (key) => {
      if (store.unlock !== undefined) await finishInTime(store.unlock(key), answerMs);
    },
  };
}

async function finishInTime<T>(answer: Promise<T>, answerMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('a store answers in time')), answerMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function storedGrant({ generation, ...members }: OAuthGrant): StoredGrant {
  return { generation, text: JSON.stringify(members) };
}

/** A grant of a store as it is; null for what is none. */
export function readGrant(stored: StoredGrant): OAuthGrant | null {
  return grantIn(stored) ?? null;
}

/** Undefined for what is none. */
function grantIn(stored: unknown): OAuthGrant | undefined {
  const { generation, text }: { readonly generation?: unknown; readonly text?: unknown } = Object(stored);
  if (
    typeof generation !== 'number' ||
    !Number.isSafeInteger(generation) ||
    generation < 1 ||
    typeof text !== 'string' ||
    Buffer.byteLength(text) > TEXT_BYTES
  )
    return undefined;
  const {
    access,
    refresh,
    expiresAt,
    scopes,
    server: facts,
    resource = null,
    registered = null,
    granted = null,
    isRejected,
    needed,
  }: { readonly [K in keyof OAuthGrant]?: unknown } = Object(parsed(text));
  // A grant that an earlier version kept does not say these.
  const server: unknown = {
    authMethod: 'none',
    registrationEndpoint: null,
    revocationEndpoint: null,
    ...Object(facts),
  };
  const isGrant =
    typeof access === 'string' &&
    BEARER.test(access) &&
    isTextOrNull(refresh) &&
    typeof expiresAt === 'number' &&
    isTexts(scopes) &&
    typeof isRejected === 'boolean' &&
    isTexts(needed) &&
    isTextOrNull(resource) &&
    (registered === null || isClient(registered)) &&
    (granted === null || isNoted(granted)) &&
    isServer(server);
  return isGrant
    ? { generation, access, refresh, expiresAt, scopes, server, resource, registered, granted, isRejected, needed }
    : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isServer(value: unknown): value is ServerFacts {
  const {
    authorizationEndpoint,
    tokenEndpoint,
    scopes,
    isIssuerTold,
    canRefresh,
    authMethod,
    registrationEndpoint,
    revocationEndpoint,
  }: { readonly [K in keyof ServerFacts]?: unknown } = Object(value);
  return (
    [authorizationEndpoint, tokenEndpoint].every((url) => typeof url === 'string' && URL.canParse(url)) &&
    (scopes === null || isTexts(scopes)) &&
    typeof isIssuerTold === 'boolean' &&
    typeof canRefresh === 'boolean' &&
    isMethod(authMethod) &&
    [registrationEndpoint, revocationEndpoint].every(
      (url) => url === null || (typeof url === 'string' && URL.canParse(url)),
    )
  );
}

function isClient(value: unknown): value is KnownClient {
  const { id, method, secret }: { readonly [K in keyof KnownClient]?: unknown } = Object(value);
  return typeof id === 'string' && isMethod(method) && isTextOrNull(secret);
}

function isMethod(value: unknown): value is ClientAuthMethod {
  return value === 'none' || value === 'client_secret_basic' || value === 'client_secret_post';
}

/** Checks only those members of its declaration that requests are made from. */
function isNoted(value: unknown): value is NonNullable<OAuthGrant['granted']> {
  const { name, oauth }: { readonly name?: unknown; readonly oauth?: unknown } = Object(value);
  const {
    issuer,
    resource,
    additionalOrigins,
    privateOrigins,
    client,
  }: { readonly [K in keyof OAuthDeclaration]?: unknown } = Object(oauth);
  const { id, authMethod, secret }: { readonly [K in keyof OAuthDeclaration['client']]?: unknown } = Object(client);
  return (
    typeof name === 'string' &&
    [issuer, resource].every((url) => typeof url === 'string' && URL.canParse(url)) &&
    isTexts(additionalOrigins) &&
    isTexts(privateOrigins) &&
    typeof id === 'string' &&
    isMethod(authMethod) &&
    isTextOrNull(secret)
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
