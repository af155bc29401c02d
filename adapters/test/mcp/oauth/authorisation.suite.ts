import { expect } from 'chai';
import type { HttpStep } from '../../../../conformance/servers/mcp-http/script.ts';
import type { AuthorityScript } from '../../../../conformance/servers/oauth/server.ts';
import { until } from '../../../../conformance/until.ts';
import type { Exchanged } from '../../../mcp/exchanged.ts';
import { httpConnection } from '../../../mcp/http/connection.ts';
import { discoverRequest } from '../../../mcp/protocol/request.ts';
import type { Connection } from '../../../mcp/transport.ts';
import { grantAuthorisation } from '../../../mcp/oauth/authorisation.ts';
import { grantKey, memoryGrants, nameOf, type Grants } from '../../../mcp/oauth/grants.ts';
import { OAuthRoom } from './oauth-room.ts';

const AT = '/.well-known/oauth-authorization-server';
const REFUSE: HttpStep = {
  match: { hasToken: false },
  action: { status: 401, headers: { 'www-authenticate': 'Bearer scope="read"' } },
};
const OWNER = { tenant: 't', principal: 'p' };
const REQUEST = discoverRequest(7, {
  client: { name: 'svc', version: '1' },
  revision: '2026-07-28',
  progressToken: null,
  traceparent: null,
});

describe('requests by a grant (providers.md §9, "Refresh")', () => {
  let room: OAuthRoom;
  let store: Grants;
  let connection: Connection;
  afterEach(async () => {
    await connection.close();
    await room.close();
  });

  async function granted(
    authority: AuthorityScript = {},
    steps: readonly HttpStep[] = [REFUSE, { action: { result: {} } }],
    changes: Parameters<typeof OAuthRoom.open>[1] = {},
  ): Promise<void> {
    room = await OAuthRoom.open({ authority, steps }, changes);
    store = memoryGrants();
    const key = grantKey({ ...OWNER, declaration: room.oauth });
    connection = httpConnection(
      room.server.url,
      grantAuthorisation({
        oauth: room.oauth,
        key,
        store,
        wire: room.wire,
        client: { name: 'svc', version: '1' },
        secret: null,
        now: () => room.now,
      }),
      room.wire.dial,
      { client: { name: 'svc', version: '1' }, revisions: 'auto' },
    );
    const grant = await room.authorise();
    if (typeof grant === 'string') throw new Error(grant);
    await store.replace(key, null, grant);
  }
  const ask = (): Promise<Exchanged> => connection.exchange(REQUEST, AbortSignal.timeout(60_000));
  const outcome = async (requested = ask()): Promise<string> => {
    const end = await requested;
    return end.kind === 'answered' ? 'answered' : `${end.fault}${end.isSent ? '' : ', unsent'}`;
  };
  /** Which of the tokens that were given each request with one carried. */
  const carried = (): readonly number[] =>
    room.server.requests.flatMap(({ method, headers }) =>
      method === 'POST' && headers['authorization'] !== undefined
        ? [room.authority.issued.indexOf(headers['authorization'])]
        : [],
    );
  const pass = (seconds: number): void => {
    room.now += seconds * 1000;
  };
  const grantTypes = (): readonly (string | undefined)[] => room.authority.forms.map((form) => form['grant_type']);

  it('carry its token while it lasts', async () => {
    await granted();
    expect(await outcome()).to.equal('answered');
    // Thirty seconds before its end it counts as over.
    pass(3569);
    expect(await outcome()).to.equal('answered');
    expect(carried()).to.deep.equal([0, 0]);
    pass(1);
    expect(await outcome()).to.equal('answered');
    expect(carried()).to.deep.equal([0, 0, 1]);
  });

  it('are not sent without one', async () => {
    await granted();
    await store.remove(grantKey({ ...OWNER, declaration: room.oauth }), 1);
    expect(await outcome()).to.equal('unauthorised, unsent');
    expect(carried()).to.deep.equal([]);
  });

  it('wait for one of them to renew it', async () => {
    await granted();
    pass(3600);
    expect(await Promise.all(Array.from({ length: 8 }, async () => outcome()))).to.deep.equal(
      Array.from({ length: 8 }, () => 'answered'),
    );
    expect(grantTypes()).to.deep.equal(['authorization_code', 'refresh_token']);
    expect(new Set(carried())).to.deep.equal(new Set([1]));
  });

  it('renew it with each token that is over, each by its own', async () => {
    await granted();
    for (let at = 0; at < 3; at += 1) {
      pass(3600);
      expect(await outcome()).to.equal('answered');
    }
    expect(carried()).to.deep.equal([1, 2, 3]);
    const input = room.authority.forms.map((form) => form['refresh_token']);
    expect(new Set(input).size).to.equal(4);
    expect(room.authority.forms[1]).to.include({ scope: 'read offline_access', resource: room.server.url });
  });

  it('do not end a renewal for others by leaving', async () => {
    await granted({ tokens: [{}, { delivery: { delayMs: 200 } }] });
    pass(3600);
    const leaving = new AbortController();
    const left = outcome(connection.exchange(REQUEST, leaving.signal));
    const stayed = outcome();
    await until('the renewal', () => (room.authority.forms.length === 2 ? true : undefined));
    leaving.abort();
    expect(await Promise.all([left, stayed])).to.deep.equal(['unauthorised, unsent', 'answered']);
  });

  const ends: Readonly<Record<string, AuthorityScript>> = {
    'is refused': { tokens: [{}, { status: 400, body: '{"error":"invalid_grant"}' }] },
    'breaks off': { tokens: [{}, { fault: 'reset' }] },
    fails: { tokens: [{}, { status: 500 }] },
    'gives no new refresh token': { tokens: [{}, { members: { refresh_token: undefined } }] },
    'gives more than was granted': { tokens: [{}, { members: { scope: 'read write' } }] },
    'gives less than was granted': { tokens: [{}, { members: { scope: 'read' } }] },
  };
  for (const [what, authority] of Object.entries(ends)) {
    it(`end with their grant where its renewal ${what}, which is tried once`, async () => {
      await granted(authority);
      pass(3600);
      expect([await outcome(), await outcome()]).to.deep.equal(['unauthorised, unsent', 'unauthorised, unsent']);
      expect(grantTypes()).to.deep.equal(['authorization_code', 'refresh_token']);
      expect(carried()).to.deep.equal([]);
    });
  }

  it('end with their grant where there is nothing to renew it with', async () => {
    await granted({}, undefined, { wantsRefresh: false });
    pass(3600);
    expect(await outcome()).to.equal('unauthorised, unsent');
    expect(grantTypes()).to.deep.equal(['authorization_code']);
  });

  it('end with their grant where the authority is no longer the same', async () => {
    const members: Record<string, unknown> = {};
    await granted({ metadata: { [AT]: { members } } });
    members['token_endpoint'] = `${room.authority.url}/other-token`;
    pass(3600);
    expect([await outcome(), await outcome()]).to.deep.equal(['unauthorised, unsent', 'unauthorised, unsent']);
    expect(grantTypes()).to.deep.equal(['authorization_code']);
  });

  it('keep a grant whose authority cannot be reached now', async () => {
    const instead: { fault?: 'reset' } = { fault: 'reset' };
    delete instead.fault;
    await granted({ metadata: { [AT]: instead } });
    pass(3600);
    instead.fault = 'reset';
    expect(await outcome()).to.equal('unauthorised, unsent');
    delete instead.fault;
    expect(await outcome()).to.equal('answered');
  });

  it('are not sent again when the server refuses their token, which is renewed for the next', async () => {
    await granted({}, [REFUSE, { times: 1, action: { status: 401 } }, { action: { result: {} } }]);
    expect(await outcome()).to.equal('unauthorised');
    expect(carried()).to.deep.equal([0]);
    expect(await outcome()).to.equal('answered');
    expect(carried()).to.deep.equal([0, 1]);
  });

  it('record the scopes that the server wants beside theirs', async () => {
    await granted({}, [
      REFUSE,
      { action: { status: 403, headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="write"' } } },
    ]);
    expect(await outcome()).to.equal('unauthorised');
    expect(await store.read(grantKey({ ...OWNER, declaration: room.oauth }))).to.deep.include({
      needed: ['write'],
      isRejected: false,
    });
    expect(carried()).to.deep.equal([0]);
  });

  it('are told of another refusal as of any status', async () => {
    await granted({}, [REFUSE, { action: { status: 403 } }]);
    expect(await outcome()).to.equal('unanswered');
  });

  it('are renewed by one process, and another one takes what that one got', async () => {
    await granted();
    const key = grantKey({ ...OWNER, declaration: room.oauth });
    const grant = await store.read(key);
    if (grant === null) throw new Error('it was granted');
    let [tries, isUnlocked] = [0, false];
    const shared: Grants = {
      ...store,
      lock: async () => {
        tries += 1;
        // The other process is done when it is asked for the third time.
        if (tries === 3)
          await store.replace(key, 1, { ...grant, generation: 2, access: 'theirs', expiresAt: room.now + 9_000_000 });
        return tries === 3;
      },
      unlock: async () => {
        isUnlocked = true;
      },
    };
    room.now += 3_600_000;
    const use = grantAuthorisation({
      oauth: room.oauth,
      key,
      store: shared,
      wire: room.wire,
      client: { name: 'svc', version: '1' },
      secret: null,
      now: () => room.now,
    });
    expect(await use.allow(AbortSignal.timeout(60_000))).to.deep.include({ tokens: ['theirs'] });
    expect([tries, isUnlocked]).to.deep.equal([3, true]);
    expect(room.authority.forms, 'nothing but the first exchange').to.have.length(1);
  });
});

describe('grants that are kept (providers.md §9, "Store")', () => {
  it('are those of one owner, server and declaration', async () => {
    const room = await OAuthRoom.open();
    const { oauth } = room;
    await room.close();
    const keys = [
      grantKey({ ...OWNER, declaration: oauth }),
      grantKey({ ...OWNER, tenant: 'other', declaration: oauth }),
      grantKey({ ...OWNER, principal: 'other', declaration: oauth }),
      ...[
        { installationId: 'two' },
        { resource: 'https://a.example' },
        { issuer: 'https://a.example' },
        { fingerprint: 'g' },
        { client: { ...oauth.client, id: 'you' } },
      ].map((change) => grantKey({ ...OWNER, declaration: { ...oauth, ...change } })),
    ];
    expect(new Set(keys.map(nameOf)).size).to.equal(keys.length);
  });
});
