import { expect } from 'chai';
import type { BoundedSandbox, IsolateOptions } from '../../../sandbox/pool/interface.ts';
import { runAdmission, type Admitted, type AdmissionOptions } from './run-admission.ts';

const SANDBOX: BoundedSandbox = {
  openIsolate: () => Promise.reject(new Error('this test asks nothing')),
  endDomain: async () => undefined,
  close: async () => undefined,
  retryAfterMs: () => null,
  residentBytes: () => 0,
  endLargest: () => undefined,
};
const NEVER = new AbortController().signal;

describe('which runs go on (gateway.md §18)', () => {
  /** Runs that end when they are told, by the order of their requests. */
  function runs(options: AdmissionOptions) {
    const admission = runAdmission(SANDBOX, options);
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const ask = (name: string, tenant = 'a', signal = NEVER): Promise<Admitted<string>> =>
      admission.begin({ tenant, signal }, async () => {
        started.push(name);
        await new Promise<void>((resolve) => {
          ends.set(name, resolve);
        });
        return name;
      });
    const settled = async (): Promise<void> => {
      for (let turn = 0; turn < 10; turn += 1)
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
    };
    return { admission, started: started, ask, settled, end: (name: string) => ends.get(name)?.() };
  }

  const POLICY = () => ({ weight: 1, maxRuns: 2, maxQueued: 1 });

  it('are so many at once, of one tenant and in all; the rest wait, and one beyond them is told when to come again', async () => {
    const { started, ask, settled, end, admission } = runs({ limits: { maxRuns: 3, maxQueued: 9 }, policy: POLICY });
    const [first] = [ask('a1'), ask('a2'), ask('a3')];
    const refused = await ask('a4');
    void ask('b1', 'b');
    await settled();
    expect(started).to.deep.equal(['a1', 'b1', 'a2']);
    expect(refused).to.have.nested.property('refusal.reason', 'tenant_quota');
    expect(refused).to.have.nested.property('refusal.retryAfterMs').that.is.above(0);
    expect(admission.counts()).to.deep.equal({ waiting: 1, holding: 3 });
    end('a1');
    expect(await first).to.deep.equal({ admitted: true, value: 'a1' });
    await settled();
    expect(started).to.deep.equal(['a1', 'b1', 'a2', 'a3']);
  });

  it('begin in the place that another gives up, which comes back before those that wait', async () => {
    const { admission, started, ask, settled, end } = runs({ limits: { maxRuns: 1, maxQueued: 9 } });
    const resumed = Promise.withResolvers<boolean>();
    const decided = Promise.withResolvers<void>();
    const rested = admission.begin({ tenant: 'a', signal: NEVER }, async (_sandbox, _policy, place) => {
      place.leave();
      await decided.promise;
      resumed.resolve(await place.regain(NEVER));
      return 'rested';
    });
    void ask('a2');
    void ask('a3');
    await settled();
    expect([started, admission.counts(), admission.resting()]).to.deep.equal([['a2'], { waiting: 1, holding: 1 }, 1]);
    decided.resolve();
    await settled();
    expect(admission.resting()).to.equal(1);
    end('a2');
    expect([await resumed.promise, await rested]).to.deep.equal([true, { admitted: true, value: 'rested' }]);
    await settled();
    expect([started, admission.resting()]).to.deep.equal([['a2', 'a3'], 0]);
  });

  it('are waited for when they gave their place up, and go on without one once there are no more', async () => {
    const { admission, settled } = runs({ limits: { maxRuns: 1, maxQueued: 9 } });
    const decided = Promise.withResolvers<void>();
    const rested = admission.begin({ tenant: 'a', signal: NEVER }, async (_sandbox, _policy, place) => {
      place.leave();
      await decided.promise;
      return place.regain(NEVER);
    });
    await settled();
    let isDrained = false;
    const draining = admission.drain().then(() => (isDrained = true));
    await settled();
    expect(isDrained).to.equal(false);
    decided.resolve();
    expect(await rested).to.deep.equal({ admitted: true, value: true });
    await draining;
  });

  it('let one that is no longer wanted tell of its end, and take no place for it', async () => {
    const { started, ask, settled, end, admission } = runs({ limits: { maxRuns: 1, maxQueued: 9 }, policy: POLICY });
    const leaving = new AbortController();
    void ask('a1');
    const closed = ask('a2', 'a', leaving.signal);
    leaving.abort();
    await settled();
    expect([started, admission.counts()]).to.deep.equal([['a1', 'a2'], { waiting: 0, holding: 1 }]);
    end('a2');
    expect(await closed).to.deep.equal({ admitted: true, value: 'a2' });
  });

  it('give their place back also when they throw', async () => {
    const admission = runAdmission(SANDBOX, { limits: { maxRuns: 1 } });
    const thrown = await admission
      .begin({ tenant: 'a', signal: NEVER }, () => Promise.reject(new Error('bug')))
      .catch((error: unknown) => error);
    expect([thrown, admission.counts().holding]).to.deep.equal([new Error('bug'), 0]);
  });

  it('drain: those that wait are refused, those that go on are waited for', async () => {
    const { ask, settled, end, admission } = runs({ limits: { maxRuns: 1, maxQueued: 9 }, policy: POLICY });
    void ask('a1');
    const waiting = ask('b1', 'b');
    const drained = admission.drain().then(() => 'drained');
    expect(await waiting).to.have.nested.property('refusal.reason', 'draining');
    await settled();
    expect(await Promise.race([drained, Promise.resolve('waits')])).to.equal('waits');
    end('a1');
    expect(await drained).to.equal('drained');
  });

  it("ask the sandbox for their own tenant, and the one that is alone for nobody's", async () => {
    const isolateOptions: IsolateOptions[] = [];
    const admission = runAdmission({
      ...SANDBOX,
      openIsolate: (options) => {
        isolateOptions.push(options);
        return Promise.reject(new Error('asked'));
      },
    });
    for (const tenant of ['a', 'local']) {
      await admission
        .begin({ tenant, signal: NEVER }, (own) =>
          own.openIsolate({ environment: 'mission', trustDomain: 'run', heapWords: 1, tenant: 'another' }),
        )
        .catch(() => null);
    }
    expect(isolateOptions.map(({ tenant }) => tenant)).to.deep.equal(['a', null]);
  });

  it('are told when to come again where their tenant waits for as many processes as it may', async () => {
    const admission = runAdmission({ ...SANDBOX, retryAfterMs: (tenant) => (tenant === 'a' ? 700 : null) });
    expect(await admission.begin({ tenant: 'a', signal: NEVER }, async () => 1)).to.deep.equal({
      admitted: false,
      refusal: { reason: 'tenant_quota', retryAfterMs: 700 },
    });
    expect(await admission.begin({ tenant: 'b', signal: NEVER }, async () => 1)).to.deep.equal({
      admitted: true,
      value: 1,
    });
  });

  it('refuse a policy that breaks its rules as a mistake of the program', async () => {
    const { ask } = runs({ policy: () => ({ weight: 0, maxRuns: 1, maxQueued: 0 }) });
    expect(await ask('a1').catch((error: unknown) => error)).to.be.instanceOf(TypeError);
    expect(() => runs({ limits: { maxRuns: 0 } })).to.throw(TypeError);
  });
});
