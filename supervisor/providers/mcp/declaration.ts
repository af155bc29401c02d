import { resolve } from 'node:path';
import type { OwnedOAuth, ServerDeclaration } from '../../../adapters/pool/servers.ts';
import type { ImportedTools, MappedTool } from '../../../contract/tool-mapping.ts';
import type { InstallationOf } from '../../documents/host/fields.ts';
import { oauthFingerprint } from '../../documents/identity/oauth.ts';
import type { NormalisedSelection } from '../source/selection.ts';
import { toolMapping, toolRows, type ToolRows } from './tool-rows.ts';

/** `imported`: it is in the configuration of a client, and in no host document (code-mode.md §3). */
export type ServedInstallation = InstallationOf<'mcp'> & { readonly imported?: ImportedTools };
type Installation = InstallationOf<'mcp'>;
type Transport = ServerDeclaration['transport'];
type StdioTransport = Extract<Transport, { readonly type: 'stdio' }>;
type HttpTransport = Extract<Transport, { readonly type: 'streamable_http' }>;
type Declared<T extends Transport['type']> = Extract<Installation['transport'], { readonly type: T }>;

/** What the host document says around an installation. */
export interface DeclarationContext {
  /** Canonical directory of the host document. */
  readonly hostDirectory: string;
  /** Of the host document: a program that starts children; null for none. */
  readonly launcher: string | null;
}

/** What a local check looks at, or found, beside what is declared. */
export type CheckedTransport = Pick<StdioTransport, 'inherited' | 'programs'>;

/** How a child is started. */
export function stdioOf(
  transport: Declared<'stdio'>,
  { hostDirectory, launcher }: DeclarationContext,
  { inherited, programs }: CheckedTransport,
): StdioTransport {
  return {
    type: 'stdio',
    command: transport.command,
    args: transport.args,
    directory: resolve(hostDirectory, transport.cwd),
    inherited,
    programs,
    bindings: new Map([...transport.env].map(([variable, { binding }]) => [variable, binding])),
    launcher,
    graceMs: transport.grace_ms,
    startTimeoutMs: transport.start_timeout_ms,
    stderrBytes: transport.stderr_bytes,
  };
}

/** Whose grants are used: those of the run that asked for them (providers.md §9, "Store"). */
export type GrantOwner = Pick<OwnedOAuth, 'tenant' | 'principal'>;

/** How an endpoint is asked. */
export function httpOf(transport: Omit<Declared<'streamable_http'>, 'type'>, owner: GrantOwner): HttpTransport {
  const { endpoint, auth } = transport;
  return {
    type: 'streamable_http',
    endpoint,
    auth: auth.map((one) =>
      'header' in one
        ? { scheme: one.scheme, credential: one.binding, header: one.header }
        : { scheme: one.scheme, credential: one.binding },
    ),
    oauth: transport.oauth === undefined ? null : ownedOAuth(transport.oauth, endpoint, owner),
  };
}

/** The same of an API, which need not say how it is protected. */
export function plainApi(oauth: OwnedOAuth): OwnedOAuth {
  return { ...oauth, declaration: { ...oauth.declaration, isPlainApi: true } };
}

/** What is asked of the server at an endpoint, and whose grant is meant. */
export function ownedOAuth(
  oauth: NonNullable<Declared<'streamable_http'>['oauth']>,
  endpoint: string,
  owner: GrantOwner,
): OwnedOAuth {
  const { client, network } = oauth;
  return {
    ...owner,
    declaration: {
      installationId: oauth.installation_id,
      issuer: oauth.issuer,
      resource: oauth.resource ?? endpoint,
      scopeCeiling: oauth.scope_ceiling,
      defaultScopes: oauth.default_scopes,
      wantsRefresh:
        oauth.refresh_access === 'when_supported' &&
        (!('grant_types' in client) || client.grant_types.includes('refresh_token')),
      authorizationTimeoutMs: oauth.authorization_timeout_ms,
      unknownExpiryTtlMs: oauth.unknown_expiry_ttl_ms,
      additionalOrigins: network.additional_origins,
      privateOrigins: network.private_network_origins,
      client: {
        id: 'client_id' in client ? client.client_id : '',
        registration: client.registration,
        authMethod: 'auth_method' in client ? client.auth_method : 'none',
        secret: 'client_secret_binding' in client ? client.client_secret_binding : null,
        loopback: client.loopback_redirect ?? (isOpen(client) ? LOOPBACK : null),
        redirectUris: client.redirect_uris ?? [],
      },
      fingerprint: oauthFingerprint(oauth),
    },
  };
}

/** Of a client that registers itself and names no place where people come back to. */
const LOOPBACK = { host: '127.0.0.1', path: '/callback' } as const;

function isOpen(client: NonNullable<Declared<'streamable_http'>['oauth']>['client']): boolean {
  return client.registration === 'dynamic' && client.redirect_uris === undefined;
}

/** What an adapter opens for a selection: the mappings that it allows, within its bounds. */
export function serverDeclaration(
  installation: ServedInstallation,
  selection: NormalisedSelection,
  transport: Transport,
): ServerDeclaration {
  const { tools, snapshot_identity: identity, ceilings, imported = null } = installation;
  const rows = toolRows(tools);
  const bound = (field: 'timeout_ms' | 'max_result_bytes'): number => {
    const value = selection[field];
    return typeof value === 'number' ? value : ceilings[field];
  };
  return {
    transport,
    revisions: installation.revisions ?? 'auto',
    tools: toolMapping(rows, selection, imported),
    snapshotIdentity:
      identity === undefined ? null : { tool: identityTool(rows, identity.tool), field: identity.field },
    maxCatalogTools: ceilings.max_catalog_tools,
    isImported: imported !== null,
    timeoutMs: bound('timeout_ms'),
    maxResultBytes: bound('max_result_bytes'),
  };
}

/** A reading tool, whether programs may call it or not (providers.md §7.6). */
function identityTool({ rows, every }: ToolRows, upstream: string): MappedTool {
  const row = rows.find((one) => one.upstream === upstream);
  const terms = row ?? every;
  return {
    upstream,
    as: row?.as ?? upstream,
    effect: 'read',
    description: null,
    errorFeedback: terms?.error_feedback ?? 'closed',
    isModelVisible: false,
    inspectionCapture: terms?.inspection_capture ?? 'full',
    isInline: terms?.content === 'inline',
  };
}
