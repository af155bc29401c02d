import { expect } from 'chai';
import { agree } from '../../../../conformance/servers/oauth/robot.ts';
import { authorities, type Authorities } from '../../../mcp/oauth/authorities.ts';
import type { OAuthClient, OwnedOAuth } from '../../../mcp/oauth/declaration.ts';
import { grantKey, memoryGrants, nameOf, type OAuthGrant, type Grants } from '../../../mcp/oauth/grants.ts';
import { OAuthRoom, type RoomScript } from './oauth-room.ts';

const BACK = 'https://app.example/back';
const REGISTERED: OAuthClient = {
  id: 'me: %',
  registration: 'pre_registered',
  authMethod: 'none',
  secret: null,
  loopback: null,
  redirectUris: ['https://app.example/other', BACK],
};
const CONFIDENTIAL: OAuthClient = { ...REGISTERED, authMethod: 'client_secret_basic', secret: 'key' };
const BY_SECRET: RoomScript = {
  authority: {
    metadata: {
      '/.well-known/oauth-authorization-server': {
        members: { token_endpoint_auth_methods_supported: ['client_secret_basic'] },
      },
    },
  },
};
const ME = { name: 'svc', version: '1' };
const SECRET = 'sesame & : % ü';
const unavailable = { ok: false, code: 'authorization_unavailable' };
const rejected = { ok: false, code: 'authorization_rejected' };

describe('authorising for a calling program (providers.md §9)', () => {
  let room: OAuthRoom;
  let owned: OwnedOAuth;
  afterEach(async () => room.close());

  async function opened(script: RoomScript, client: OAuthClient, store: Grants = memoryGrants()): Promise<Authorities> {
    room = await OAuthRoom.open(script, { client });
    owned = { declaration: room.oauth, tenant: 't', principal: 'p' };
    return authorities(
      () => room.wire.dial,
      () => store,
    );
  }
  /** Where the person came back to. */
  async function arrival(
    at: Authorities,
    secret: string | null,
  ): Promise<{ readonly flow: number; readonly address: string }> {
    const started = await at.beginAuthorisation(owned, ME, { name: 'desk', redirectUri: BACK, secret });
    if (!started.ok) throw new Error(started.code);
    return { flow: started.flow, address: await agree(started.url) };
  }

  it('has people come back to a registered address, and proves a confidential client by its secret', async () => {
    const store = memoryGrants();
    const at = await opened(BY_SECRET, CONFIDENTIAL, store);
    const { flow, address } = await arrival(at, SECRET);
    expect(address.startsWith(`${BACK}?`)).to.equal(true);
    expect(await at.finishAuthorisation(flow, address)).to.deep.equal({ ok: true });
    expect(await store.read(grantKey(owned))).to.deep.include({ generation: 1, scopes: ['read', 'offline_access'] });
    const [form] = room.authority.forms;
    expect(form)
      .to.deep.include({ grant_type: 'authorization_code', redirect_uri: BACK })
      .and.not.have.any.keys('client_id', 'client_secret');
    expect(await at.finishAuthorisation(flow, address)).to.deep.equal(unavailable);
  });

  it('keeps the refresh token of a confidential client whose authority does not change it', async () => {
    const store = memoryGrants();
    const tokens = {
      tokens: [{}, { body: JSON.stringify({ access_token: 'second', token_type: 'Bearer', expires_in: 60 }) }],
    };
    const at = await opened({ authority: { ...BY_SECRET.authority, ...tokens } }, CONFIDENTIAL, store);
    const { flow, address } = await arrival(at, SECRET);
    await at.finishAuthorisation(flow, address);
    const grant = await store.read(grantKey(owned));
    if (grant !== null) await store.replace(grantKey(owned), 1, { ...grant, expiresAt: 0 });
    expect(await at.grantOf(owned, ME, SECRET).allow(AbortSignal.timeout(60_000))).to.deep.equal({
      ok: true,
      headers: { authorization: 'Bearer second' },
      tokens: ['second'],
    });
    expect(await store.read(grantKey(owned))).to.deep.include({ generation: 2, refresh: grant?.refresh });
  });

  it('is not begun where the address is not registered, or the secret is missing or too much', async () => {
    const at = await opened(BY_SECRET, CONFIDENTIAL);
    for (const registered of [
      { name: 'desk', redirectUri: null, secret: null },
      { name: 'desk', redirectUri: BACK, secret: null },
      { name: 'desk', redirectUri: 'https://app.example/', secret: SECRET },
    ]) {
      expect(await at.beginAuthorisation(owned, ME, registered), JSON.stringify(registered)).to.deep.equal(unavailable);
    }
    const another = { ...owned, declaration: { ...owned.declaration, client: REGISTERED } };
    expect(await at.beginAuthorisation(another, ME, { name: 'desk', redirectUri: BACK, secret: SECRET })).to.deep.equal(
      unavailable,
    );
    expect(room.authority.requests).to.deep.equal([]);
  });

  const arrivals: Readonly<Record<string, (address: string) => string>> = {
    'at another address': (address) => address.replace('/back', '/other'),
    'without parameters': () => BACK,
    'with a state twice': (address) => `${address}&state=${new URL(address).searchParams.get('state')}`,
    'with 33 parameters': (address) => address + '&x=1'.repeat(30),
    'with a second query': (address) => `${address}?x=1`,
    'at more than 16384 bytes': (address) => address + '&x='.padEnd(16_384 - address.length + 1, 'x'),
  };
  for (const [what, change] of Object.entries(arrivals)) {
    it(`is refused who comes back ${what}`, async () => {
      const at = await opened({}, REGISTERED);
      const { flow, address } = await arrival(at, null);
      expect(await at.finishAuthorisation(flow, change(address))).to.deep.equal(rejected);
      expect(room.authority.forms).to.deep.equal([]);
    });
  }

  for (const [what, change] of Object.entries({ 'with 32 parameters': '&x=1'.repeat(29), 'at 16384 bytes': null })) {
    it(`is admitted who comes back ${what}`, async () => {
      const at = await opened({}, REGISTERED);
      const { flow, address } = await arrival(at, null);
      expect(
        await at.finishAuthorisation(flow, address + (change ?? '&x='.padEnd(16_384 - address.length, 'x'))),
      ).to.deep.equal({ ok: true });
    });
  }

  it('asks anew for what is granted and for what a server said that it needs, and forgets what was said of the token before', async () => {
    const store = memoryGrants();
    const at = await opened({}, REGISTERED, store);
    const first = await arrival(at, null);
    await at.finishAuthorisation(first.flow, first.address);
    const use = at.grantOf(owned, ME, null);
    const allowed = await use.allow(AbortSignal.timeout(60_000));
    if (!allowed.ok) throw new Error(allowed.fault);
    expect(
      await use.refused(allowed, 403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="write"' }),
    ).to.equal('unauthorised');
    const second = await arrival(at, null);
    expect(await at.finishAuthorisation(second.flow, second.address)).to.deep.equal({ ok: true });
    expect(room.authority.forms[1]?.['scope']).to.equal('read write offline_access');
    expect(await store.read(grantKey(owned))).to.deep.include({
      generation: 2,
      needed: [],
      scopes: ['read', 'write', 'offline_access'],
    });
    // What comes late of the first token.
    await use.refused(allowed, 401, {});
    expect(await use.allow(AbortSignal.timeout(60_000))).to.have.property('ok', true);
  });

  const failing = (changes: Partial<Grants>): Grants => ({ ...memoryGrants(), ...changes });
  const broken = (): Promise<never> => Promise.reject(new Error('the key of the store is gone'));
  it('awaits so many people at once, and others once one of these came back or is awaited no longer', async () => {
    room = await OAuthRoom.open({}, { client: REGISTERED });
    owned = { declaration: room.oauth, tenant: 't', principal: 'p' };
    const store = memoryGrants();
    const at = authorities(
      () => room.wire.dial,
      () => store,
      2,
    );
    const begin = async (): Promise<string> => {
      const started = await at.beginAuthorisation(owned, ME, { name: 'desk', redirectUri: BACK, secret: null });
      return started.ok ? 'begun' : started.code;
    };
    const { flow, address } = await arrival(at, null);
    expect([await begin(), await begin()]).to.deep.equal(['begun', 'authorization_unavailable']);
    await at.finishAuthorisation(flow, address);
    expect([await begin(), await begin()]).to.deep.equal(['begun', 'authorization_unavailable']);
    at.cancelAuthorisations();
    expect([await begin(), await begin(), await begin()]).to.deep.equal([
      'begun',
      'begun',
      'authorization_unavailable',
    ]);
  });

  it('asks nobody where the store cannot be read, and sends nothing', async () => {
    const at = await opened({}, REGISTERED, failing({ read: broken }));
    expect(await at.beginAuthorisation(owned, ME, { name: 'desk', redirectUri: BACK, secret: null })).to.deep.equal(
      unavailable,
    );
    expect(await at.grantOf(owned, ME, null).allow(AbortSignal.timeout(60_000))).to.deep.equal({
      ok: false,
      fault: 'grants_unavailable',
    });
    expect([room.authority.requests, room.server.requests]).to.deep.equal([[], []]);
  });

  const stores: Readonly<Record<string, Grants>> = {
    'cannot be written': failing({ replace: broken }),
    'holds another grant by then': failing({ replace: async () => false }),
  };
  for (const [what, store] of Object.entries(stores)) {
    it(`is no grant where the store ${what}`, async () => {
      const at = await opened({}, REGISTERED, store);
      const { flow, address } = await arrival(at, null);
      expect(await at.finishAuthorisation(flow, address)).to.deep.equal(unavailable);
      expect(await at.grantOf(owned, ME, null).allow(AbortSignal.timeout(60_000))).to.deep.equal({
        ok: false,
        fault: 'unauthorised',
      });
    });
  }

  it('keeps the grants of other people and other blocks apart', async () => {
    const read: string[] = [];
    const at = await opened(
      {},
      REGISTERED,
      failing({
        read: async (key): Promise<OAuthGrant | null> => {
          read.push(nameOf(key));
          return null;
        },
      }),
    );
    const { declaration } = owned;
    for (const other of [
      owned,
      { ...owned, tenant: 'u' },
      { ...owned, principal: 'q' },
      { ...owned, declaration: { ...declaration, fingerprint: 'g' } },
    ])
      await at.grantOf(other, ME, null).allow(AbortSignal.timeout(60_000));
    expect(new Set(read).size).to.equal(4);
  });
});
