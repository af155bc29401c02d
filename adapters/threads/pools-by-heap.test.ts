import { expect } from 'chai';
import { POOL_SIZES_MAX, poolsByHeap } from './pools-by-heap.ts';

describe('pools of workers by the size of their heaps', () => {
  let opened: number[];
  let closed: number[];
  const pools = () =>
    poolsByHeap<string, string>('file', ({ heapWords }) => {
      opened.push(heapWords);
      return { run: async () => ({ kind: 'lost' }), close: async () => void closed.push(heapWords) };
    });
  beforeEach(() => {
    opened = [];
    closed = [];
  });

  for (const [sizes, again] of [
    [POOL_SIZES_MAX - 1, 0],
    [POOL_SIZES_MAX, 0],
    [POOL_SIZES_MAX + 1, 1],
  ] as const) {
    it(`of ${String(sizes)} sizes: the first is opened ${again === 0 ? 'once' : 'anew'}`, () => {
      const all = pools();
      for (let size = 1; size <= sizes; size += 1) all.get(size);
      all.get(1);
      expect(opened).to.have.length(sizes + again);
    });
  }

  it('forget the one that was asked for longest ago, and close those that they keep', async () => {
    const all = pools();
    const first = all.get(1);
    for (let size = 2; size <= POOL_SIZES_MAX; size += 1) all.get(size);
    expect(all.get(1)).to.equal(first);
    all.get(POOL_SIZES_MAX + 1);
    expect(all.get(1)).to.equal(first);
    await all.close();
    expect(closed).to.have.length(POOL_SIZES_MAX).and.not.to.include(2);
  });
});
