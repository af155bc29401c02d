import { expect } from 'chai';
import { useFakeTimers } from 'sinon';
import { IDLE_MS, IDLE_TENANTS, tenantThreads, type TenantThreads } from './tenant-threads.ts';

/** Threads that only say whether they were ended. */
class Threads {
  isOpen = true;
  async close(): Promise<void> {
    this.isOpen = false;
  }
}

describe('threads of tenants', () => {
  let opened: Threads[];
  let tenants: TenantThreads<Threads>;
  beforeEach(() => {
    opened = [];
    tenants = tenantThreads(async () => {
      const threads = new Threads();
      opened.push(threads);
      return threads;
    });
  });

  const open = (): number => opened.filter(({ isOpen }) => isOpen).length;
  async function use(tenant: string): Promise<Threads> {
    const { threads, release } = await tenants.take(tenant);
    release();
    return threads;
  }
  const tick = (): Promise<void> => new Promise(setImmediate);

  for (const [count, stored] of [
    [IDLE_TENANTS - 1, IDLE_TENANTS - 1],
    [IDLE_TENANTS, IDLE_TENANTS],
    [IDLE_TENANTS + 1, IDLE_TENANTS],
  ] as const) {
    it(`of ${String(count)} tenants that use none now, those of ${String(stored)} are kept`, async () => {
      for (let nth = 0; nth < count; nth += 1) await use(`t${String(nth)}`);
      await tick();
      expect(open()).to.equal(stored);
    });
  }

  it('end with those of who used theirs longest ago, and are opened anew', async () => {
    const [first, second] = [await use('first'), await use('second')];
    for (let nth = 2; nth < IDLE_TENANTS; nth += 1) await use(`t${String(nth)}`);
    expect(await use('first')).to.equal(first);
    await use('one more');
    await tick();
    expect([first.isOpen, second.isOpen]).to.deep.equal([true, false]);
    expect(await use('second')).not.to.equal(second);
  });

  it('are not ended while anybody uses them, however many there are', async () => {
    const acquired = await Promise.all(
      Array.from({ length: IDLE_TENANTS + 3 }, (_, nth) => tenants.take(`t${String(nth)}`)),
    );
    const again = await tenants.take('t0');
    expect(again.threads).to.equal(acquired[0]?.threads);
    for (const { release } of acquired) release();
    acquired[0]?.release();
    await tick();
    expect(open()).to.equal(IDLE_TENANTS + 1);
    expect(again.threads.isOpen).to.equal(true);
    again.release();
    await tick();
    expect(open()).to.equal(IDLE_TENANTS);
  });

  it('end when nobody has used them for a minute, and not before', async () => {
    const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const threads = await use('a');
      clock.tick(IDLE_MS - 1);
      const acquiredThreads = await tenants.take('a');
      clock.tick(IDLE_MS + 1);
      await tick();
      expect([acquiredThreads.threads, threads.isOpen], 'somebody uses them').to.deep.equal([threads, true]);
      acquiredThreads.release();
      clock.tick(IDLE_MS - 1);
      await tick();
      expect(threads.isOpen).to.equal(true);
      clock.tick(1);
      await tick();
      expect(threads.isOpen).to.equal(false);
      expect(await use('a')).not.to.equal(threads);
    } finally {
      clock.restore();
    }
  });

  it('all end when they are closed, and a release that comes later changes nothing', async () => {
    const acquiredThreads = await tenants.take('a');
    await use('b');
    await tenants.close();
    expect(open()).to.equal(0);
    const anew = await tenants.take('a');
    acquiredThreads.release();
    expect(anew.threads.isOpen).to.equal(true);
    expect(await use('a')).to.equal(anew.threads);
  });
});
