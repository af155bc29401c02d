import { expect } from 'chai';
import * as sinon from 'sinon';
import { LONGEST_GRACE_MS, readThreadUses, startGrace, TICK_MS, type ThreadUse } from './stop-grace.ts';

const GRACE_MS = 500;

describe('the time that a host has to stop', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => clock.restore());

  const idle = (): ThreadUse => ({ isRunnable: false, usedMs: 40 });
  /** One that wants a processor all the time, and gets a part of one. */
  const spinning =
    (share: number) =>
    (nowMs: number): ThreadUse => ({ isRunnable: true, usedMs: 40 + nowMs * share });

  async function overAfter(threads: readonly ((nowMs: number) => ThreadUse)[]): Promise<number | null> {
    let over: number | null = null;
    const began = performance.now();
    startGrace(
      GRACE_MS,
      () => {
        over = performance.now() - began;
      },
      () => new Map(threads.map((thread, number) => [number, thread(performance.now() - began)])),
    );
    await clock.tickAsync(2 * LONGEST_GRACE_MS);
    return over;
  }

  const cases: readonly (readonly [title: string, threads: readonly ((nowMs: number) => ThreadUse)[], over: number])[] =
    [
      ['is that of the clock, where nothing of it wants a processor', [idle, idle], GRACE_MS],
      ['is that of the clock, where the system does not tell', [], GRACE_MS],
      ['is that of the clock, where it spins on a processor of its own', [idle, spinning(1)], GRACE_MS],
      // The first look has nothing to compare with, and counts.
      ['is longer, where it gets a tenth of a processor', [idle, spinning(0.1)], TICK_MS + 4000],
      ['is that of its thread served worst', [spinning(1), spinning(0.5)], TICK_MS + 800],
      ['has an end, where it gets none', [idle, spinning(0)], LONGEST_GRACE_MS],
    ];
  for (const [title, threads, over] of cases) {
    it(title, async () => {
      expect(await overAfter(threads)).to.equal(over);
    });
  }

  it('is not over for one that stops', async () => {
    let isOver = false;
    const end = startGrace(
      GRACE_MS,
      () => {
        isOver = true;
      },
      () => new Map([[1, spinning(0.05)(performance.now())]]),
    );
    await clock.tickAsync(3000);
    end();
    await clock.tickAsync(2 * LONGEST_GRACE_MS);
    expect(isOver).to.equal(false);
  });
});

describe('what the threads of a process use', () => {
  const STATS: Readonly<Record<string, string>> = {
    '/proc/7/task/7/stat': '7 (a ) R (name) S 1 7 7 0 -1 4194560 100 0 0 0 3 2 900 900 20 0 11 0',
    '/proc/7/task/8/stat': '8 (V8Worker) R 1 7 7 0 -1 4194560 100 0 0 0 120 30 0 0 20 0 11 0',
    '/proc/9/task/9/stat': '9 (host) R 7 7 7 0 -1 4194560 100 0 0 0 5 0 0 0 20 0 11 0',
  };
  const read = (path: string): string => {
    const stat = STATS[path];
    if (stat === undefined) throw new Error('no such file');
    return stat;
  };
  const list = (path: string): readonly string[] => (path === '/proc/7/task' ? ['7', '8', '10'] : ['9']);

  it('is read of each, with those of the processes below, without those that have ended', () => {
    expect(readThreadUses(7, read, list, (pid) => (pid === 7 ? [9] : []))).to.deep.equal(
      new Map([
        [7, { isRunnable: false, usedMs: 50 }],
        [8, { isRunnable: true, usedMs: 1500 }],
        [9, { isRunnable: true, usedMs: 50 }],
      ]),
    );
  });

  it('is nothing where the system does not tell', () => {
    const fails = (): never => {
      throw new Error('no such file');
    };
    expect(readThreadUses(7, fails, fails, () => [])).to.deep.equal(new Map());
    expect(readThreadUses(undefined)).to.deep.equal(new Map());
  });

  if (process.platform === 'linux') {
    it('is told of this process', () => {
      const own = readThreadUses(process.pid).get(process.pid);
      expect(own?.usedMs).to.be.greaterThan(0);
    });
  }
});
