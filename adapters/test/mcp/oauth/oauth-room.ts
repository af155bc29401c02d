import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CERTIFICATES } from '../../../../conformance/servers/http/listen.ts';
import type { HttpAction, HttpStep } from '../../../../conformance/servers/mcp-http/script.ts';
import { startToolServer, type ToolServer } from '../../../../conformance/servers/mcp-http/server.ts';
import { agree, visit } from '../../../../conformance/servers/oauth/robot.ts';
import { startAuthority, type Authority, type AuthorityScript } from '../../../../conformance/servers/oauth/server.ts';
import { openSocket } from '../../../http/race.ts';
import { resolveBySystem } from '../../../http/resolve.ts';
import type { AuthorizationClient } from '../../../mcp/oauth/ask.ts';
import type { OAuthDeclaration, OAuthCode } from '../../../mcp/oauth/declaration.ts';
import { cacheDocuments } from '../../../mcp/oauth/documents.ts';
import { startFlow, type FlowTools } from '../../../mcp/oauth/flow.ts';
import type { OAuthGrant } from '../../../mcp/oauth/grants.ts';
import { originsOf } from '../../../mcp/oauth/origins.ts';

export const METADATA = '/.well-known/oauth-protected-resource/mcp';

export interface RoomScript {
  readonly authority?: AuthorityScript;
  /** Of the tool server; absent: it refuses who has no token. */
  readonly steps?: readonly HttpStep[];
  /** The tool server speaks an earlier revision. */
  readonly isOlder?: boolean;
  /** `{{issuer}}` and `{{resource}}` become these addresses; absent: the usual document. */
  readonly pages?: Readonly<Record<string, HttpAction>>;
}

/** A server of tools, whom an authority protects, both over TLS on loopback. */
export class OAuthRoom {
  readonly authority: Authority;
  readonly server: ToolServer;
  readonly oauth: OAuthDeclaration;
  readonly #certificate: string;
  now = 1_000_000;

  private constructor(
    authority: Authority,
    server: ToolServer,
    certificate: string,
    changes: Partial<OAuthDeclaration>,
  ) {
    [this.authority, this.server, this.#certificate] = [authority, server, certificate];
    const [issuer, resource] = [authority.url, server.url];
    this.oauth = {
      installationId: 'one',
      issuer,
      resource,
      scopeCeiling: ['read', 'write', 'offline_access'],
      defaultScopes: [],
      wantsRefresh: true,
      authorizationTimeoutMs: 60_000,
      unknownExpiryTtlMs: 300_000,
      additionalOrigins: [],
      privateOrigins: [new URL(issuer).origin, new URL(resource).origin],
      client: {
        id: 'me',
        registration: 'pre_registered',
        authMethod: 'none',
        secret: null,
        loopback: { host: '127.0.0.1', path: '/back' },
        redirectUris: [],
      },
      fingerprint: 'f',
      ...changes,
    };
  }

  static async open(
    { authority: script = {}, steps, isOlder = false, pages }: RoomScript = {},
    changes: Partial<OAuthDeclaration> = {},
  ): Promise<OAuthRoom> {
    const certificate = await readFile(join(CERTIFICATES, 'authority.pem'), 'utf8');
    const authority = await startAuthority({ script, tls: 'trusted' });
    const usual = {
      [METADATA]: {
        body: JSON.stringify({
          resource: '{{resource}}',
          authorization_servers: ['{{issuer}}'],
          scopes_supported: ['read', 'offline_access'],
        }),
      },
    };
    const filled: Record<string, HttpAction> = {};
    const server = await startToolServer({
      tls: 'trusted',
      pages: filled,
      isOlder,
      script: steps ?? [
        { match: { hasToken: false }, action: { status: 401, headers: { 'www-authenticate': 'Bearer' } } },
        { action: { dump: true } },
      ],
    });
    const fill = (text: string): string =>
      text
        .replaceAll('{{origin}}', new URL(server.url).origin)
        .replaceAll('{{resource}}', server.url)
        .replaceAll('{{issuer}}', authority.url);
    for (const [path, { body, ...action }] of Object.entries(pages ?? usual))
      filled[path] = { ...action, ...(body !== undefined && { body: fill(body) }) };
    return new OAuthRoom(authority, server, certificate, changes);
  }

  get wire(): AuthorizationClient {
    return {
      dial: { resolve: resolveBySystem, open: openSocket, authorities: () => [this.#certificate] },
      origins: originsOf(this.oauth),
      documents: cacheDocuments(() => this.now).of('f'),
    };
  }

  get tools(): FlowTools {
    return {
      wire: this.wire,
      client: { name: 'svc', version: '1' },
      secret: null,
      redirect: null,
      now: () => this.now,
    };
  }

  /** Authorises with a person who agrees; `back` is what the browser does with the address that it is sent back to. */
  async authorise(
    back: (address: string) => Promise<unknown> = visit,
    signal = AbortSignal.timeout(60_000),
  ): Promise<OAuthGrant | OAuthCode> {
    const flow = await startFlow(this.oauth, null, signal, this.tools);
    if (!flow.ok) return flow.code;
    const [finished] = await Promise.all([
      flow.finish(),
      agree(flow.url)
        .then(back)
        .catch(() => undefined),
    ]);
    return finished.ok ? finished.grant : finished.code;
  }

  async close(): Promise<void> {
    await Promise.all([this.authority.close(), this.server.close()]);
  }
}
