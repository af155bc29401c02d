import { expect } from 'chai';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { listen, type Listening } from '../../../../conformance/servers/http/listen.ts';
import { systemDial } from '../../../http/dial.ts';
import { askDocument } from '../../../mcp/oauth/ask.ts';
import { cacheDocuments } from '../../../mcp/oauth/documents.ts';
import { originsOf } from '../../../mcp/oauth/origins.ts';
import { askTokens } from '../../../mcp/oauth/tokens.ts';

const SCOPES = { required: ['read'], requested: ['read'], allowed: ['read'] };
const CLIENT = { id: 'me', method: 'none', secret: null } as const;
const TOKENS = JSON.stringify({ access_token: 'a', token_type: 'Bearer', expires_in: 60, scope: 'read' });
const protocolError = 'connectivity_protocol_error';

describe('what authorisation is asked with (providers.md §8, §9)', () => {
  let server: Listening | null = null;
  let seen: IncomingHttpHeaders[] = [];
  afterEach(async () => {
    await server?.close();
    server = null;
    seen = [];
  });
  /** A server that answers everything so. */
  async function answering(
    body: string,
    headers: OutgoingHttpHeaders = {},
    status = 200,
  ): Promise<{ readonly url: string; readonly wire: Parameters<typeof askDocument>[2] }> {
    server = await listen({}, async ({ request, response }) => {
      seen.push(request.headers);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
    const { url } = server;
    return {
      url,
      wire: {
        dial: systemDial(),
        origins: originsOf({ resource: url, issuer: url, additionalOrigins: [], privateOrigins: [url] }),
        documents: cacheDocuments(() => 0).of('f'),
      },
    };
  }
  async function document(...input: Parameters<typeof answering>): Promise<string> {
    const { url, wire } = await answering(...input);
    const reported = await askDocument(new URL('/at', url), AbortSignal.timeout(60_000), wire);
    return reported.ok ? 'read' : reported.code;
  }
  async function tokens(body: string): Promise<string> {
    const { url, wire } = await answering(body);
    const reported = await askTokens(
      { endpoint: `${url}/token`, client: CLIENT, members: {}, scopes: SCOPES },
      AbortSignal.timeout(60_000),
      wire,
    );
    return reported.ok ? 'read' : reported.code;
  }

  for (const [bytes, expected] of [
    [262_143, 'read'],
    [262_144, 'read'],
    [262_145, protocolError],
  ] as const) {
    it(`metadata of ${bytes} bytes: ${expected}`, async () =>
      expect(await document('{}'.padEnd(bytes))).to.equal(expected));
  }
  for (const [bytes, expected] of [
    [65_535, 'read'],
    [65_536, 'read'],
    [65_537, protocolError],
  ] as const) {
    it(`tokens of ${bytes} bytes: ${expected}`, async () =>
      expect(await tokens(TOKENS.padEnd(bytes))).to.equal(expected));
  }

  const refused: Readonly<Record<string, Parameters<typeof answering>>> = {
    'another media type': ['{}', { 'content-type': 'text/plain' }],
    'a list': ['[]'],
    'a compressed document': ['{}', { 'content-encoding': 'gzip' }],
    'another status': ['{}', {}, 201],
  };
  for (const [what, input] of Object.entries(refused))
    it(`no ${what} is a document`, async () => expect(await document(...input)).to.equal(protocolError));
  for (const type of ['application/json; charset=utf-8', 'application/problem+json'])
    it(`${type} is one`, async () => expect(await document('{}', { 'content-type': type })).to.equal('read'));

  it('keeps no cookie, wants nothing compressed, and goes nowhere else', async () => {
    const { url, wire } = await answering('{}', { 'set-cookie': 'a=b', location: '/elsewhere' }, 302);
    for (let time = 0; time < 2; time += 1) await askDocument(new URL('/at', url), AbortSignal.timeout(60_000), wire);
    expect(seen).to.have.length(2);
    for (const headers of seen) expect(headers).not.to.have.any.keys('cookie', 'accept-encoding', 'authorization');
  });
});
