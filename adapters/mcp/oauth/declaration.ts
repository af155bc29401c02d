import type { Network } from '../../../contract/provider-protocol/network.ts';

/**
 * What a host document says of authorising one server, every default filled in (documents.md §7, oauth). Plain data.
 */
export interface OAuthDeclaration {
  readonly installationId: string;
  readonly issuer: string;
  /** What tokens are asked for: the endpoint. */
  readonly resource: string;
  /**
   * An API of its own form, which need not say how it is protected: its operator does. Absent: a server of tools, which
   * has to.
   */
  readonly isPlainApi?: boolean;
  readonly scopeCeiling: readonly string[];
  readonly defaultScopes: readonly string[];
  readonly wantsRefresh: boolean;
  readonly authorizationTimeoutMs: number;
  readonly unknownExpiryTtlMs: number;
  readonly additionalOrigins: readonly string[];
  readonly privateOrigins: readonly string[];
  readonly client: OAuthClient;
  /** Of the whole block: a grant belongs to it, and ends with any change of it. */
  readonly fingerprint: string;
}

/** How a client proves itself to a token endpoint. */
export type ClientAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

export interface OAuthClient {
  /** Empty where it is `dynamic`: the authority gives it one. */
  readonly id: string;
  /** `dynamic`: svc registers itself with the authority whenever a person authorises it (RFC 7591). */
  readonly registration: 'pre_registered' | 'client_id_metadata_document' | 'dynamic';
  /** `none` where it is `dynamic`: which one it is follows from what the authority supports. */
  readonly authMethod: ClientAuthMethod;
  /** Name of the credential that authenticates it; null for a public client, and for one that registers itself. */
  readonly secret: string | null;
  /** Where people are sent back to, on a port of this machine; null where somebody else's address is registered. */
  readonly loopback: { readonly host: '127.0.0.1' | '::1'; readonly path: string } | null;
  /** Addresses of the calling program that are registered instead. */
  readonly redirectUris: readonly string[];
}

/** A client as an authority knows it, with what proves it. Plain data. */
export interface KnownClient {
  readonly id: string;
  readonly method: ClientAuthMethod;
  /** Null for a public client. */
  readonly secret: string | null;
}

/** The client that a declaration speaks of; one that registers itself is known only once it has. */
export function declaredClient({ id, authMethod }: OAuthClient, secret: string | null): KnownClient {
  return { id, method: authMethod, secret };
}

/** A declaration, and whose grant is meant. Plain data. */
export interface OwnedOAuth {
  readonly declaration: OAuthDeclaration;
  readonly tenant: string;
  /** Anyone who authorised: the run of a command, a person of a calling program. */
  readonly principal: string;
  /** Number of the store that the grant is kept in; absent: the memory of this process. */
  readonly store?: number;
  /** The way to its servers; absent: that of the system. */
  readonly network?: Network;
}

/** Why nothing is authorised (providers.md §9, "Failure"). */
export type OAuthCode =
  | 'authorization_required'
  | 'authorization_rejected'
  | 'authentication_rejected'
  | 'authorization_unavailable'
  | 'connectivity_unavailable'
  | 'connectivity_rejected'
  | 'connectivity_protocol_error';

export interface OAuthRefusal {
  readonly ok: false;
  readonly code: OAuthCode;
}

export function refusedBy(code: OAuthCode): OAuthRefusal {
  return { ok: false, code };
}
