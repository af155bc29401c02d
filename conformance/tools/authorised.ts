import type { HttpAction, HttpStep } from '../servers/mcp-http/script.ts';
import { startToolServer, type ToolServer } from '../servers/mcp-http/server.ts';
import type { RealAuthority } from '../servers/oauth/real.ts';
import type { Authority } from '../servers/oauth/server.ts';
import { DISCOVERED, LOOK_UP, TERMS, textResult } from './room.ts';

type Members = Readonly<Record<string, unknown>>;

const SERVED: readonly HttpStep[] = [
  { match: { hasToken: false }, action: { status: 401, headers: { 'www-authenticate': 'Bearer' } } },
  { match: { method: 'server/discover' }, action: { result: DISCOVERED } },
  { match: { method: 'tools/list' }, action: { result: { ...TERMS, tools: [LOOK_UP] } } },
  { match: { method: 'tools/call' }, action: { result: textResult('sunny') } },
];

/** A server of tools that lets in only those who carry a token. */
export interface AuthorisedServer {
  readonly server: ToolServer;
  /** Members of an installation that says who gives tokens. */
  readonly installation: Members;
  readonly close: () => Promise<void>;
}

/** `oauth`: members of the installation's block. Ends with its authority. */
export async function startAuthorisedServer(
  authority: Authority | RealAuthority,
  oauth: Members = {},
): Promise<AuthorisedServer> {
  const issuer = 'issuer' in authority ? authority.issuer : authority.url;
  const pages: Record<string, HttpAction> = {};
  const server = await startToolServer({ script: SERVED, pages, tls: 'trusted' });
  pages['/.well-known/oauth-protected-resource/mcp'] = {
    body: JSON.stringify({
      resource: server.url,
      authorization_servers: [issuer],
      scopes_supported: ['read', 'offline_access'],
    }),
  };
  const block = {
    installation_id: 'one',
    issuer,
    scope_ceiling: ['read', 'offline_access'],
    refresh_access: 'when_supported',
    // A token is renewed a second before it ends.
    unknown_expiry_ttl_ms: 10_000,
    network: { private_network_origins: [issuer, new URL(server.url).origin] },
    client: { registration: 'dynamic' },
    ...oauth,
  };
  return {
    server,
    installation: { transport: { type: 'streamable_http', endpoint: server.url, oauth: block } },
    close: async () => void (await Promise.all([server.close(), authority.close()])),
  };
}
