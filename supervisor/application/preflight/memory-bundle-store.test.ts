import { expect } from 'chai';
import type { CompiledReply } from './bundle-store.ts';
import { memoryBundleStore } from './memory-bundle-store.ts';

const bundle = (code: string): CompiledReply => ({ status: 'compiled', code, exports: [] });
const name = (hash: string) => ({ environment: 'workflow', hash }) as const;

describe('bundles of one process', () => {
  it('are found again, by environment and hash', async () => {
    const store = memoryBundleStore();
    await store.keep(name('a'), bundle('x'));
    expect(await store.find(name('a'))).to.deep.equal(bundle('x'));
    expect([await store.find(name('b')), await store.find({ environment: 'mission', hash: 'a' })]).to.deep.equal([
      null,
      null,
    ]);
  });

  it('stay within their bytes; the longest unused go first', async () => {
    const store = memoryBundleStore(8);
    await store.keep(name('a'), bundle('12'));
    await store.keep(name('b'), bundle('12'));
    await store.find(name('a'));
    await store.keep(name('c'), bundle('12'));
    expect(
      [await store.find(name('a')), await store.find(name('b')), await store.find(name('c'))].map(
        (found) => found === null,
      ),
    ).to.deep.equal([false, true, false]);
    await store.keep(name('d'), bundle('12345'));
    expect(await store.find(name('d')), 'larger than all that may be kept').to.equal(null);
  });

  it('count once when they are kept twice', async () => {
    const store = memoryBundleStore(8);
    for (let time = 0; time < 3; time += 1) await store.keep(name('a'), bundle('12'));
    await store.keep(name('b'), bundle('12'));
    expect(await store.find(name('a'))).to.not.equal(null);
  });
});
