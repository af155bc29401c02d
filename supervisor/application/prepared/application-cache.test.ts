import { expect } from 'chai';
import { applicationCache, type CacheName } from './application-cache.ts';

describe('prepared applications that are kept (gateway.md §16)', () => {
  const own = (key: string): CacheName => ({ owner: 'o', key });

  it('are built once for all who ask meanwhile, and found again', async () => {
    let builds = 0;
    const cache = applicationCache<string>((value) => value.length);
    const build = async (): Promise<string> => {
      builds += 1;
      return 'built';
    };
    expect(await Promise.all([cache.get(own('a'), build), cache.get(own('a'), build)])).to.deep.equal([
      'built',
      'built',
    ]);
    expect([
      await cache.get(own('a'), build),
      builds,
      cache.find('o', (key) => key === 'a'),
      cache.find('o', (key) => key === 'b'),
    ]).to.deep.equal(['built', 1, 'built', null]);
  });

  it('are not kept when they could not be built, and everybody is told', async () => {
    const cache = applicationCache<string>(() => 1);
    const fail = (): Promise<string> => Promise.reject(new Error('no'));
    const ends = await Promise.allSettled([cache.get(own('a'), fail), cache.get(own('a'), fail)]);
    expect(ends.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await cache.get(own('a'), async () => 'now')).to.equal('now');
  });

  const BOUNDS: readonly (readonly [limit: number, kept: readonly string[]])[] = [
    [5, ['a', 'b']],
    [4, ['a', 'b']],
    [3, ['a']],
    [1, []],
  ];
  for (const [limit, stored] of BOUNDS) {
    it(`are ${stored.length} of 2 bytes each within ${limit} bytes, those used last`, async () => {
      const cache = applicationCache<string>(() => 2, limit);
      for (const key of ['a', 'b', 'a']) expect(await cache.get(own(key), async () => key)).to.equal(key);
      expect(['a', 'b'].filter((key) => cache.find('o', (found) => found === key) !== null)).to.deep.equal(stored);
      expect(cache.counts()).to.deep.equal({ applications: stored.length, bytes: 2 * stored.length });
    });
  }

  it("are one owner's: built anew for another, kept or not, at the same time or later", async () => {
    const cache = applicationCache<string>(() => 1);
    const built: string[] = [];
    const get = (owner: string): Promise<string> =>
      cache.get({ owner, key: 'k' }, async () => {
        built.push(owner);
        return owner;
      });
    expect(await Promise.all([get('a'), get('b'), get('a')])).to.deep.equal(['a', 'b', 'a']);
    expect([await get('a'), await get('b'), await get('c')]).to.deep.equal(['a', 'b', 'c']);
    expect(built).to.deep.equal(['a', 'b', 'c']);
    expect([
      cache.find('b', () => true),
      cache.find('d', () => true),
      cache.findAny(() => true),
      cache.counts().applications,
    ]).to.deep.equal(['b', null, 'a', 3]);
    expect(cache.keys()).to.deep.equal(['k']);
  });

  it('of one owner make way for its own, however much it asks for', async () => {
    const cache = applicationCache<string>(() => 1, 3);
    await cache.get({ owner: 'small', key: 'k' }, async () => 'k');
    for (const key of ['1', '2', '3', '4', '5']) await cache.get({ owner: 'large', key }, async () => key);
    expect(cache.find('small', () => true)).to.equal('k');
    expect(['3', '4', '5'].map((key) => cache.find('large', (found) => found === key))).to.deep.equal([null, '4', '5']);
  });
});
