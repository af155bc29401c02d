import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CERTIFICATES } from '../../../../conformance/servers/http/listen.ts';
import { browse, startRealAuthority } from '../../../../conformance/servers/oauth/real.ts';
import { startToolServer } from '../../../../conformance/servers/mcp-http/server.ts';
import { openSocket } from '../../../http/race.ts';
import { resolveBySystem } from '../../../http/resolve.ts';
import { httpConnection } from '../../../mcp/http/connection.ts';
import { discoverRequest } from '../../../mcp/protocol/request.ts';
import { grantAuthorisation } from '../../../mcp/oauth/authorisation.ts';
import type { OAuthDeclaration } from '../../../mcp/oauth/declaration.ts';
import { cacheDocuments } from '../../../mcp/oauth/documents.ts';
import { startFlow } from '../../../mcp/oauth/flow.ts';
import { memoryGrants } from '../../../mcp/oauth/grants.ts';
import { originsOf } from '../../../mcp/oauth/origins.ts';

const CLIENT = { name: 'svc', version: '1' };
const KEY = { tenant: 't', principal: 'p', id: '0' };

describe('an authorisation server that nobody here wrote (providers.md §9)', () => {
  it('authorises a server of tools, and renews what it granted', async () => {
    const ca = await readFile(join(CERTIFICATES, 'authority.pem'), 'utf8');
    const authority = await startRealAuthority();
    const { issuer } = authority;
    const pages: Record<string, { readonly body: string }> = {};
    const server = await startToolServer({
      tls: 'trusted',
      pages,
      script: [
        { match: { hasToken: false }, action: { status: 401, headers: { 'www-authenticate': 'Bearer scope="read"' } } },
        { action: { result: {} } },
      ],
    });
    pages['/.well-known/oauth-protected-resource/mcp'] = {
      body: JSON.stringify({
        resource: server.url,
        authorization_servers: [issuer],
        scopes_supported: ['read', 'offline_access'],
      }),
    };
    const oauth: OAuthDeclaration = {
      installationId: 'one',
      issuer,
      resource: server.url,
      scopeCeiling: ['read', 'offline_access'],
      defaultScopes: [],
      wantsRefresh: false,
      authorizationTimeoutMs: 60_000,
      unknownExpiryTtlMs: 300_000,
      additionalOrigins: [],
      privateOrigins: [issuer, new URL(server.url).origin],
      client: {
        id: 'me',
        registration: 'pre_registered',
        authMethod: 'none',
        secret: null,
        loopback: { host: '127.0.0.1', path: '/back' },
        redirectUris: [],
      },
      fingerprint: 'f',
    };
    const wire = {
      dial: { resolve: resolveBySystem, open: openSocket, authorities: () => [ca] },
      origins: originsOf(oauth),
      documents: cacheDocuments(() => now).of('f'),
    };
    let now = 1000;
    try {
      const flow = await startFlow(oauth, null, AbortSignal.timeout(60_000), {
        wire,
        client: CLIENT,
        secret: null,
        redirect: null,
        now: () => now,
      });
      if (!flow.ok) throw new Error(flow.code);
      const [finished, page] = await Promise.all([flow.finish(), browse(flow.url)]);
      expect(page).to.deep.include({ status: 200 }).and.property('text').to.include('svc is authorised');
      if (!finished.ok) throw new Error(finished.code);
      const store = memoryGrants();
      await store.replace(KEY, null, finished.grant);
      const connection = httpConnection(
        server.url,
        grantAuthorisation({ oauth, key: KEY, store, wire, client: CLIENT, secret: null, now: () => now }),
        wire.dial,
        { client: CLIENT, revisions: 'auto' },
      );
      const ask = async (): Promise<string> =>
        (
          await connection.exchange(
            discoverRequest(1, { client: CLIENT, revision: '2026-07-28', progressToken: null, traceparent: null }),
            AbortSignal.timeout(60_000),
          )
        ).kind;
      expect(await ask()).to.equal('answered');
      now += 60_000;
      expect(await ask()).to.equal('answered');
      const tokens = server.requests.flatMap(({ headers: { authorization } }) =>
        authorization === undefined ? [] : [authorization],
      );
      expect(new Set(tokens).size, 'another token').to.equal(2);
      await connection.close();
    } finally {
      await authority.close();
      await server.close();
    }
  });
});
