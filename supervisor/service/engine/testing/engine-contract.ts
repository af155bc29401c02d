import { expect } from 'chai';
import { randomFillSync } from 'node:crypto';
import { ORDER_CASES } from '../../../platform/fairness/testing/order-cases.ts';
import { newRunReference } from '../../../../contract/run-reference.ts';
import type { RunRecord } from '../../stores/interface.ts';
import type { Job, JobEngine, Lease, Settle, Worker } from '../interface.ts';

/** Two engines over one record, as two processes have them, and what only tests may do to it. */
export interface EngineUnderTest {
  readonly engine: JobEngine;
  readonly other: JobEngine;
  record(runRef: Job['runRef']): Promise<RunRecord | null>;
  /** The leases of all runs run out now. */
  expire(): Promise<void>;
  /** The same but for one run. */
  expireAllBut(runRef: string): Promise<void>;
  /** One round of the reaper. */
  reap(): Promise<void>;
  /** The engine forgets all that it was to deliver. */
  remove(): Promise<void>;
  close(): Promise<void>;
}

const ENVELOPE = { status: 'ok' };
const FINISHED: Settle = { state: 'finished', envelope: ENVELOPE };

export function jobFor(parts: Partial<Job> = {}): Job {
  return {
    runRef: newRunReference(randomFillSync),
    tenant: 'acme',
    weight: 1,
    applicationDigest: 'sha256:aa',
    inputRef: { kind: 'inline', json: '{"a":"\u0000\ud800"}' },
    requestHash: 'sha256:bb',
    deadline: null,
    limits: { maxRuns: 100, rerunDispatched: false },
    terms: { inputClass: 'normal', artifacts: null, limits: {} },
    ...parts,
  };
}

/** Runs that wait in a handler until a test ends them. */
function waitingRuns() {
  const started: { readonly lease: Lease; readonly settle: (settle: Settle) => void; readonly fail: () => void }[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  return {
    handle: (lease: Lease): Promise<Settle> => {
      const { promise, resolve, reject } = Promise.withResolvers<Settle>();
      started.push({ lease, settle: resolve, fail: () => reject(new Error('the handler broke')) });
      for (const { count, resolve } of waiting) if (started.length >= count) resolve();
      return promise;
    },
    started: started,
    /** Settles once so many have started. */
    reached: async (count: number): Promise<void> => {
      if (started.length >= count) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ count, resolve });
      await promise;
    },
  };
}

/** What every engine holds (gateway.md §19). */
export function holdsEngineContract(make: () => Promise<EngineUnderTest>): void {
  let tested: EngineUnderTest;
  let workers: Worker[];
  beforeEach(async () => {
    tested = await make();
    workers = [];
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close({ graceMs: 0 })));
    await tested.close();
  });
  const work = (engine: JobEngine, slots: number, handle: (lease: Lease) => Promise<Settle>): Worker => {
    const worker = engine.work({ slots }, handle);
    workers.push(worker);
    return worker;
  };
  const until = async (runRef: Job['runRef'], state: RunRecord['state']): Promise<RunRecord> => {
    for (;;) {
      const record = await tested.record(runRef);
      if (record?.state === state) return record;
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
  };

  it('delivers a run once, as it was asked for, and keeps how it ended', async () => {
    const job = jobFor();
    expect(await tested.engine.enqueue(job)).to.equal('accepted');
    const seen: Lease[] = [];
    for (const engine of [tested.engine, tested.other])
      work(engine, 2, async (lease) => {
        seen.push(lease);
        return FINISHED;
      });
    const record = await until(job.runRef, 'finished');
    expect(record).to.include({ epoch: 1, effect: 'none' }).and.to.have.deep.property('envelope', ENVELOPE);
    expect(seen).to.have.length(1);
    expect(seen[0]?.job).to.deep.equal(job);
    expect(seen[0]).to.include({ attempt: 1, spent: null });
  });

  it('gives a worker none of the runs of another application, and keeps none of its own from it', async () => {
    const foreign = [
      jobFor({ applicationDigest: 'sha256:bb' }),
      jobFor({ applicationDigest: 'sha256:bb', tenant: 'other' }),
    ];
    const own = [jobFor(), jobFor({ tenant: 'third' })];
    for (const job of [...foreign, ...own]) await tested.engine.enqueue(job);
    const used: string[] = [];
    const take =
      (by: string) =>
      async (lease: Lease): Promise<Settle> => {
        used.push(`${by} ${lease.job.runRef}`);
        return FINISHED;
      };
    workers.push(tested.engine.work({ slots: 1, applicationDigest: 'sha256:aa' }, take('one')));
    for (const job of own) await until(job.runRef, 'finished');
    for (const job of foreign) expect(await tested.record(job.runRef)).to.include({ state: 'accepted', epoch: 0 });
    const [mine, others] = foreign;
    workers.push(
      tested.other.work(
        {
          slots: 1,
          serves: () => [{ applicationDigest: 'sha256:bb', tenant: 'other' }, { applicationDigest: 'sha256:cc' }],
        },
        take('other'),
      ),
    );
    if (mine === undefined || others === undefined) throw new Error('two were asked for');
    await until(others.runRef, 'finished');
    expect(await tested.record(mine.runRef)).to.include({ state: 'accepted', epoch: 0 });
    expect(used.toSorted()).to.deep.equal(
      [...own.map(({ runRef }) => `one ${runRef}`), `other ${others.runRef}`].toSorted(),
    );
    expect(await tested.engine.cancel(mine.runRef)).to.equal('queued');
  });

  it('knows what it was asked before', async () => {
    const job = jobFor();
    const outcomes = await Promise.all(
      [tested.engine, tested.other, tested.engine, tested.other].map((engine) => engine.enqueue(job)),
    );
    expect(outcomes.toSorted()).to.deep.equal(['accepted', 'duplicate', 'duplicate', 'duplicate']);
    expect(await tested.other.enqueue({ ...job, requestHash: 'sha256:cc' })).to.equal('conflict');
    expect(await tested.other.enqueue({ ...job, tenant: 'other' })).to.equal('conflict');
    const acquired = waitingRuns();
    work(tested.engine, 4, acquired.handle);
    await acquired.reached(1);
    acquired.started[0]?.settle(FINISHED);
    await until(job.runRef, 'finished');
    expect(await tested.engine.enqueue(job)).to.equal('duplicate');
    expect(acquired.started).to.have.length(1);
  });

  it('ends a queued run at once, and tells one that goes on', async () => {
    const [first, second] = [jobFor(), jobFor()];
    await tested.engine.enqueue(first);
    expect(await tested.other.cancel(first.runRef)).to.equal('queued');
    expect(await tested.other.cancel(first.runRef)).to.equal('finished');
    expect(await tested.record(first.runRef)).to.include({ state: 'cancelled', epoch: 0 });
    expect(await tested.engine.cancel(jobFor().runRef)).to.equal('unknown');
    await tested.engine.enqueue(second);
    const acquired = waitingRuns();
    work(tested.engine, 1, acquired.handle);
    await acquired.reached(1);
    const [run] = acquired.started;
    if (run === undefined) throw new Error('none began');
    expect(run.lease.job.runRef).to.equal(second.runRef);
    const reported = new Promise((resolve) => {
      run.lease.signal.addEventListener('abort', () => resolve(run.lease.signal.reason));
    });
    expect(await tested.other.cancel(second.runRef)).to.equal('signalled');
    expect(await reported).to.equal('cancelled');
    expect(await run.lease.gate('write_open')).to.equal(false);
    run.settle({ state: 'cancelled', envelope: ENVELOPE });
    await until(second.runRef, 'cancelled');
    expect(await tested.engine.cancel(second.runRef)).to.equal('finished');
  });

  it('has no more runs of a tenant at once than it may have, and no more than slots', async () => {
    const acquired = waitingRuns();
    const jobs = Array.from({ length: 4 }, (_, index) =>
      jobFor({ tenant: index < 3 ? 'acme' : 'other', limits: { maxRuns: 1, rerunDispatched: false } }),
    );
    for (const job of jobs) await tested.engine.enqueue(job);
    for (const engine of [tested.engine, tested.other]) work(engine, 1, acquired.handle);
    await acquired.reached(2);
    expect(acquired.started.map(({ lease }) => lease.job.tenant).toSorted()).to.deep.equal(['acme', 'other']);
    for (let done = 0; done < 4; done += 1) {
      await acquired.reached(done + 1);
      acquired.started[done]?.settle(FINISHED);
    }
    for (const { runRef } of jobs) await until(runRef, 'finished');
    // Of one tenant in the order of their coming.
    expect(acquired.started.map(({ lease }) => lease.job).filter(({ tenant }) => tenant === 'acme')).to.deep.equal(
      jobs.slice(0, 3),
    );
  });

  it('gives the place of a run that waits for a person to others, and has it back before new ones', async () => {
    const acquired = waitingRuns();
    const one = { maxRuns: 1, rerunDispatched: false };
    const jobs = Array.from({ length: 3 }, () => jobFor({ limits: one }));
    const [waits, second, third] = jobs;
    if (waits === undefined || second === undefined || third === undefined) throw new Error('there are three');
    for (const job of jobs) await tested.engine.enqueue(job);
    work(tested.engine, 1, acquired.handle);
    await acquired.reached(1);
    const [first] = acquired.started;
    if (first === undefined) throw new Error('it began');
    expect(first.lease.job).to.deep.equal(waits);
    first.lease.place.leave();
    await acquired.reached(2);
    expect(acquired.started[1]?.lease.job).to.deep.equal(second);
    const closed = new AbortController();
    const inVain = first.lease.place.regain(closed.signal);
    closed.abort();
    expect(await inVain).to.equal(false);
    const again = first.lease.place.regain(new AbortController().signal);
    // It is on record by then that the run wants its place.
    await tested.record(waits.runRef);
    acquired.started[1]?.settle(FINISHED);
    await until(second.runRef, 'finished');
    expect(await again).to.equal(true);
    // Another worker finds the tenant at its bound.
    const other = work(tested.other, 1, acquired.handle);
    await tested.record(waits.runRef);
    await other.close();
    expect(acquired.started.map(({ lease }) => lease.job.runRef)).to.deep.equal([waits.runRef, second.runRef]);
    first.settle(FINISHED);
    await until(waits.runRef, 'finished');
    await acquired.reached(3);
    acquired.started[2]?.settle(FINISHED);
    await until(third.runRef, 'finished');
  });

  it('serves tenants by their weight, whatever stands before them', async () => {
    const order: string[] = [];
    for (let count = 0; count < 30; count += 1) await tested.engine.enqueue(jobFor({ tenant: 'flood' }));
    for (let count = 0; count < 10; count += 1) await tested.engine.enqueue(jobFor({ tenant: 'heavy', weight: 3 }));
    const lone = jobFor({ tenant: 'lone' });
    await tested.engine.enqueue(lone);
    work(tested.engine, 1, async ({ job }) => {
      order.push(job.tenant);
      return FINISHED;
    });
    await until(lone.runRef, 'finished');
    expect(order.indexOf('lone')).to.be.at.most(4);
    while (order.length < 14)
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    const shares = order.slice(0, 13).filter((tenant) => tenant !== 'lone');
    expect(shares.filter((tenant) => tenant === 'heavy').length).to.be.within(8, 10);
  });

  for (const { rule, steps } of ORDER_CASES) {
    it(`begins runs in the order of the fair queue: ${rule}`, async () => {
      const acquired = waitingRuns();
      let expected = 0;
      try {
        for (const step of steps) {
          if (!('begins' in step)) {
            const { tenant, weight, runs } = step;
            for (let run = 0; run < runs; run += 1) await tested.engine.enqueue(jobFor({ tenant, weight }));
            continue;
          }
          const first = expected;
          expected += step.begins.length;
          if (first === 0) work(tested.engine, 1, acquired.handle);
          for (let run = Math.max(1, first); run < expected; run += 1) {
            await acquired.reached(run);
            acquired.started[run - 1]?.settle(FINISHED);
          }
          await acquired.reached(expected);
          const tenants = acquired.started.slice(first).map(({ lease }) => lease.job.tenant);
          expect(tenants.join('')).to.equal(step.begins);
        }
      } finally {
        for (const { settle } of acquired.started) settle(FINISHED);
      }
    });
  }

  for (const { effect, rerunDispatched, outcomes } of [
    { effect: 'none', rerunDispatched: false, outcomes: ['accepted', 'accepted', 'lost'] },
    { effect: 'dispatched', rerunDispatched: false, outcomes: ['lost'] },
    { effect: 'dispatched', rerunDispatched: true, outcomes: ['accepted', 'lost'] },
    { effect: 'write_open', rerunDispatched: true, outcomes: ['lost'] },
  ] as const) {
    it(`takes over ${outcomes.join(', ')} what was left with effect ${effect}${rerunDispatched ? ', once more where its tenant lets it' : ''}`, async () => {
      const job = jobFor({ limits: { maxRuns: 100, rerunDispatched } });
      await tested.engine.enqueue(job);
      const acquired = waitingRuns();
      work(tested.engine, 8, acquired.handle);
      for (const [round, outcome] of outcomes.entries()) {
        await acquired.reached(round + 1);
        const lease = acquired.started[round]?.lease;
        expect(lease)
          .to.include({ attempt: round + 1 })
          .and.to.have.deep.property('spent', round === 0 ? null : { tokens: round });
        if (effect !== 'none') expect(await lease?.gate(effect)).to.equal(true);
        expect(await lease?.note({ tokens: round + 1 })).to.equal(true);
        await tested.expire();
        await tested.reap();
        if (outcome === 'lost')
          expect(await tested.record(job.runRef)).to.include({ state: 'lost', epoch: round + 1, effect });
      }
      // Those that were taken over come back late, with another record.
      for (const run of acquired.started) {
        expect(await run.lease.extend()).to.equal(false);
        expect(await run.lease.gate('write_open')).to.equal(false);
        run.settle(FINISHED);
      }
      await Promise.all(workers.map((worker) => worker.close()));
      const record = await tested.record(job.runRef);
      expect(record).to.include({ state: 'lost' });
      expect(record?.envelope).to.include({ command: 'run', status: 'error', run_ref: job.runRef });
      expect(acquired.started).to.have.length(outcomes.length);
    });
  }

  it('begins no further run of an application of which five were lost with nothing done', async () => {
    const jobs = Array.from({ length: 5 }, () => jobFor());
    for (const job of jobs) await tested.engine.enqueue(job);
    const acquired = waitingRuns();
    const worker = work(tested.engine, 64, acquired.handle);
    for (let round = 1; round <= 3; round += 1) {
      await acquired.reached(5 * round);
      if (round < 3) await tested.expire();
      if (round < 3) await tested.reap();
    }
    // Four are lost: a fifth run is started still.
    const last = acquired.started.slice(10).at(-1);
    await tested.expireAllBut(last?.lease.job.runRef ?? '');
    await tested.reap();
    const fifth = jobFor();
    await tested.engine.enqueue(fifth);
    await acquired.reached(16);
    acquired.started[15]?.settle(FINISHED);
    await until(fifth.runRef, 'finished');
    await tested.expire();
    await tested.reap();
    const [refused, other] = [jobFor(), jobFor({ applicationDigest: 'sha256:other' })];
    await tested.engine.enqueue(refused);
    await tested.engine.enqueue(other);
    await acquired.reached(17);
    acquired.started[16]?.settle(FINISHED);
    expect((await until(refused.runRef, 'finished')).envelope).to.deep.equal({
      refused: 'unavailable',
      diagnostic: null,
    });
    await until(other.runRef, 'finished');
    expect(acquired.started[16]?.lease.job.runRef, 'one of another application').to.equal(other.runRef);
    for (const run of acquired.started) run.settle(FINISHED);
    await worker.close();
  });

  it('lets a run that comes late open no gate and write no record', async () => {
    const job = jobFor();
    await tested.engine.enqueue(job);
    const [first, second] = [waitingRuns(), waitingRuns()];
    const late = work(tested.engine, 1, first.handle);
    await first.reached(1);
    await tested.expire();
    await tested.reap();
    work(tested.other, 1, second.handle);
    // The one who lost it may take it again, too.
    await Promise.race([second.reached(1), first.reached(2)]);
    const [lease, used] = [first.started[0], second.started[0] ?? first.started[1]];
    expect(await lease?.lease.gate('write_open')).to.equal(false);
    expect(await lease?.lease.note({ tokens: 9 })).to.equal(false);
    lease?.settle({ state: 'finished', envelope: { status: 'late' } });
    expect(await used?.lease.gate('write_open')).to.equal(true);
    expect(await used?.lease.gate('dispatched')).to.equal(true);
    used?.settle(FINISHED);
    await late.close();
    expect(await until(job.runRef, 'finished'))
      .to.include({ epoch: 2, effect: 'write_open' })
      .and.to.have.deep.property('envelope', ENVELOPE);
  });

  it('takes a handler that throws for a runner that died', async () => {
    const job = jobFor();
    await tested.engine.enqueue(job);
    const acquired = waitingRuns();
    work(tested.engine, 1, acquired.handle);
    await acquired.reached(1);
    acquired.started[0]?.fail();
    expect(await tested.record(job.runRef)).to.include({ state: 'running' });
    await tested.expire();
    await tested.reap();
    await acquired.reached(2);
    acquired.started[1]?.settle(FINISHED);
    expect(await until(job.runRef, 'finished')).to.include({ epoch: 2 });
  });

  it('begins a run that it takes over before those of its tenant that wait', async () => {
    const jobs = Array.from({ length: 3 }, () => jobFor({ limits: { maxRuns: 1, rerunDispatched: false } }));
    for (const job of jobs) await tested.engine.enqueue(job);
    const started: string[] = [];
    const died = Promise.withResolvers<void>();
    work(tested.engine, 1, async ({ job, attempt }) => {
      started.push(`${jobs.findIndex(({ runRef }) => runRef === job.runRef)} ${attempt}`);
      if (started.length > 1) return FINISHED;
      died.resolve();
      throw new Error('as a runner that dies');
    });
    await died.promise;
    await tested.expire();
    await tested.reap();
    for (const { runRef } of jobs) await until(runRef, 'finished');
    expect(started).to.deep.equal(['0 1', '0 2', '1 1', '2 1']);
  });

  it('delivers again what the engine forgot', async () => {
    const jobs = Array.from({ length: 3 }, () => jobFor());
    for (const job of jobs) await tested.engine.enqueue(job);
    await tested.remove();
    await tested.reap();
    work(tested.engine, 2, async () => FINISHED);
    for (const { runRef } of jobs) expect(await until(runRef, 'finished')).to.include({ epoch: 1 });
  });

  it('gives what runs its time when a worker is closed, then stops it', async () => {
    const [first, second] = [jobFor(), jobFor()];
    await tested.engine.enqueue(first);
    const acquired = waitingRuns();
    // One at a time: a claim that is under way when it is closed may still take the next.
    const worker = work(tested.engine, 1, acquired.handle);
    await acquired.reached(1);
    const closed = worker.close();
    await tested.engine.enqueue(second);
    acquired.started[0]?.settle(FINISHED);
    await closed;
    expect(await tested.record(first.runRef)).to.include({ state: 'finished' });
    expect(await tested.record(second.runRef)).to.include({ state: 'accepted' });
    const stubborn = work(
      tested.engine,
      4,
      async ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error(String(signal.reason))));
        }),
    );
    await until(second.runRef, 'running');
    await stubborn.close({ graceMs: 0 });
    expect(acquired.started).to.have.length(1);
  });

  for (const slots of [0, -1, 1.5]) {
    it(`has no worker of ${slots} slots`, () => {
      expect(() => tested.engine.work({ slots }, async () => FINISHED)).to.throw(TypeError);
    });
  }
}
