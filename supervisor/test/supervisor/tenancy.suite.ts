import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import { startModelServer } from '../../../conformance/servers/llm/server.ts';
import type {
  CustomFunction,
  PoolEvent,
  PreparedApplication,
  RunResult,
  Supervisor,
  SupervisorOptions,
  TenantPolicy,
} from '../../api/supervisor.ts';
import { work } from '../capabilities/runs.ts';
import { finished, supervise } from '../capabilities/supervised.ts';

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

function files(
  body: string,
  manifest: object = {},
  more: Readonly<Record<string, unknown>> = {},
): ReadonlyMap<string, Uint8Array> {
  return new Map(
    Object.entries({
      'svc.json': {
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: {},
        input: { value: {} },
        ...manifest,
      },
      'main.clj': `(ns main)\n(defn run [input] ${body})\n`,
      ...more,
    }).map(([name, value]) => [name, bytes(value)]),
  );
}

const codeOf = (end: RunResult): string => (end.kind === 'refused' ? end.code : end.envelope.status);

describe('what tenants may have (gateway.md §18)', () => {
  let supervisor: Supervisor | null = null;
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-tenancy-'));
  });
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
    await rm(folder, { recursive: true, force: true });
  });

  async function started(options: SupervisorOptions): Promise<Supervisor> {
    supervisor = await supervise(options);
    return supervisor;
  }

  /** One application whose function waits until the test lets it go on. */
  async function waiting(policy: Partial<TenantPolicy>, options: SupervisorOptions = {}) {
    const own = await started({ ...options, tenant: () => policy });
    const calls: (() => void)[] = [];
    const call: CustomFunction = (_, { signal }) =>
      new Promise((resolve) => {
        calls.push(() => resolve(1));
        signal.addEventListener('abort', () => resolve(null));
      });
    const application = await own.prepare({
      kind: 'memory',
      files: files('(:status (tool/work))', { providers: { workflow: [{ name: 'tools' }] } }),
      custom: [work(call, { timeoutMs: 60_000 })],
    });
    const called = (count: number) => until(`${count} calls`, () => (calls.length === count ? true : undefined));
    return { own, application, calls, called };
  }

  const plain = (own: Supervisor): Promise<PreparedApplication> =>
    own.prepare({ kind: 'memory', files: files('(count input)') });

  it('prepares for each tenant anew what another one has, and once for the same (gateway.md §17)', async () => {
    const events: PoolEvent[] = [];
    const own = await started({
      onPoolEvent: (event) => {
        events.push(event);
      },
    });
    const compiling = (): number => events.filter(({ event }) => event === 'host_ended').length;
    const reference = { kind: 'memory', files: files('(count input)') } as const;
    const [a, again] = await Promise.all([
      own.prepare({ ...reference, tenant: 'a' }),
      own.prepare({ ...reference, tenant: 'a' }),
    ]);
    expect([a === again, compiling()]).to.deep.equal([true, 1]);
    const b = await own.prepare({ ...reference, tenant: 'b' });
    const mine = await own.prepare(reference);
    expect([b === a, mine === a, mine === b, compiling()]).to.deep.equal([false, false, false, 3]);
    expect([b.contentDigest, b.effectiveDigest]).to.deep.equal([a.contentDigest, a.effectiveDigest]);
    const digest = { kind: 'digest', contentDigest: a.contentDigest } as const;
    expect([
      (await own.prepare({ ...digest, tenant: 'b' })) === b,
      (await own.prepare(digest)) === mine,
      compiling(),
    ]).to.deep.equal([true, true, 3]);
    expect(await own.prepare({ ...digest, tenant: 'c' }).catch((error: unknown) => error)).to.include({
      code: 'application_unknown',
    });
    expect(await own.prepare({ ...reference, tenant: '../a' }).catch((error: unknown) => error)).to.be.instanceOf(
      TypeError,
    );
    expect(codeOf(await own.run(a, { tenant: 'a' }).result)).to.equal('ok');
  });

  it('a tenant that is suspended begins nothing, until it is not', async () => {
    let suspended = true;
    const own = await started({ tenant: (id) => ({ suspended: id === 'a' && suspended }) });
    const application = await plain(own);
    expect(await own.run(application, { tenant: 'a' }).result).to.include({
      kind: 'refused',
      code: 'tenant_quota',
      retryAfterMs: null,
    });
    expect(codeOf(await own.run(application, { tenant: 'b' }).result)).to.equal('ok');
    suspended = false;
    expect(codeOf(await own.run(application, { tenant: 'a' }).result)).to.equal('ok');
  });

  it('begins no faster than it may; the rest waits its time', async () => {
    const own = await started({ tenant: () => ({ startsPerMinute: 600, burst: 2 }) });
    const application = await plain(own);
    const began: number[] = [];
    const ends = await Promise.all(
      Array.from(
        { length: 5 },
        () =>
          own.run(application, {
            tenant: 'a',
            onEvent: ({ event }) => {
              if (event === 'admitted') began.push(performance.now());
            },
          }).result,
      ),
    );
    expect(ends.map(codeOf)).to.deep.equal(Array.from({ length: 5 }, () => 'ok'));
    // Two at once, and one in each tenth of a second from then on.
    expect((began[4] ?? 0) - (began[0] ?? 0)).to.be.at.least(150);
  });

  it('waits for its place no longer than its caller wants', async () => {
    const { own, application, calls, called } = await waiting({ maxRuns: 1 });
    const first = own.run(application, { tenant: 'a' });
    await called(1);
    for (const startWithinMs of [0, 1, 40]) {
      expect(await own.run(application, { tenant: 'a', startWithinMs }).result, String(startWithinMs)).to.include({
        kind: 'refused',
        code: 'queue_full',
        retryAfterMs: 1000,
      });
    }
    expect(await own.run(application, { tenant: 'a', startWithinMs: 60_000, deadlineMs: 90 }).result).to.include({
      kind: 'refused',
      code: 'deadline_unreachable',
    });
    for (const startWithinMs of [-1, 0.5, NaN])
      expect(() => own.run(application, { tenant: 'a', startWithinMs })).to.throw(TypeError);
    const patient = own.run(application, { tenant: 'a', startWithinMs: 60_000 });
    calls[0]?.();
    await called(2);
    calls[1]?.();
    expect([codeOf(await first.result), codeOf(await patient.result)]).to.deep.equal(['ok', 'ok']);
  });

  it('holds no more of inputs that wait than it may, of a tenant and in all', async () => {
    const { own, application, calls, called } = await waiting(
      { maxRuns: 1, maxQueuedBytes: 40 },
      { limits: { maxQueuedBytes: 60 } },
    );
    const input = { text: 'x'.repeat(20) };
    const first = own.run(application, { tenant: 'a' });
    await called(1);
    const second = own.run(application, { tenant: 'a', input });
    expect(await own.run(application, { tenant: 'a', input }).result).to.include({ code: 'tenant_quota' });
    const other = own.run(application, { tenant: 'b' });
    await called(2);
    const waits = own.run(application, { tenant: 'b', input: { text: 'x'.repeat(18) } });
    expect(await own.run(application, { tenant: 'c', input }).result).to.include({ code: 'queue_full' });
    calls.forEach((go) => go());
    await called(4);
    calls.forEach((go) => go());
    expect((await Promise.all([first, second, other, waits].map(({ result }) => result))).map(codeOf)).to.deep.equal([
      'ok',
      'ok',
      'ok',
      'ok',
    ]);
  });

  it('waits no longer than until its deadline', async () => {
    const { own, application, calls, called } = await waiting({ maxRuns: 1 });
    const first = own.run(application, { tenant: 'a' });
    await called(1);
    expect(await own.run(application, { tenant: 'a', deadlineMs: 200 }).result).to.include({
      kind: 'refused',
      code: 'deadline_unreachable',
    });
    expect(own.snapshot().runs).to.deep.equal({ running: 1, queued: 0, waiting: 0 });
    calls[0]?.();
    await first.result;
  });

  it('leaves no more artifacts than it may', async () => {
    const own = await started({
      artifacts: join(folder, 'left'),
      tenant: (id) => ({ artifactBytes: id === 'none' ? 0 : 1 }),
    });
    const application = await plain(own);
    const run = async (tenant: string): Promise<string> =>
      codeOf(await own.run(application, { tenant, artifacts: { result: true } }).result);
    expect([await run('none'), await run('a'), await run('a'), await run('b')]).to.deep.equal([
      'tenant_quota',
      'ok',
      'tenant_quota',
      'ok',
    ]);
    await own.close();
    const again = await started({ artifacts: join(folder, 'left'), tenant: () => ({ artifactBytes: 1 }) });
    const end = await again.run(await plain(again), { tenant: 'a', artifacts: { result: true } }).result;
    expect(codeOf(end), 'what was left before counts').to.equal('tenant_quota');
  });

  it('spends no more at models in a day than it may, by more than one run', async () => {
    const server = await startModelServer({
      script: Array.from({ length: 9 }, () => ({ action: { answer: { text: 'good morning' } } })),
    });
    try {
      const own = await started({ tenant: () => ({ llmTokensPerDay: 1 }) });
      const host = {
        credentials: { key: { literal: 'k' } },
        install: {
          small: {
            source: 'llm',
            installation_revision: 'r1',
            model: `openai-compat:${server.url}/v1|m`,
            credential: 'key',
            structured_output_mode: 'unsupported',
            usage_guarantees: { tokens: false, cost_currency: null },
          },
        },
      };
      const project = {
        kind: 'svc-project',
        version: 1,
        application: { path: 'svc.json' },
        host: { path: 'svc-host.json' },
      };
      const asking = files(
        '(:status (tool/llm-request {:messages [{:role "user" :content "good morning"}]}))',
        { providers: { workflow: [{ name: 'small' }] } },
        { 'svc-host.json': host, 'svc-project.json': project },
      );
      const application = await own.prepare({ kind: 'memory', files: asking, manifest: 'svc-project.json' });
      const together = await Promise.all(Array.from({ length: 3 }, () => own.run(application, { tenant: 'a' }).result));
      expect(together.map(codeOf).toSorted()).to.deep.equal(['ok', 'tenant_quota', 'tenant_quota']);
      const refused = await own.run(application, { tenant: 'a' }).result;
      expect(refused).to.include({ kind: 'refused', code: 'tenant_quota' });
      expect(Object(refused).retryAfterMs).to.be.within(1, 86_400_000);
      expect(codeOf(await own.run(application, { tenant: 'b' }).result), 'of another').to.equal('ok');
      expect(codeOf(await own.run(await plain(own), { tenant: 'a' }).result), 'without a model').to.equal('ok');
    } finally {
      await server.close();
    }
  });

  it('has each run in a process of its own where it is asked, gone when the run is over', async () => {
    const events: PoolEvent[] = [];
    const { own, application, calls, called } = await waiting(
      { isolation: 'process-per-run' },
      {
        onPoolEvent: (event) => {
          events.push(event);
        },
      },
    );
    const alive = (): number =>
      events.filter(({ event }) => event === 'host_started').length -
      events.filter(({ event }) => event === 'host_ended').length;
    const runs = Array.from({ length: 3 }, () => own.run(application, { tenant: 'a' }));
    await called(3);
    expect(alive()).to.be.at.least(3);
    calls.forEach((go) => go());
    expect((await Promise.all(runs.map(({ result }) => result))).map(codeOf)).to.deep.equal(['ok', 'ok', 'ok']);
    const ended = events.flatMap((event) => (event.event === 'host_ended' ? [event.isolates] : []));
    expect(
      ended.filter((isolates) => isolates > 1),
      'none held two',
    ).to.deep.equal([]);
    expect(ended.length).to.be.at.least(3);
  });

  it('takes nothing on without memory, sheds who waits, and says so', async () => {
    const { own, application, called } = await waiting({ maxRuns: 1 }, { memoryBytes: 1 });
    const first = own.run(application, { tenant: 'a' });
    await called(1);
    const second = own.run(application, { tenant: 'a' });
    expect(await second.result).to.include({ kind: 'refused', code: 'unavailable' });
    expect(await own.run(application, { tenant: 'b' }).result).to.include({
      kind: 'refused',
      code: 'unavailable',
      retryAfterMs: 1000,
    });
    expect(own.snapshot().memory.isPressed).to.equal(true);
    // Then the process that holds the most is ended, and with it the one run that is in it.
    const end = finished(await first.result);
    expect(end.envelope).to.have.nested.property('error.code', 'workflow_failed');
  });
});

describe('one tenant that floods, beside 99 others (gateway.md §21)', () => {
  const SLOTS = 4;
  const FLOOD = 10_000;

  it('does not keep their runs: each begins with one of the next places; what waits is cancelled at once', async () => {
    const own = await supervise({
      limits: { maxRuns: SLOTS, maxQueued: 2 * FLOOD, maxQueuedBytes: 1e9 },
      tenant: () => ({ maxRuns: SLOTS, maxQueued: FLOOD }),
    });
    try {
      const application = await plainOf(own);
      let admitted = 0;
      const stop = new AbortController();
      const flood = Array.from(
        { length: FLOOD },
        () =>
          own.run(application, {
            tenant: 'flood',
            signal: stop.signal,
            onEvent: ({ event }) => {
              if (event === 'admitted') admitted += 1;
            },
          }).result,
      );
      await until('the flood', () => (admitted > 2 * SLOTS ? true : undefined));
      const behinds: number[] = [];
      for (let tenant = 1; tenant < 100; tenant += 1) {
        let before = Infinity;
        let behind = Infinity;
        const lone = own.run(application, {
          tenant: `t${tenant}`,
          onEvent: ({ event }) => {
            if (event === 'queued') before = admitted;
            if (event === 'admitted') behind = admitted - before;
          },
        });
        expect(codeOf(await lone.result)).to.equal('ok');
        await until('what is told of it', () => (behind < Infinity ? true : undefined));
        behinds.push(behind);
      }
      // Two times the mean run over the slots is what two of the flood's ends take; they are told of a little later
      // than they are.
      expect(Math.max(...behinds)).to.be.at.most(2 * SLOTS);
      expect(behinds.reduce((sum, each) => sum + each, 0) / behinds.length).to.be.at.most(2);
      stop.abort();
      const ends = (await Promise.all(flood)).map(codeOf);
      expect(ends.filter((code) => code !== 'ok' && code !== 'error')).to.deep.equal([]);
      expect(own.snapshot()).to.deep.include({ runs: { running: 0, queued: 0, waiting: 0 }, tenants: {} });
    } finally {
      await own.close();
    }
  }).timeout(300_000);

  const plainOf = (own: Supervisor): Promise<PreparedApplication> =>
    own.prepare({ kind: 'memory', files: files('(count input)') });
});
