import { expect } from 'chai';
import { processesNaming } from '../testing/processes.ts';
import { evaluation, MISSION_HEAP_WORDS, textOf, verdictOf } from '../testing/requests.ts';
import { RAW_GUEST, useSandboxUnderTest } from '../testing/sandbox-under-test.ts';
import { everywhere } from '../../scripts/build-snapshot.ts';
import type { BoundedSandbox, Isolate } from './interface.ts';
import type { PoolEvent } from './pool-event.ts';
import { startSandbox } from './pool.ts';

const WITHIN = { timeoutMs: 60_000 };
const SPIN = 'for (;;);';

describe('host processes that tenants share (gateway.md §17, §18)', () => {
  const built = useSandboxUnderTest(() => everywhere({ script: RAW_GUEST }), { isolatesPerHost: 2 });
  let sandbox: BoundedSandbox;
  let events: PoolEvent[];
  const start = (hosts: number): void => {
    events = [];
    sandbox = startSandbox({ ...built.options, hosts, onEvent: (event) => events.push(event) });
  };
  afterEach(() => sandbox.close());

  const open = (trustDomain: string, tenant: string | null = null): Promise<Isolate> =>
    sandbox.openIsolate({ environment: 'mission', trustDomain, tenant, heapWords: MISSION_HEAP_WORDS });
  const answer = async (isolate: Isolate): Promise<string | null> =>
    textOf(await isolate.request(evaluation('return 1'), WITHIN));
  const hosts = async (): Promise<number> => (await processesNaming(built.options.guestImage)).length;
  /** What was answered by the time that another isolate, of a domain that has a host, has answered. */
  async function byNow<T>(requested: Promise<T>, known: Isolate): Promise<T | 'waits'> {
    await answer(known);
    return Promise.race([requested, Promise.resolve('waits' as const)]);
  }

  it('are so many at most, and one less, as many and one more than that are asked for', async () => {
    start(4);
    const opened = await Promise.all(['a', 'b', 'c'].map((domain) => open(domain)));
    expect(await Promise.all(opened.map(answer))).to.deep.equal(['1', '1', '1']);
    expect(await hosts()).to.be.within(3, 4);
    const fourth = await open('d');
    expect([await answer(fourth), await hosts()]).to.deep.equal(['1', 4]);
    const fifth = answer(await open('e'));
    expect([await byNow(fifth, fourth), await hosts()]).to.deep.equal(['waits', 4]);
    await opened[0]?.dispose();
    expect([await fifth, await hosts()]).to.deep.equal(['1', 4]);
  });

  it('of a tenant that uses none give way, before they would end by themselves', async () => {
    start(3);
    const idle = await Promise.all(['a1', 'a2'].map((domain) => open(domain, 'a')));
    for (const isolate of idle) {
      await answer(isolate);
      await isolate.dispose();
    }
    expect(await answer(await open('b1', 'b'))).to.equal('1');
    expect(await answer(await open('b2', 'b'))).to.equal('1');
    expect(await hosts()).to.be.at.most(3);
  });

  it('are never all of one tenant, whatever it asks for, however long', async () => {
    start(9);
    // Those that still wait for their turn when the sandbox closes never get an isolate.
    const flood = Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const isolate = await open(`a${index}`, 'a').catch((error: Error) => error.message);
        return typeof isolate === 'string'
          ? isolate
          : verdictOf(await isolate.request(evaluation(SPIN), { timeoutMs: 600_000 }));
      }),
    );
    const other = await open('b', 'b');
    expect(await answer(other)).to.equal('1');
    expect(await answer(await open('b-too', 'b'))).to.equal('1');
    expect(await hosts()).to.be.at.most(9);
    await sandbox.close();
    expect(await flood).to.include('host_lost/killed');
    expect(['host_lost/killed', 'the sandbox is closed']).to.include.members(await flood);
  });

  it('are waited for up to the deadline of a request, and no longer than anyone wants it', async () => {
    start(3);
    const isolates = await Promise.all(['a', 'b', 'c'].map((domain) => open(domain)));
    await Promise.all(isolates.map(answer));
    expect(await (await open('d')).request(evaluation('return 1'), { timeoutMs: 50 })).to.deep.equal({
      status: 'timeout',
      isHostSilent: true,
    });
    const controller = new AbortController();
    const input = (await open('e')).request(evaluation('return 1'), { ...WITHIN, signal: controller.signal });
    controller.abort();
    expect(verdictOf(await input)).to.equal('cancelled');
    const disposed = await open('f');
    const running = disposed.request(evaluation('return 1'), WITHIN);
    await disposed.dispose();
    expect(verdictOf(await running)).to.equal('cancelled');
    expect(disposed.isUsable()).to.equal(false);
    const ended = (await open('g')).request(evaluation('return 1'), WITHIN);
    await sandbox.endDomain({ environment: 'mission', trustDomain: 'g' });
    expect(verdictOf(await ended)).to.equal('host_lost/killed');
    expect(await hosts()).to.equal(3);
  });

  it('leave room for missions beside any number of workflows', async () => {
    start(4);
    const workflows = await Promise.all(
      ['a', 'b', 'c', 'd'].map((tenant) =>
        sandbox.openIsolate({ environment: 'workflow', trustDomain: tenant, tenant, heapWords: MISSION_HEAP_WORDS }),
      ),
    );
    const [first, second, third] = workflows.map(answer);
    expect(await Promise.all([first, second])).to.deep.equal(['1', '1']);
    expect(await answer(await open('run of a', 'a'))).to.equal('1');
    await workflows[0]?.dispose();
    expect(await third).to.equal('1');
  });

  it('have so many who wait for them; one more is told when to come again, and its tenant before it asks', async () => {
    start(3);
    const isolates = await Promise.all(['a1', 'a2'].map((domain) => open(domain, 'a')));
    await Promise.all(isolates.map(answer));
    expect(sandbox.retryAfterMs('a')).to.equal(null);
    // Two thirds of 4,096, to one that is alone.
    const waiting = await Promise.all(Array.from({ length: 2731 }, () => open('a3', 'a')));
    expect(waiting.every((isolate) => isolate.isUsable())).to.equal(true);
    expect(sandbox.retryAfterMs('a')).to.be.within(100, 60_000);
    const beyond = await open('a3', 'a');
    expect(verdictOf(await beyond.request(evaluation('return 1'), WITHIN))).to.equal('host_lost/no_room');
    const reported = events.find(({ event }) => event === 'turned_away');
    expect(reported).to.have.property('tenant', 'a');
    expect(reported).to.have.property('retryAfterMs').that.is.within(100, 60_000);
    expect(sandbox.retryAfterMs('b')).to.equal(null);
    expect(await answer(await open('b', 'b'))).to.equal('1');
    await waiting[0]?.dispose();
    expect(sandbox.retryAfterMs('a')).to.equal(null);
  });

  it('are three at least', () => {
    start(3);
    for (const hosts of [2, 0, 3.5]) expect(() => startSandbox({ ...built.options, hosts })).to.throw(TypeError);
  });
});
