import { expect } from 'chai';
import type { GrantStore, StoredGrant } from '../../../contract/provider-protocol/grant-store.ts';
import type { OAuthGrant } from './grants.ts';
import { storedGrants } from './stored-grants.ts';

const KEY = { tenant: 't', principal: 'p', id: '0'.repeat(64) };
const GRANT: OAuthGrant = {
  generation: 3,
  access: 'a.b',
  refresh: 'r',
  expiresAt: 5,
  scopes: ['read'],
  isRejected: false,
  needed: ['write'],
  server: {
    authorizationEndpoint: 'https://a.example/authorize',
    tokenEndpoint: 'https://a.example/token',
    scopes: null,
    isIssuerTold: true,
    canRefresh: true,
    authMethod: 'none',
    registrationEndpoint: null,
    revocationEndpoint: 'https://a.example/revoke',
  },
  resource: 'https://tools.example/mcp',
  registered: { id: 'client-1', method: 'client_secret_post', secret: 's' },
  granted: null,
};

/** What a calling program may bring: here one entry, whatever its key. */
class OneGrant implements GrantStore {
  stored: StoredGrant | null = null;
  async read(): Promise<StoredGrant | null> {
    return this.stored;
  }
  async replace(_key: unknown, generation: number | null, grant: StoredGrant): Promise<boolean> {
    if ((this.stored?.generation ?? null) !== generation) return false;
    this.stored = grant;
    return true;
  }
  async remove(_key: unknown, generation: number): Promise<void> {
    if (this.stored?.generation === generation) this.stored = null;
  }
}

const rejected = async (of: Promise<unknown>): Promise<boolean> =>
  of.then(
    () => false,
    () => true,
  );

describe('grants in a store of the calling program (providers.md §9, "Store")', () => {
  it('come back as they were put there, by their generation', async () => {
    const store = new OneGrant();
    const grants = storedGrants(store);
    expect(await grants.read(KEY)).to.equal(null);
    expect(await grants.replace(KEY, null, GRANT)).to.equal(true);
    expect(await grants.read(KEY)).to.deep.equal(GRANT);
    expect(store.stored?.generation).to.equal(3);
    expect(await grants.replace(KEY, 2, { ...GRANT, generation: 4 })).to.equal(false);
    expect(await grants.replace(KEY, 3, { ...GRANT, generation: 4, refresh: null })).to.equal(true);
    await grants.remove(KEY, 3);
    expect(await grants.read(KEY)).to.deep.equal({ ...GRANT, generation: 4, refresh: null });
    await grants.remove(KEY, 4);
    expect(await grants.read(KEY)).to.equal(null);
  });

  const never = async (): Promise<never> => new Promise(() => undefined);
  const { generation, ...members } = GRANT;
  const { server } = members;
  const text = (changes: object): unknown => ({ generation, text: JSON.stringify({ ...members, ...changes }) });
  const wrong: Readonly<Record<string, unknown>> = {
    'a text': 'a',
    'a truth': true,
    'a list': [],
    'no generation': { text: JSON.stringify(members) },
    'generation 0': { generation: 0, text: JSON.stringify(members) },
    'half a generation': { generation: 1.5, text: JSON.stringify(members) },
    'no text': { generation },
    'no JSON': { generation, text: '{' },
    'JSON of nothing': { generation, text: 'null' },
    'a token that no header carries': text({ access: 'a\r\nb' }),
    'no token': text({ access: undefined }),
    'a refresh token that is a number': text({ refresh: 1 }),
    'no refresh token': text({ refresh: undefined }),
    'no expiry': text({ expiresAt: undefined }),
    'scopes of numbers': text({ scopes: [1] }),
    'no scopes': text({ scopes: null }),
    'an unknown rejection': text({ isRejected: 'no' }),
    'no needs': text({ needed: undefined }),
    'no server': text({ server: undefined }),
    'a server without an address': text({ server: { ...server, tokenEndpoint: 'token' } }),
    'a server of one scope': text({ server: { ...server, scopes: 'read' } }),
    'a server that tells nothing': text({ server: { ...server, isIssuerTold: undefined } }),
    'a server that may refresh': text({ server: { ...server, canRefresh: 'perhaps' } }),
  };
  for (const [what, stored] of Object.entries(wrong)) {
    it(`are none where the store gives ${what}`, async () => {
      const read = async (): Promise<StoredGrant | null> => JSON.parse(JSON.stringify(stored));
      expect(await rejected(storedGrants({ replace: never, remove: never, read }).read(KEY))).to.equal(true);
    });
  }

  for (const [bytes, isRead] of [
    [262_143, true],
    [262_144, true],
    [262_145, false],
  ] as const) {
    it(`are ${isRead ? '' : 'not '}read in ${bytes} bytes`, async () => {
      const store = new OneGrant();
      const base = JSON.stringify({ ...members, access: '' });
      store.stored = { generation, text: JSON.stringify({ ...members, access: 'a'.repeat(bytes - base.length) }) };
      expect(await rejected(storedGrants(store).read(KEY))).to.equal(!isRead);
    });
  }

  const broken = async (): Promise<never> => Promise.reject(new Error('the key of the store is gone'));
  for (const [what, fails] of [
    ['never answers', never],
    ['rejects', broken],
  ] as const) {
    it(`are not available where the store ${what}`, async () => {
      const grants = storedGrants({ read: fails, replace: fails, remove: fails }, 10);
      for (const requested of [grants.read(KEY), grants.replace(KEY, null, GRANT), grants.remove(KEY, 1)])
        expect(await rejected(requested)).to.equal(true);
    });
  }

  it('are not replaced where the store does not say so', async () => {
    const replace = async (): Promise<boolean> => JSON.parse('"yes"');
    expect(await rejected(storedGrants({ read: never, replace, remove: never }).replace(KEY, null, GRANT))).to.equal(
      true,
    );
  });
});
