import { expect } from 'chai';
import type { HttpAction, HttpStep } from '../../../../conformance/servers/mcp-http/script.ts';
import type { AuthorityScript, Instead } from '../../../../conformance/servers/oauth/server.ts';
import { visit } from '../../../../conformance/servers/oauth/robot.ts';
import type { OAuthClient, OAuthCode, OAuthDeclaration } from '../../../mcp/oauth/declaration.ts';
import { startFlow } from '../../../mcp/oauth/flow.ts';
import type { OAuthGrant } from '../../../mcp/oauth/grants.ts';
import { METADATA, OAuthRoom, type RoomScript } from './oauth-room.ts';

const AT = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';
const page = (members: object, more: HttpAction = {}): Readonly<Record<string, HttpAction>> => ({
  [METADATA]: {
    body: JSON.stringify({
      resource: '{{resource}}',
      authorization_servers: ['{{issuer}}'],
      scopes_supported: ['read'],
      ...members,
    }),
    ...more,
  },
});
const challenge = (field: string | readonly string[], status = 401): readonly HttpStep[] => [
  { action: { status, headers: { 'www-authenticate': field } } },
];
const metadata = (instead: Instead): RoomScript => ({ authority: { metadata: { [AT]: instead } } });
const tokens = (...list: readonly Instead[]): RoomScript => ({ authority: { tokens: list } });
const sentBack = (authorize: AuthorityScript['authorize']): RoomScript => ({
  authority: { ...(authorize !== undefined && { authorize }) },
});

describe('authorising a server of tools (providers.md §9)', () => {
  let room: OAuthRoom | null = null;
  afterEach(async () => {
    await room?.close();
    room = null;
  });
  async function authorised(
    script: RoomScript = {},
    changes: Partial<OAuthDeclaration> = {},
    back?: (address: string) => Promise<unknown>,
  ): Promise<OAuthGrant | OAuthCode> {
    room = await OAuthRoom.open(script, changes);
    return room.authorise(back);
  }

  for (const [what, steps] of [
    ['has nothing at its base URL', [{ action: { status: 404 } }]],
    ['refuses who has no token', challenge('Bearer')],
  ] as const)
    it(`of an API that ${what} and says nothing of itself goes by the host document`, async () => {
      const grant = await authorised({ steps, pages: {} }, { isPlainApi: true, defaultScopes: ['write'] });
      expect(grant).to.deep.include({ generation: 1, scopes: ['write'] });
      expect(room?.server.requests[0]).to.deep.include({ method: 'GET', body: '' });
    });

  it('of a server of tools that says nothing of itself does not', async () => {
    expect(await authorised({ pages: {} }, { defaultScopes: ['write'] })).to.equal('connectivity_rejected');
  });

  for (const status of [200, 400, 404, 405])
    it(`of a server that knows a session alone, and says ${status} before one, is found by its beginning`, async () => {
      const steps: readonly HttpStep[] = [
        { match: { method: 'server/discover' }, action: { status, body: '{}' } },
        ...challenge('Bearer'),
      ];
      expect(await authorised({ steps, isOlder: true })).to.deep.include({ generation: 1 });
      const requested = room?.server.requests.map(({ body }) => Object(JSON.parse(body === '' ? '{}' : body)).method);
      expect(requested?.filter((method) => method !== undefined)).to.deep.equal(['server/discover', 'initialize']);
    });

  it('ends in a grant, by a code that is used once with its proof', async () => {
    let reported = '';
    const grant = await authorised({}, {}, async (address) => {
      const { status, text } = await visit(address);
      reported = `${status} ${text}`;
    });
    expect(grant).to.deep.include({
      generation: 1,
      scopes: ['read', 'offline_access'],
      expiresAt: 1_000_000 + 3_600_000,
      isRejected: false,
    });
    expect(reported)
      .to.match(/^200 <!doctype html>/)
      .and.include('go back to the terminal');
    const [form, ...others] = room?.authority.forms ?? [];
    expect(others).to.deep.equal([]);
    expect(form).to.deep.include({
      grant_type: 'authorization_code',
      client_id: 'me',
      resource: room?.server.url,
      scope: 'read offline_access',
    });
    expect(form?.['code_verifier']).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(form?.['redirect_uri']).to.match(/^http:\/\/127\.0\.0\.1:[0-9]+\/back$/);
  });

  it('sends people to the endpoint with its own query kept', async () => {
    room = await OAuthRoom.open();
    const flow = await startFlow(room.oauth, null, AbortSignal.timeout(60_000), room.tools);
    const url = new URL(flow.ok ? flow.url : '');
    expect(Object.fromEntries(url.searchParams)).to.include({
      lang: 'en',
      response_type: 'code',
      client_id: 'me',
      scope: 'read offline_access',
      resource: room.server.url,
      code_challenge_method: 'S256',
    });
    expect(url.searchParams.get('state')).to.match(/^[A-Za-z0-9_-]{43}$/);
    const stopped = new AbortController();
    const other = await startFlow(room.oauth, null, stopped.signal, room.tools);
    const ended = other.ok ? other.finish() : null;
    stopped.abort();
    expect(await ended).to.deep.equal({ ok: false, code: 'authorization_unavailable' });
    if (flow.ok) {
      const finished = flow.finish();
      await visit(`${url.searchParams.get('redirect_uri')}?error=access_denied&state=${url.searchParams.get('state')}`);
      expect(await finished).to.deep.equal({ ok: false, code: 'authorization_rejected' });
    }
  });

  describe('finds where it is authorised', () => {
    const found: Readonly<Record<string, readonly [RoomScript, readonly string[]]>> = {
      'by the scopes of the challenge': [
        { steps: challenge('Bearer scope="write read"') },
        ['write', 'read', 'offline_access'],
      ],
      'by a challenge among others': [
        { steps: challenge(['Basic realm="a, b"', 'Negotiate abc==, Bearer error="invalid_token", scope=read']) },
        ['read', 'offline_access'],
      ],
      'with metadata of the whole origin': [
        { pages: { '/.well-known/oauth-protected-resource': page({})[METADATA] ?? {} } },
        ['read'],
      ],
      'with metadata split at every byte': [{ pages: page({}, { delivery: { split: 1 } }) }, ['read']],
      'with the document of the other standard': [
        { authority: { metadata: { [AT]: { status: 404 }, [OPENID]: { members: {} } } }, pages: page({}) },
        ['read'],
      ],
      'where the first document is no good': [
        {
          authority: {
            metadata: { [AT]: { members: { issuer: 'https://other.example' } }, [OPENID]: { members: {} } },
          },
          pages: page({}),
        },
        ['read'],
      ],
      'where nothing is refreshed': [
        { ...metadata({ members: { grant_types_supported: ['authorization_code'] } }) },
        ['read'],
      ],
    };
    for (const [what, [script, scopes]] of Object.entries(found)) {
      it(what, async () => {
        const grant = await authorised(script);
        expect(typeof grant === 'string' ? grant : grant.scopes).to.deep.equal(scopes);
      });
    }

    it('at the address that the challenge names', async () => {
      room = await OAuthRoom.open({
        pages: { '/elsewhere': page({})[METADATA] ?? {} },
        steps: challenge('Bearer resource_metadata="https://127.0.0.1:1/elsewhere"'),
      });
      expect(await room.authorise(), 'of another origin').to.equal('connectivity_rejected');
    });

    const refused: Readonly<Record<string, readonly [RoomScript, OAuthCode, Partial<OAuthDeclaration>?]>> = {
      'not of a server that needs no token': [{ steps: [{ action: { result: {} } }] }, 'connectivity_protocol_error'],
      'not of a server that forbids': [{ steps: challenge('Bearer', 403) }, 'connectivity_protocol_error'],
      'not of a server that fails': [{ steps: challenge('Bearer', 503) }, 'connectivity_unavailable'],
      'not of a server that moved': [{ steps: challenge('Bearer', 307) }, 'connectivity_protocol_error'],
      'not of a server that hangs up': [{ steps: [{ action: { fault: 'reset' } }] }, 'connectivity_unavailable'],
      'not by two challenges': [{ steps: challenge(['Bearer', 'Bearer scope=read']) }, 'connectivity_protocol_error'],
      'not by a challenge that is none': [{ steps: challenge('Bearer scope="read') }, 'connectivity_protocol_error'],
      'not by 17 challenges': [
        { steps: challenge(Array.from({ length: 17 }, () => 'Basic')) },
        'connectivity_protocol_error',
      ],
      'not beyond the ceiling': [{ steps: challenge('Bearer scope="admin"') }, 'authorization_rejected'],
      'not without metadata': [{ pages: {} }, 'connectivity_rejected'],
      'not by metadata of another resource': [
        { pages: page({ resource: 'https://other.example/mcp' }) },
        'connectivity_protocol_error',
      ],
      'not by metadata of another issuer': [
        { pages: page({ authorization_servers: ['https://other.example'] }) },
        'connectivity_protocol_error',
      ],
      'not by metadata that are no JSON': [
        { pages: { [METADATA]: { fault: 'not_json' } } },
        'connectivity_protocol_error',
      ],
      'not by metadata that are too long': [
        { pages: { [METADATA]: { fault: 'huge' } } },
        'connectivity_protocol_error',
      ],
      'not by metadata that moved': [
        { pages: page({}, { status: 302, headers: { location: '/elsewhere' } }) },
        'connectivity_protocol_error',
      ],
      'not with another issuer': [
        metadata({ members: { issuer: 'https://other.example' } }),
        'connectivity_protocol_error',
      ],
      'not without codes': [
        metadata({ members: { response_types_supported: ['token'] } }),
        'connectivity_protocol_error',
      ],
      'not without proofs': [
        metadata({ members: { code_challenge_methods_supported: ['plain'] } }),
        'connectivity_protocol_error',
      ],
      'not where proofs are not told of': [
        metadata({ members: { code_challenge_methods_supported: undefined } }),
        'connectivity_protocol_error',
      ],
      'not where public clients are not told of': [
        metadata({ members: { token_endpoint_auth_methods_supported: undefined } }),
        'connectivity_protocol_error',
      ],
      'not with codes in fragments alone': [
        metadata({ members: { response_modes_supported: ['fragment'] } }),
        'connectivity_protocol_error',
      ],
      'not at an endpoint of another origin': [
        metadata({ members: { token_endpoint: 'https://other.example/token' } }),
        'connectivity_protocol_error',
      ],
      'not with a member twice': [metadata({ body: '{"issuer":"a","issuer":"b"}' }), 'connectivity_protocol_error'],
      'not of an authority that fails': [metadata({ status: 500 }), 'connectivity_unavailable'],
      'not of an authority that is not there': [
        { authority: { metadata: { [AT]: { fault: 'reset' } } } },
        'connectivity_unavailable',
      ],
      'not at private addresses that nobody allowed': [{}, 'connectivity_rejected', { privateOrigins: [] }],
    };
    for (const [what, [script, code, changes = {}]] of Object.entries(refused)) {
      it(`${what}: ${code}`, async () => expect(await authorised(script, changes)).to.equal(code));
    }
  });

  describe('asks for tokens', () => {
    it('without a scope where nobody names one, for what the operator allows at most', async () => {
      const silent = { pages: page({ scopes_supported: undefined }) };
      expect(await authorised(silent)).to.deep.include({ scopes: [] });
      const [form] = room?.authority.forms ?? [];
      expect(form).to.not.have.any.keys('scope');
      await room?.close();
      const answering = (scope: string): RoomScript => ({ ...silent, authority: { tokens: [{ members: { scope } }] } });
      expect(await authorised(answering('write'))).to.deep.include({ scopes: ['write'] });
      await room?.close();
      expect(await authorised(answering('admin'))).to.equal('authorization_rejected');
    });

    it('for the origin of the server, where its metadata name that', async () => {
      const pages = { '/.well-known/oauth-protected-resource': page({ resource: '{{origin}}' })[METADATA] ?? {} };
      const origin = await authorised({ pages });
      expect(origin).to.deep.include({ resource: new URL(room?.oauth.resource ?? '').origin });
      expect(room?.authority.forms[0]).to.deep.include({ resource: new URL(room?.oauth.resource ?? '').origin });
    });
  });

  describe('registers itself (RFC 7591, world.md §2.5)', () => {
    const client: OAuthClient = {
      id: '',
      registration: 'dynamic',
      authMethod: 'none',
      secret: null,
      loopback: { host: '127.0.0.1', path: '/back' },
      redirectUris: [],
    };
    const supporting = (...methods: readonly string[]): AuthorityScript => ({
      metadata: { [AT]: { members: { token_endpoint_auth_methods_supported: methods } } },
    });

    it('as a native client, for the port that people come back to', async () => {
      const grant = await authorised({}, { client });
      expect(grant).to.deep.nested.include({ registered: { id: 'client-1', method: 'none', secret: null } });
      const [form] = room?.authority.forms ?? [];
      expect(form).to.deep.include({ client_id: 'client-1' });
      expect(room?.authority.registered).to.deep.equal([
        {
          client_name: 'svc',
          software_version: '1',
          application_type: 'native',
          redirect_uris: [form?.['redirect_uri']],
          response_types: ['code'],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'none',
          scope: 'read offline_access',
        },
      ]);
    });

    const methods: Readonly<Record<string, readonly [AuthorityScript, string]>> = {
      'by a secret in its header': [supporting('client_secret_basic', 'private_key_jwt'), 'client_secret_basic'],
      'by a secret in its form': [supporting('client_secret_post'), 'client_secret_post'],
      'by the method that the authority gives it': [
        { registrations: [{ members: { token_endpoint_auth_method: 'client_secret_post', client_secret: 's' } }] },
        'client_secret_post',
      ],
    };
    for (const [what, [authority, method]] of Object.entries(methods)) {
      it(`and is proved ${what}`, async () => {
        const grant = await authorised({ authority }, { client });
        expect(grant).to.have.nested.property('registered.method', method);
        const secret = typeof grant === 'string' ? null : grant.registered?.secret;
        const [form] = room?.authority.forms ?? [];
        const { authorization } = room?.authority.requests.at(-1)?.headers ?? {};
        if (method === 'client_secret_post')
          expect(form).to.deep.include({ client_id: 'client-1', client_secret: secret });
        else expect([form?.['client_id'], typeof authorization]).to.deep.equal([undefined, 'string']);
      });
    }

    const refused: Readonly<Record<string, readonly [AuthorityScript, OAuthCode]>> = {
      'not where the authority registers nobody': [
        { metadata: { [AT]: { members: { registration_endpoint: undefined } } } },
        'connectivity_protocol_error',
      ],
      'not at another origin': [
        { metadata: { [AT]: { members: { registration_endpoint: 'https://other.example/register' } } } },
        'connectivity_protocol_error',
      ],
      'not where it cannot prove itself': [supporting('private_key_jwt'), 'connectivity_protocol_error'],
      'not where it is refused': [
        { registrations: [{ status: 400, body: '{"error":"invalid_redirect_uri"}' }] },
        'authorization_rejected',
      ],
      'not where registering needs a token': [{ registrations: [{ status: 401 }] }, 'authentication_rejected'],
      'not where the authority fails': [{ registrations: [{ status: 503 }] }, 'connectivity_unavailable'],
      'not without an id': [{ registrations: [{ members: { client_id: undefined } }] }, 'connectivity_protocol_error'],
      'not without the secret of its method': [
        { registrations: [{ members: { token_endpoint_auth_method: 'client_secret_basic' } }] },
        'connectivity_protocol_error',
      ],
      'not by a method that svc does not have': [
        { registrations: [{ members: { token_endpoint_auth_method: 'private_key_jwt' } }] },
        'connectivity_protocol_error',
      ],
    };
    for (const [what, [authority, code]] of Object.entries(refused)) {
      it(`${what}, and asks nobody: ${code}`, async () => {
        expect(await authorised({ authority }, { client })).to.equal(code);
        expect(room?.authority.forms).to.deep.equal([]);
      });
    }
  });

  describe('takes what comes back', () => {
    const rows: Readonly<Record<string, readonly [RoomScript, OAuthCode]>> = {
      'not with another state': [sentBack({ state: 'x' }), 'authorization_rejected'],
      'not without a state': [sentBack({ state: null }), 'authorization_rejected'],
      'not of another issuer': [sentBack({ iss: 'https://other.example' }), 'authorization_rejected'],
      'not without the issuer that is announced': [sentBack({ iss: null }), 'authorization_rejected'],
      'not without a code': [sentBack({ code: null }), 'authorization_rejected'],
      'not with an error': [sentBack({ error: 'access_denied' }), 'authorization_rejected'],
    };
    for (const [what, [script, code]] of Object.entries(rows)) {
      it(`${what}, and asks for no token: ${code}`, async () => {
        let status = 0;
        expect(
          await authorised(script, {}, async (address) => {
            ({ status } = await visit(address));
          }),
        ).to.equal(code);
        expect(status).to.equal(400);
        expect(room?.authority.forms).to.deep.equal([]);
      });
    }

    it('without an issuer where none is announced', async () => {
      expect(
        await authorised({
          authority: {
            metadata: { [AT]: { members: { authorization_response_iss_parameter_supported: undefined } } },
            authorize: { iss: null },
          },
        }),
      ).to.be.an('object');
    });

    const long = (bytes: number): string => `&x=${'y'.repeat(bytes)}`;
    const browsers: Readonly<Record<string, (address: string) => Promise<unknown>>> = {
      'a POST': (address) => visit(address, { method: 'POST' }),
      'a body': (address) => visit(address, { headers: { 'content-length': '1' }, body: 'x' }),
      'another host': (address) => visit(address, { headers: { host: 'localhost' } }),
      'no query': (address) => visit(address.replace(/\?.*/, '')),
      'a code twice': (address) => visit(`${address}&code=another`),
      '33 parameters': (address) => visit(address + Array.from({ length: 30 }, (_, at) => `&p${at}=1`).join('')),
      'too many bytes': (address) => visit(address + long(16_300)),
      '33 headers': (address) =>
        visit(address, { headers: Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`x-${at}`, '1'])) }),
    };
    for (const [what, back] of Object.entries(browsers)) {
      it(`not by a browser that sends ${what}`, async () => {
        expect(await authorised({}, {}, back)).to.equal('authorization_rejected');
        expect(room?.authority.forms).to.deep.equal([]);
      });
    }

    it('whatever else the browser asks for', async () => {
      expect(
        await authorised({}, {}, async (address) => {
          const { status } = await visit(new URL('/favicon.ico', address).href);
          expect(status).to.equal(400);
          await visit(`${address}&unknown=1&unknown=2`);
        }),
      ).to.be.an('object');
    });
  });

  describe('takes tokens', () => {
    const rows: Readonly<Record<string, readonly [Instead, OAuthCode]>> = {
      'not of another type': [{ members: { token_type: 'mac' } }, 'connectivity_protocol_error'],
      'not without one': [{ members: { access_token: undefined } }, 'connectivity_protocol_error'],
      'not one that no header can carry': [{ members: { access_token: 'a\r\nb' } }, 'connectivity_protocol_error'],
      'not one that is over at once': [{ members: { expires_in: 0 } }, 'connectivity_protocol_error'],
      'not one that lasts too long': [{ members: { expires_in: 31_536_001 } }, 'connectivity_protocol_error'],
      'not for more than was asked': [{ members: { scope: 'read write' } }, 'authorization_rejected'],
      'not for less than is needed': [{ members: { scope: 'offline_access' } }, 'authorization_rejected'],
      'not where the code is refused': [{ status: 400, body: '{"error":"invalid_grant"}' }, 'authorization_rejected'],
      'not where the client is refused': [
        { status: 401, body: '{"error":"invalid_client"}' },
        'authentication_rejected',
      ],
      'not where it is refused by 400': [
        { status: 400, body: '{"error":"invalid_client"}' },
        'authentication_rejected',
      ],
      'not of an authority that fails': [{ status: 503 }, 'connectivity_unavailable'],
      'not of one that moved': [{ status: 307, headers: { location: '/token' } }, 'connectivity_protocol_error'],
      'not what is no JSON': [{ fault: 'not_json' }, 'connectivity_protocol_error'],
      'not what is too long': [{ fault: 'huge' }, 'connectivity_protocol_error'],
      'not what never ends': [{ fault: 'endless' }, 'connectivity_protocol_error'],
      'not what breaks off': [{ fault: 'reset' }, 'connectivity_unavailable'],
    };
    for (const [what, [instead, code]] of Object.entries(rows)) {
      it(`${what}, asked once: ${code}`, async () => {
        expect(await authorised(tokens(instead))).to.equal(code);
        expect(room?.authority.forms).to.have.length(1);
      });
    }

    it('that last as long as the operator says, where they do not say', async () => {
      expect(await authorised(tokens({ members: { expires_in: undefined, scope: undefined } }))).to.deep.include({
        expiresAt: 1_300_000,
        scopes: ['read', 'offline_access'],
      });
    });
  });

  it('ends in its time, with its listener', async () => {
    room = await OAuthRoom.open();
    const flow = await startFlow(room.oauth, null, AbortSignal.timeout(400), room.tools);
    expect(flow.ok ? await flow.finish() : flow).to.deep.equal({ ok: false, code: 'authorization_unavailable' });
    const redirect = flow.ok ? new URL(flow.url).searchParams.get('redirect_uri') : '';
    expect(
      await visit(redirect ?? '').catch((error: unknown) =>
        error instanceof Error && 'code' in error ? error.code : error,
      ),
    ).to.equal('ECONNREFUSED');
  });
});
