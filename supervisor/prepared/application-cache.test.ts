import { expect } from 'chai';
import { applicationCache } from './application-cache.ts';

describe('prepared applications that are kept (gateway.md §16)', () => {
  it('are built once for all who ask meanwhile, and found again', async () => {
    let builds = 0;
    const cache = applicationCache<string>((value) => value.length);
    const build = async (): Promise<string> => {
      builds += 1;
      return 'built';
    };
    expect(await Promise.all([cache.get('a', build), cache.get('a', build)])).to.deep.equal(['built', 'built']);
    expect([await cache.get('a', build), builds, cache.find((key) => key === 'a'), cache.find((key) => key === 'b')]).to.deep.equal(['built', 1, 'built', null]);
  });

  it('are not kept when they could not be built, and everybody is told', async () => {
    const cache = applicationCache<string>(() => 1);
    const fail = (): Promise<string> => Promise.reject(new Error('no'));
    const ends = await Promise.allSettled([cache.get('a', fail), cache.get('a', fail)]);
    expect(ends.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await cache.get('a', async () => 'now')).to.equal('now');
  });

  const BOUNDS: readonly (readonly [limit: number, kept: readonly string[]])[] = [[5, ['a', 'b']], [4, ['a', 'b']], [3, ['a']], [1, []]];
  for (const [limit, kept] of BOUNDS) {
    it(`are ${kept.length} of 2 bytes each within ${limit} bytes, those used last`, async () => {
      const cache = applicationCache<string>(() => 2, limit);
      for (const key of ['a', 'b', 'a']) expect(await cache.get(key, async () => key)).to.equal(key);
      expect(['a', 'b'].filter((key) => cache.find((found) => found === key) !== null)).to.deep.equal(kept);
      expect(cache.counts()).to.deep.equal({ applications: kept.length, bytes: 2 * kept.length });
    });
  }
});
