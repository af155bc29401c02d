import { expect } from 'chai';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request as secureRequest } from 'node:https';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Provider } from 'oidc-provider';
import { CERTIFICATES } from '../../../conformance/servers/http/listen.ts';
import { startToolServer } from '../../../conformance/servers/mcp-http/server.ts';
import { openSocket } from '../../http/race.ts';
import { resolveBySystem } from '../../http/resolve.ts';
import { httpConnection } from '../http/connection.ts';
import { discoverRequest } from '../protocol/request.ts';
import { grantAuthorisation } from './authorisation.ts';
import type { OAuthDeclaration } from './declaration.ts';
import { cacheDocuments } from './documents.ts';
import { startFlow } from './flow.ts';
import { memoryGrants } from './grants.ts';
import { originsOf } from './origins.ts';

const CLIENT = { name: 'svc', version: '1' };
const STEPS_MAX = 20;

/** A person with a browser: keeps cookies, follows where it is sent, and fills in every form. */
async function browse(address: string, ca: string): Promise<{ readonly status: number; readonly text: string }> {
  const cookies = new Map<string, string>();
  let next: { readonly url: string; readonly form: string | null } = { url: address, form: null };
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { url, form } = next;
    const headers = {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(form !== null && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const options = {
      method: form === null ? 'GET' : 'POST',
      headers: url.startsWith('https:') ? headers : {},
      agent: false,
    };
    const sent = url.startsWith('https:') ? secureRequest(url, { ...options, ca }) : plainRequest(url, options);
    sent.end(form ?? undefined);
    const [response]: IncomingMessage[] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response ?? []) text += String(chunk);
    for (const cookie of response?.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const { location } = response?.headers ?? {};
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(text) ?? [];
    if (location !== undefined) next = { url: new URL(location, url).href, form: null };
    else if (action !== undefined)
      next = { url: new URL(action.replaceAll('&amp;', '&'), url).href, form: filledIn(text) };
    else return { status: response?.statusCode ?? 0, text };
  }
  throw new Error('nobody is ever sent back');
}

function filledIn(page: string): string {
  const hidden = [...page.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  return new URLSearchParams([...hidden, ['login', 'somebody'], ['password', 'anything']]).toString();
}

const KEY = { tenant: 't', principal: 'p', id: '0' };

describe('an authorisation server that nobody here wrote (providers.md §9)', () => {
  it('authorises a server of tools, and renews what it granted', async () => {
    const [ca, pem] = await Promise.all(
      ['authority', 'trusted'].map(async (name) => readFile(join(CERTIFICATES, `${name}.pem`), 'utf8')),
    );
    const https = createServer({ cert: pem, key: pem });
    https.listen(0, '127.0.0.1');
    await once(https, 'listening');
    const address = https.address();
    const issuer = `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
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
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: 'me',
          token_endpoint_auth_method: 'none',
          application_type: 'native',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          redirect_uris: ['http://127.0.0.1/back'],
        },
      ],
      scopes: ['openid', 'offline_access', 'read'],
      features: {
        devInteractions: { enabled: true },
        resourceIndicators: { enabled: true, getResourceServerInfo: () => ({ scope: 'read', accessTokenTTL: 60 }) },
      },
      issueRefreshToken: async () => true,
      rotateRefreshToken: true,
    });
    const serve = provider.callback();
    https.on('request', (request, response) => void serve(request, response));
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
      dial: { resolve: resolveBySystem, open: openSocket, authorities: () => [ca ?? ''] },
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
      const [finished, page] = await Promise.all([flow.finish(), browse(flow.url, ca ?? '')]);
      expect(page).to.deep.include({ status: 200 }).and.property('text').to.include('svc is authorised');
      if (!finished.ok) throw new Error(finished.code);
      const store = memoryGrants();
      await store.replace(KEY, null, finished.grant);
      const connection = httpConnection(
        server.url,
        grantAuthorisation({ oauth, key: KEY, store, wire, client: CLIENT, secret: null, now: () => now }),
        wire.dial,
      );
      const ask = async (): Promise<string> =>
        (
          await connection.exchange(
            discoverRequest(1, { client: CLIENT, progressToken: null, traceparent: null }),
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
      https.close();
      https.closeAllConnections();
      await server.close();
    }
  });
});
