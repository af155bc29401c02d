import { expect } from 'chai';
import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../../../contract/json/value.ts';
import { cacheDocuments } from '../../../mcp/oauth/documents.ts';
import { discoverAuthority } from '../../../mcp/oauth/discover.ts';
import { METADATA, OAuthRoom } from './oauth-room.ts';

const DOCUMENT: JsonObject = new Map();

/** How often the metadata of the server were asked for. */
const pagesRequested = ({ server }: OAuthRoom): number =>
  server.requests.filter(({ path }) => path === METADATA).length;

/** Milliseconds for which a document is fresh that came with these headers. */
function freshFor(headers: IncomingHttpHeaders): number {
  let now = 0;
  const documents = cacheDocuments(() => now).of('f');
  documents.keep('a', DOCUMENT, headers);
  while (documents.fresh('a') !== null) now += 1000;
  return now;
}

describe('metadata that are asked for again only when they are no longer fresh (providers.md §9, "Freshness")', () => {
  const rows: readonly (readonly [IncomingHttpHeaders, number])[] = [
    [{}, 60],
    [{ age: '59' }, 1],
    [{ age: '60' }, 0],
    [{ 'cache-control': 'max-age=5' }, 5],
    [{ 'cache-control': 'private, Max-Age="5"', age: '2' }, 3],
    [{ 'cache-control': 'max-age=3599' }, 3599],
    [{ 'cache-control': 'max-age=3600' }, 3600],
    [{ 'cache-control': 'max-age=3601' }, 3600],
    [{ 'cache-control': 'max-age=100000', age: '3000' }, 600],
    [{ 'cache-control': 'no-store' }, 0],
    [{ 'cache-control': 'max-age=60, no-store' }, 0],
    [{ 'cache-control': 'no-cache' }, 0],
    [{ 'cache-control': 'max-age=soon' }, 0],
    [{ 'cache-control': 'max-age=-1' }, 0],
    [{ 'cache-control': 'max-age=0' }, 0],
    [{ age: 'old' }, 0],
  ];
  for (const [headers, seconds] of rows)
    it(`${JSON.stringify(headers)}: ${seconds} s`, () => expect(freshFor(headers)).to.equal(seconds * 1000));

  it('are those of one declaration, and 64 at most', () => {
    const cachedDocuments = cacheDocuments(() => 0);
    const [one, other] = [cachedDocuments.of('one'), cachedDocuments.of('other')];
    for (let at = 0; at < 65; at += 1) one.keep(`a${at}`, DOCUMENT, {});
    expect([one.fresh('a0'), one.fresh('a1'), one.fresh('a64')]).to.deep.equal([null, DOCUMENT, DOCUMENT]);
    expect(other.fresh('a64')).to.equal(null);
    // A newer answer that may not be kept ends the older one.
    one.keep('a64', DOCUMENT, { 'cache-control': 'no-store' });
    expect(one.fresh('a64')).to.equal(null);
  });

  it('spare their servers a request while they are, and only then', async () => {
    const room = await OAuthRoom.open({
      pages: {
        [METADATA]: {
          body: JSON.stringify({
            resource: '{{resource}}',
            authorization_servers: ['{{issuer}}'],
            scopes_supported: ['read'],
          }),
          headers: { 'cache-control': 'max-age=10' },
        },
      },
    });
    try {
      const { wire } = room;
      const requestCounts = async (): Promise<readonly number[]> => {
        const found = await discoverAuthority(
          room.oauth,
          { name: 'svc', version: '1' },
          null,
          AbortSignal.timeout(60_000),
          wire,
        );
        expect(found).to.have.property('ok', true);
        return [pagesRequested(room), room.authority.requests.length];
      };
      expect(await requestCounts()).to.deep.equal([1, 1]);
      expect(await requestCounts()).to.deep.equal([1, 1]);
      room.now += 10_000;
      expect(await requestCounts()).to.deep.equal([2, 1]);
      room.now += 50_000;
      expect(await requestCounts()).to.deep.equal([3, 2]);
    } finally {
      await room.close();
    }
  });

  it('are asked for each time where they are no good', async () => {
    const room = await OAuthRoom.open({
      pages: {
        [METADATA]: {
          body: JSON.stringify({ resource: 'https://other.example', authorization_servers: ['{{issuer}}'] }),
        },
      },
    });
    try {
      const { wire } = room;
      for (let time = 1; time <= 2; time += 1) {
        expect(
          await discoverAuthority(room.oauth, { name: 'svc', version: '1' }, null, AbortSignal.timeout(60_000), wire),
        ).to.have.property('code', 'connectivity_protocol_error');
        expect(pagesRequested(room)).to.equal(time);
      }
    } finally {
      await room.close();
    }
  });
});
