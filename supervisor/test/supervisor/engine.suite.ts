import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import {
  newJob,
  openEngine,
  openPgliteDatabase,
  openPostgresJournal,
  type Database,
  type DatabaseEngine,
  type JobEngine,
  type RunJournal,
} from '../../api/engine.ts';
import {
  createMemoryArtifacts,
  createRunRef,
  type CustomFunction,
  type PreparedApplication,
  type RunHandle,
  type RunRequest,
  type RunResult,
  type Supervisor,
  type SupervisorOptions,
} from '../../api/supervisor.ts';
import { ENGINE_SCHEMA, SCHEMA } from '../../service/engine/schema.ts';
import { work } from '../capabilities/runs.ts';
import { finished, supervise } from '../capabilities/supervised.ts';

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const codeOf = (end: RunResult): string =>
  end.kind === 'refused' ? end.code : end.envelope.status === 'ok' ? 'ok' : end.envelope.error.code;
/** Nothing runs out while a loaded machine takes its time. */
const PATIENT = { leaseMs: 600_000, selfKillMs: 500_000, pollMs: 20 };

function files(body: string, manifest: object = {}): ReadonlyMap<string, Uint8Array> {
  return new Map(
    Object.entries({
      'svc.json': {
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: {},
        input: { value: { n: 1 } },
        ...manifest,
      },
      'main.clj': `(ns main)\n(defn run [input] ${body})\n`,
    }).map(([name, value]) => [name, bytes(value)]),
  );
}

describe('a supervisor whose runs an engine delivers (gateway.md §16, §19)', () => {
  let pglite: PGlite;
  let journal: RunJournal;
  let engines: DatabaseEngine[] = [];
  let supervisors: Supervisor[] = [];
  const store = createMemoryArtifacts();
  before(async () => {
    pglite = await PGlite.create();
  });
  after(async () => pglite.close());
  beforeEach(async () => {
    await pglite.exec(`drop schema if exists ${SCHEMA} cascade; drop schema if exists ${ENGINE_SCHEMA} cascade`);
    journal = openPostgresJournal(openPgliteDatabase(pglite));
  });
  afterEach(async () => {
    await Promise.all(supervisors.map((own) => own.close()));
    await Promise.all(engines.map((engine) => engine.close()));
    supervisors = [];
    engines = [];
  });

  const opened = async (): Promise<DatabaseEngine> => {
    const engine = await openEngine(openPgliteDatabase(pglite), PATIENT);
    engines.push(engine);
    return engine;
  };
  const started = async (options: SupervisorOptions = {}, engine?: JobEngine): Promise<Supervisor> => {
    const own = await supervise({
      engine: engine ?? (await opened()),
      ...options,
      stores: { journal, artifacts: store },
    });
    supervisors.push(own);
    return own;
  };
  const plain = async (own: Supervisor, body = '{:n (get input "n")}'): Promise<PreparedApplication> =>
    own.prepare({ kind: 'memory', files: files(body) });
  const calling = async (
    own: Supervisor,
    call: CustomFunction,
    effect: 'read' | 'write' = 'read',
  ): Promise<PreparedApplication> =>
    own.prepare({
      kind: 'memory',
      files: files('{:n (:value (tool/work))}', { providers: { workflow: [{ name: 'tools' }] } }),
      custom: [work(call, { effect, timeoutMs: 60_000 })],
    });

  it('tells how a run ended that it performed itself, with what it left and what happened', async () => {
    const own = await started();
    const names: string[] = [];
    const run = own.run(await plain(own), {
      tenant: 'acme',
      input: bytes('{"n":12345678901234567890}'),
      artifacts: { result: true },
      onEvent: ({ event }) => names.push(event),
    });
    const end = finished(await run.result);
    expect(end).to.deep.include({
      runRef: run.runRef,
      valueText: '{"n":12345678901234567890}',
      effects: 'none',
      attempt: 1,
      exitStatus: 0,
    });
    expect(end.artifacts.map(({ uri }) => uri)).to.deep.equal([`memory:acme/${run.runRef}/1/result.json`]);
    await until('the last event', () => (names.includes('finished') ? true : undefined));
    expect(names.filter((name) => ['queued', 'admitted', 'started', 'finished'].includes(name))).to.deep.equal([
      'queued',
      'admitted',
      'started',
      'finished',
    ]);
    expect((await journal.scan({ limit: 10 })).map(({ runRef, state, epoch }) => [runRef, state, epoch])).to.deep.equal(
      [[run.runRef, 'finished', 1]],
    );
  });

  it('tells the same of one that another supervisor performed', async () => {
    const one = { limits: { maxRuns: 1 }, tenant: () => ({ maxRuns: 4 }) };
    const [first, second] = [await started(one), await started(one)];
    const acquired = Promise.withResolvers<number>();
    let calls = 0;
    const busy = await calling(first, async () => {
      calls += 1;
      return acquired.promise;
    });
    const there = await calling(second, () => 7);
    expect(there.contentDigest).to.equal(busy.contentDigest);
    // One supervisor holds its only run until the other has performed one.
    const runs = Array.from({ length: 4 }, () => first.run(busy, { artifacts: { result: true } }));
    const done = finished(await Promise.any(runs.map(async ({ result }) => result)));
    expect(done).to.deep.include({
      kind: 'finished',
      value: { n: 7 },
      valueText: '{"n":7}',
      effects: 'read',
      attempt: 1,
      exitStatus: 0,
    });
    expect(done.envelope).to.have.nested.property('result.result_class', 'normal');
    expect(done.artifacts.map(({ kind, uri }) => [kind, uri])).to.deep.equal([
      ['result', `memory:local/${done.runRef}/1/result.json`],
    ]);
    acquired.resolve(7);
    for (const { result } of runs) expect(codeOf(await result)).to.equal('ok');
    expect(calls).to.be.at.most(4);
  });

  it('performs another run in the only place while one waits for a person (approvals.md §9)', async () => {
    const decided = Promise.withResolvers<{ readonly decision: 'allow' }>();
    const requested = Promise.withResolvers<void>();
    const own = await started({
      limits: { maxRuns: 1 },
      tenant: () => ({ maxRuns: 1 }),
      approvals: {
        holdMs: 0,
        onRequest: () => {
          requested.resolve();
          return decided.promise;
        },
      },
    });
    const asking = await own.prepare({
      kind: 'memory',
      files: files('{:n (:value (tool/work))}', { providers: { workflow: [{ name: 'tools' }] } }),
      custom: [work(() => 7, { effect: 'write', approval: 'writes' })],
    });
    const waits = own.run(asking);
    await requested.promise;
    expect(finished(await own.run(await plain(own)).result).value).to.deep.equal({ n: 1 });
    decided.resolve({ decision: 'allow' });
    expect(finished(await waits.result).value).to.deep.equal({ n: 7 });
  });

  it('has the person whose grants a run uses go with its job', async () => {
    const engine = await opened();
    const principals: unknown[] = [];
    const own = await started(
      {},
      {
        ...engine,
        enqueue: async (job) => {
          principals.push(job.terms.principal);
          return engine.enqueue(job);
        },
      },
    );
    expect(codeOf(await own.run(await plain(own), { tenant: 'acme', principal: 'ada' }).result)).to.equal('ok');
    expect(principals).to.deep.equal(['ada']);
  });

  it('stops a run that waits, one that goes on, and one whose time is up', async () => {
    const own = await started({ limits: { maxRuns: 1 } });
    const opened = Promise.withResolvers<void>();
    const application = await calling(own, (_input, { signal }: { readonly signal: AbortSignal }) => {
      opened.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      });
    });
    const going = own.run(application);
    await opened.promise;
    const waiting = own.run(application);
    const late = own.run(application, { deadlineMs: 50 });
    const requested = new AbortController();
    const unwanted = own.run(application, { signal: requested.signal });
    expect(codeOf(await late.result)).to.equal('internal_error');
    await waiting.cancel();
    requested.abort();
    for (const { result } of [waiting, unwanted])
      expect(finished(await result)).to.deep.include({ effects: 'none', attempt: 0 });
    await going.cancel();
    expect(codeOf(await going.result)).to.equal('internal_error');
    const states = (await journal.scan({ limit: 10 })).map(({ state }) => state);
    expect(states).to.deep.equal(['cancelled', 'cancelled', 'cancelled', 'cancelled']);
  });

  describe('ends a run that its caller cancels', () => {
    /** It calls and waits until it is stopped: a cancel that is lost is a test that never ends. */
    const endless = async (own: Supervisor, onCall: () => void = () => undefined): Promise<PreparedApplication> =>
      calling(own, async (_input, { signal }: { readonly signal: AbortSignal }) => {
        onCall();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        });
      });
    const cancelled = async (run: RunHandle): Promise<void> => {
      const end = finished(await run.result);
      expect([codeOf(end), end.cancelled]).to.deep.equal(['internal_error', true]);
      expect((await journal.scan({ limit: 100 })).find(({ runRef }) => runRef === run.runRef)).to.include({
        state: 'cancelled',
      });
    };

    it('in the very turn in which it was asked for, by its handle and by its signal', async () => {
      const own = await started();
      const application = await endless(own);
      for (let round = 0; round < 5; round += 1) {
        const requested = new AbortController();
        const [first, second, third] = [
          own.run(application),
          own.run(application, { signal: requested.signal }),
          own.run(application, { signal: AbortSignal.abort() }),
        ];
        requested.abort();
        await first.cancel();
        for (const run of [first, second, third]) await cancelled(run);
      }
    });

    it('before and after each thing that is done with its engine', async () => {
      const engine = await opened();
      let run: RunHandle | null = null;
      const at = (moment: string, wanted: string): void => {
        if (moment === wanted) void run?.cancel();
      };
      for (const wanted of ['before it is entered', 'when it is entered', 'when it is claimed', 'when it has begun']) {
        const watched: JobEngine = {
          ...engine,
          enqueue: async (job) => {
            await Promise.resolve();
            at('before it is entered', wanted);
            const outcome = await engine.enqueue(job);
            at('when it is entered', wanted);
            return outcome;
          },
          work: (options, handle) =>
            engine.work(options, async (lease) => {
              at('when it is claimed', wanted);
              return handle(lease);
            }),
        };
        const own = await started({}, watched);
        const application = await endless(own, () => {
          at('when it has begun', wanted);
        });
        run = own.run(application);
        await cancelled(run);
        await own.close();
      }
    });

    it('when its database is away at that moment, as soon as it is back', async () => {
      const engine = await opened();
      let refusals = 0;
      const running = Promise.withResolvers<void>();
      const own = await started(
        {},
        {
          ...engine,
          cancel: async (runRef) => {
            if (refusals === 0) {
              refusals += 1;
              throw new Error('no connection');
            }
            return engine.cancel(runRef);
          },
        },
      );
      const run = own.run(await endless(own, running.resolve));
      await running.promise;
      void run.cancel();
      await cancelled(run);
      expect(refusals).to.equal(1);
    });

    it('and tells a deadline, a drained supervisor and a run that had ended from that', async () => {
      const own = await started({ limits: { maxRuns: 1 } });
      let onCall = (): void => undefined;
      const application = await endless(own, () => {
        onCall();
      });
      const late = finished(await own.run(application, { deadlineMs: 60 }).result);
      expect([codeOf(late), late.cancelled]).to.deep.equal(['internal_error', false]);
      const done = own.run(await plain(own));
      await done.result;
      await done.cancel();
      expect(finished(await done.result)).to.include({ cancelled: false, exitStatus: 0 });
      const opened = Promise.withResolvers<void>();
      onCall = opened.resolve;
      const [going, waiting] = [own.run(application), own.run(application)];
      await opened.promise;
      await own.drain({ graceMs: 0 });
      expect(finished(await waiting.result)).to.include({ cancelled: false });
      const end = await going.result;
      expect(end.kind === 'finished' && end.cancelled).to.equal(false);
    });
  });

  it('refuses what it would refuse without an engine', async () => {
    const own = await started({ tenant: (id) => (id === 'nobody' ? null : {}) });
    const other = await started();
    const application = await plain(own);
    const end = async (request: RunRequest, what = application): Promise<string> =>
      codeOf(await own.run(what, request).result);
    expect(await end({ tenant: 'nobody' })).to.equal('tenant_unknown');
    expect(await end({ tenant: '../x' })).to.equal('tenant_unknown');
    expect(await end({}, await plain(other))).to.equal('prepared_stale');
    expect(await end({ input: bytes('[1]') })).to.equal('input_invalid');
    const runRef = createRunRef();
    expect(await end({ runRef })).to.equal('ok');
    expect(await end({ runRef, input: { n: 2 } })).to.equal('run_ref_conflict');
    expect(await end({ runRef }), 'the same once more: what became of it').to.equal('ok');
    expect(() => own.run(application, { limits: { workflow_timeout_ms: 2_000_000_000 } })).to.throw(RangeError);
    expect(() => own.run(application, { attempt: 2 })).to.throw(TypeError);
    expect(() => own.run(application, { effectGate: async () => true })).to.throw(TypeError);
    expect(await own.drain()).to.deep.equal({ clean: true, forced: 0 });
    expect(await end({})).to.equal('draining');
  });

  it('tells a run of a name that was just refused to another, whose record it was still looking at', async () => {
    const engine = await opened();
    const [asking, looking, answered] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    let isSlow = false;
    const slow: RunJournal = {
      ...journal,
      get: async (runRef) => {
        if (!isSlow) return journal.get(runRef);
        isSlow = false;
        looking.resolve();
        await answered.promise;
        return journal.get(runRef);
      },
    };
    const patient: JobEngine = {
      ...engine,
      enqueue: async (job) => {
        await asking.promise;
        return engine.enqueue(job);
      },
    };
    const own = await supervise({ engine: patient, stores: { journal: slow, artifacts: store } });
    supervisors.push(own);
    const application = await plain(own);
    const job = newJob({ tenant: 'local', applicationDigest: application.contentDigest });
    const { runRef } = job;
    await engine.enqueue(job);
    await until('the end of the run', async () =>
      (await journal.get(runRef))?.state === 'finished' ? true : undefined,
    );
    isSlow = true;
    const other = own.run(application, { runRef, input: { n: 2 } });
    await looking.promise;
    asking.resolve();
    expect(codeOf(await other.result)).to.equal('run_ref_conflict');
    const same = own.run(application, { runRef });
    answered.resolve();
    expect(finished(await same.result)).to.deep.include({ value: { n: 1 }, attempt: 1 });
  });

  it('refuses runs while its database is down; those that wait go on waiting, and one that goes on is settled later', async () => {
    const database = openPgliteDatabase(pglite);
    let isDown = false;
    const reach = (): void => {
      if (isDown) throw new Error('no connection');
    };
    const breakable: Database = {
      ...database,
      query: async (...requested) => {
        reach();
        return database.query(...requested);
      },
      transaction: async (work) => {
        reach();
        return database.transaction(work);
      },
    };
    const engine = await openEngine(breakable, PATIENT);
    engines.push(engine);
    const own = await started({ limits: { maxRuns: 1 } }, engine);
    const acquired = Promise.withResolvers<number>();
    const opened = Promise.withResolvers<void>();
    const application = await calling(own, async () => {
      opened.resolve();
      return acquired.promise;
    });
    const [going, waiting] = [own.run(application), own.run(application)];
    await opened.promise;
    isDown = true;
    expect(await own.run(application).result).to.deep.include({
      kind: 'refused',
      code: 'unavailable',
      retryAfterMs: 1000,
    });
    const ended = own.snapshot().runs.running;
    acquired.resolve(1);
    await until('the end of the run itself', () => (own.snapshot().runs.running < ended ? true : undefined));
    const states = async (): Promise<readonly string[]> =>
      (await journal.scan({ limit: 10 })).map(({ state }) => state).toSorted();
    expect(await states(), 'nothing is told of it').to.deep.equal(['accepted', 'running']);
    isDown = false;
    expect([codeOf(await going.result), codeOf(await waiting.result)]).to.deep.equal(['ok', 'ok']);
    expect(await states()).to.deep.equal(['finished', 'finished']);
  });

  it('is not made without the record of its engine', async () => {
    const engine = await opened();
    expect(
      await supervise({ engine }).then(
        () => null,
        (error: unknown) => error,
      ),
    ).to.be.instanceOf(TypeError);
  });
});
