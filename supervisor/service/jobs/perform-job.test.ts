import { expect } from 'chai';
import type { Lease } from '../engine/interface.ts';
import { newJob } from '../engine/new-job.ts';
import { performJob, type RunnerSetting } from './perform-job.ts';
import type { PreparedApplication, RunRequest, RunResult, Supervisor } from '../embedding/types.ts';

const APPLICATION: PreparedApplication = {
  contentDigest: 'sha256:aa',
  effectiveDigest: 'sha256:aa',
  installationDigests: {},
  effect: 'write',
  asks: false,
  contracts: { input: null, result: null },
  limits: Object.create(null),
};

function leaseOf(over: Partial<Lease> & { readonly gates?: string[]; readonly notes?: unknown[] } = {}): Lease {
  const { gates = [], notes = [], ...rest } = over;
  return {
    job: newJob({ tenant: 'acme', applicationDigest: 'sha256:aa', input: { n: 1 } }),
    attempt: 2,
    deadlineMs: 1500.5,
    spent: null,
    extend: async () => true,
    gate: async (effect) => {
      gates.push(effect);
      return effect === 'dispatched';
    },
    note: async (spent) => {
      notes.push(spent);
      return true;
    },
    place: { leave: () => undefined, regain: async () => true },
    signal: new AbortController().signal,
    ...rest,
  };
}

/** A supervisor whose runs end as the test says. */
function settingOf(
  end: Partial<RunResult> | Readonly<Record<string, unknown>>,
  onRun: (request: RunRequest) => Promise<void> = async () => undefined,
): RunnerSetting {
  const supervisor: Pick<Supervisor, 'run'> = {
    run: (_application: PreparedApplication, request: RunRequest = {}) => ({
      runRef: request.runRef ?? '',
      events: Object.create(null),
      cancel: async () => undefined,
      result: onRun(request).then(() => Object.assign(Object.create(null), end)),
    }),
  };
  return { supervisor: Object.assign(Object.create(null), supervisor), application: APPLICATION, store: null };
}

const FINISHED = { kind: 'finished', cancelled: false, envelope: { status: 'ok' }, envelopeText: '{"status":"ok"}' };
const thrown = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('one run of a runner (gateway.md §19)', () => {
  it('asks for the run as the job has it, and opens the gate of what a call may do', async () => {
    const gates: string[] = [];
    const notes: unknown[] = [];
    const answers: (boolean | undefined)[] = [];
    let runRequest: RunRequest = {};
    const lease = leaseOf({ gates, notes });
    const settle = await performJob(
      settingOf(FINISHED, async (request) => {
        runRequest = request;
        for (const effect of ['read', 'unknown', 'write'] as const)
          answers.push(await request.effectGate?.(effect, { tokens: 10, microusd: null }));
      }),
      lease,
    );
    expect(settle).to.deep.equal({ state: 'finished', envelope: { status: 'ok' } });
    expect(runRequest).to.deep.include({
      runRef: lease.job.runRef,
      tenant: 'acme',
      attempt: 2,
      deadlineMs: 1500,
      signal: lease.signal,
    });
    expect(runRequest.input instanceof Uint8Array && Buffer.from(runRequest.input).toString()).to.equal('{"n":1}');
    expect(gates).to.deep.equal(['dispatched', 'write_open', 'write_open']);
    expect(answers).to.deep.equal([true, false, false]);
    expect(notes, 'once, while it is the same').to.deep.equal([{ tokens: 10, microusd: 0 }]);
  });

  it('asks for the grants of the person whom the job names', async () => {
    const principals: unknown[] = [];
    for (const principal of [{ principal: 'ada' }, {}]) {
      const job = newJob({ tenant: 'acme', applicationDigest: 'sha256:aa', ...principal });
      await performJob(
        settingOf(FINISHED, async (request) => {
          principals.push(request.principal);
        }),
        leaseOf({ job }),
      );
    }
    expect(principals).to.deep.equal(['ada', undefined]);
  });

  it('tells a run that was cancelled as such', async () => {
    const stopped = { ...FINISHED, cancelled: true };
    expect(await performJob(settingOf(stopped), leaseOf({ signal: AbortSignal.abort('cancelled') }))).to.include({
      state: 'cancelled',
    });
    expect(
      await performJob(settingOf(FINISHED), leaseOf({ signal: AbortSignal.abort('cancelled') })),
      'too late',
    ).to.include({ state: 'finished' });
    expect(
      await performJob(settingOf(stopped), leaseOf({ signal: AbortSignal.abort('closing') })),
      'its runner is closed',
    ).to.include({ state: 'finished' });
  });

  for (const code of ['input_invalid', 'deadline_unreachable', 'tenant_unknown']) {
    it(`keeps the refusal ${code}, which no other runner would lift`, async () => {
      expect(
        await performJob(settingOf({ kind: 'refused', code, diagnostic: null, retryAfterMs: null }), leaseOf()),
      ).to.deep.equal({ state: 'finished', envelope: { refused: code, diagnostic: null } });
    });
  }

  it('deducts what earlier attempts spent, and notes the sum before a call leaves', async () => {
    const notes: unknown[] = [];
    const limits: unknown[] = [];
    const budgeted = {
      ...APPLICATION,
      limits: Object.assign(Object.create(null), { llm_total_tokens: 1000, llm_cost_microusd: null }),
    };
    const attempt = async (spent: unknown, requested = {}): Promise<void> => {
      const job = newJob({ tenant: 'acme', applicationDigest: 'sha256:aa', runLimits: requested });
      const { supervisor } = settingOf(FINISHED, async (request) => {
        limits.push(request.limits);
        await request.effectGate?.('read', { tokens: 100, microusd: null });
      });
      await performJob({ supervisor, application: budgeted, store: null }, leaseOf({ spent, notes, job }));
    };
    await attempt(null);
    await attempt({ tokens: 400, microusd: 7 });
    await attempt({ tokens: 400, microusd: 0 }, { llm_total_tokens: 500 });
    await attempt({ tokens: 999, microusd: 0 });
    await attempt({ tokens: 1000, microusd: 0 });
    await attempt({ tokens: 1001, microusd: 0 });
    await attempt({ tokens: 'many' });
    expect(limits).to.deep.equal([
      {},
      { llm_total_tokens: 600 },
      { llm_total_tokens: 100 },
      { llm_total_tokens: 1 },
      { llm_total_tokens: 1 },
      { llm_total_tokens: 1 },
      {},
    ]);
    expect(notes.slice(0, 3)).to.deep.equal([
      { tokens: 100, microusd: 0 },
      { tokens: 500, microusd: 7 },
      { tokens: 500, microusd: 0 },
    ]);
  });

  it('lets no call leave whose spending the next attempt could not know of', async () => {
    let isOpen: boolean | undefined;
    await performJob(
      settingOf(FINISHED, async (request) => {
        isOpen = await request.effectGate?.('read', { tokens: 1, microusd: null });
      }),
      leaseOf({ note: async () => false }),
    );
    expect(isOpen).to.equal(false);
  });

  it('asks again while the machine lacks what it may have in a moment, and spends no attempt on that', async () => {
    const ends = [
      { kind: 'refused', code: 'unavailable', retryAfterMs: 1, diagnostic: null },
      { kind: 'refused', code: 'tenant_quota', retryAfterMs: 1, diagnostic: null },
      FINISHED,
    ];
    const supervisor: RunnerSetting['supervisor'] = {
      run: (_application, request = {}) => settingOf(ends.shift() ?? FINISHED).supervisor.run(APPLICATION, request),
    };
    expect(await performJob({ supervisor, application: APPLICATION, store: null }, leaseOf())).to.include({
      state: 'finished',
    });
    expect(ends).to.deep.equal([]);
    const closed = leaseOf({ signal: AbortSignal.abort('lease_lost') });
    expect(
      await thrown(performJob(settingOf({ kind: 'refused', code: 'unavailable', retryAfterMs: 1 }), closed)),
    ).to.be.instanceOf(Error);
  });

  for (const code of ['draining', 'queue_full', 'unavailable', 'run_ref_conflict']) {
    it(`leaves a run that it refuses as ${code} to others`, async () => {
      expect(
        await thrown(performJob(settingOf({ kind: 'refused', code, diagnostic: null, retryAfterMs: null }), leaseOf())),
      ).to.be.instanceOf(Error);
    });
  }

  it('ends a run whose limits the application does not have as one whose request is at fault', async () => {
    const supervisor: Pick<Supervisor, 'run'> = {
      run: () => {
        throw new RangeError('wider');
      },
    };
    expect(await performJob({ supervisor, application: APPLICATION, store: null }, leaseOf())).to.deep.equal({
      state: 'finished',
      envelope: { refused: 'input_invalid', diagnostic: null },
    });
  });

  it('leaves a run of another application to others, and does not begin it', async () => {
    let isStarted = false;
    const job = newJob({ tenant: 'acme', applicationDigest: 'sha256:bb' });
    const setting = settingOf(FINISHED, async () => {
      isStarted = true;
    });
    expect(await thrown(performJob(setting, leaseOf({ job })))).to.be.instanceOf(Error);
    expect(isStarted).to.equal(false);
  });
});
