import { expect } from 'chai';
import sinon from 'sinon';
import type { Isolate, Sandbox } from '../../../sandbox/pool/interface.ts';
import { runStarts } from './run-starts.ts';
import { LOCAL_TENANT } from '../../platform/tenant.ts';

describe('starts of runs', () => {
  let clock: sinon.SinonFakeTimers;
  let opened: ((isolate: Isolate) => void)[];
  let started: number[];
  let ends: (() => void)[];
  let starts: ReturnType<typeof runStarts>;

  const refuse = (): Promise<never> => Promise.reject(new Error('this test asks nothing'));
  const ISOLATE: Isolate = {
    request: refuse,
    loadAndRequest: refuse,
    isUsable: () => true,
    dispose: async () => undefined,
  };
  const sandbox: Sandbox = {
    openIsolate: () =>
      new Promise((resolve) => {
        opened.push(resolve);
      }),
    endDomain: async () => undefined,
    close: async () => undefined,
  };

  beforeEach(() => {
    clock = sinon.useFakeTimers();
    opened = [];
    started = [];
    ends = [];
    starts = runStarts(sandbox);
  });
  afterEach(() => clock.restore());

  /** Runs that open an isolate, if they do, and end when they are told. */
  function run(count: number, opens: boolean): readonly Promise<number>[] {
    return Array.from({ length: count }, (_, index) =>
      starts.begin(LOCAL_TENANT, async (own) => {
        started.push(index);
        if (opens) await own.openIsolate({ environment: 'workflow', trustDomain: 'a', heapWords: 1 });
        await new Promise<void>((resolve) => {
          ends.push(resolve);
        });
        return index;
      }),
    );
  }

  it('are so many at a time, and the next is one whose predecessor has its isolate', async () => {
    void run(18, true);
    await clock.tickAsync(50);
    expect(started).to.deep.equal(Array.from({ length: 16 }, (_, index) => index));
    opened[3]?.(ISOLATE);
    await clock.tickAsync(50);
    expect(started).to.have.length(17);
  });

  it('make room when they end without an isolate, also by a bug', async () => {
    const [first] = run(17, false);
    const thrown = starts.begin(LOCAL_TENANT, () => Promise.reject(new Error('bug'))).catch((error: unknown) => error);
    await clock.tickAsync(50);
    expect(started).to.have.length(16);
    ends[0]?.();
    expect(await first).to.equal(0);
    await clock.tickAsync(50);
    expect(started).to.have.length(17);
    ends[1]?.();
    await clock.tickAsync(50);
    expect(await thrown).to.be.instanceOf(Error);
  });

  it("of one tenant leave room for another's", async () => {
    const order: string[] = [];
    for (let count = 0; count < 30; count += 1) void starts.begin('a', () => new Promise<void>(() => order.push('a')));
    await clock.tickAsync(50);
    void starts.begin('b', () => new Promise<void>(() => order.push('b')));
    await clock.tickAsync(50);
    expect(order).to.have.length.below(16).and.to.include('b');
  });

  it('that take long hold nobody up', async () => {
    void run(17, false);
    await clock.tickAsync(200);
    expect(started).to.have.length(16);
    await clock.tickAsync(100);
    expect(started).to.have.length(17);
  });
});
