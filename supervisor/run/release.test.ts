import { expect } from 'chai';
import * as sinon from 'sinon';
import { releaseOnce, type Closer } from './release.ts';

describe('releasing providers (runtime.md §10, §14)', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    clock.restore();
  });

  /** Closers by what they do, and the order in which they were called. */
  function closers(...kinds: readonly ('good' | 'throws' | 'hangs')[]) {
    const called: number[] = [];
    const all = kinds.map((kind, index): Closer => async () => {
      called.push(index);
      if (kind === 'throws') throw new Error('secret');
      if (kind === 'hangs') await new Promise(() => undefined);
    });
    return { all, called };
  }

  async function codeOf(all: readonly Closer[]): Promise<string | null> {
    const released = releaseOnce(all, 100)();
    await clock.tickAsync(100);
    return (await released)?.code ?? null;
  }

  const rows: readonly (readonly [readonly ('good' | 'throws' | 'hangs')[], string | null])[] = [
    [[], null],
    [['good', 'good'], null],
    [['good', 'throws', 'good'], 'provider_cleanup_failed'],
    [['good', 'hangs', 'good'], 'provider_cleanup_timeout'],
    [['throws', 'hangs'], 'provider_cleanup_timeout'],
  ];
  for (const [kinds, code] of rows) {
    it(`${kinds.join(', ') || 'nothing'}: ${code ?? 'clean'}, every closer called, the last one first`, async () => {
      const { all, called } = closers(...kinds);
      expect(await codeOf(all)).to.equal(code);
      expect(called).to.deep.equal(kinds.map((_, index) => index).toReversed());
    });
  }

  it('happens once, and a second call answers the same', async () => {
    const { all, called } = closers('throws');
    const release = releaseOnce(all, 100);
    const [first, second] = await Promise.all([release(), release()]);
    expect([first?.code, second?.code, called]).to.deep.equal([
      'provider_cleanup_failed',
      'provider_cleanup_failed',
      [0],
    ]);
  });

  it('takes no more than its budget for all of them together', async () => {
    const slow: Closer = () =>
      new Promise((resolve) => {
        setTimeout(resolve, 60);
      });
    expect(await codeOf([slow])).to.equal(null);
    expect(await codeOf([slow, slow])).to.equal('provider_cleanup_timeout');
  });
});
