import { expect } from 'chai';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelStep, Usage } from '../servers/llm/script.ts';
import { ModelRoom, REQUEST, type ModelApplication, type ModelReport } from './room.ts';

const OUTPUT_TOKENS = 100;
/** What one request is reserved at: its canonical bytes, what a request can have beyond them, and its output. */
const RESERVED = '{"messages":[{"content":"good morning","role":"user"}]}'.length + 256 + OUTPUT_TOKENS;
const PLENTY = 10 * RESERVED;

const answering = (usage: Usage | null, times: ModelStep['times'] = 'any'): ModelStep => ({
  times,
  action: { answer: { text: 'ok', usage } },
});

describe('budgets and spend of models (runtime.md §11)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  const guaranteed = () => room.model({ usage_guarantees: { tokens: true, cost_currency: null } });

  /** Asks so often, one after the other, within a budget of tokens. */
  async function run(
    script: readonly ModelStep[],
    {
      times = 1,
      tokens = PLENTY,
      ...application
    }: ModelApplication & { readonly times?: number; readonly tokens?: number | null } = {},
  ): Promise<ModelReport> {
    await room.serve(script);
    const limited = tokens === null ? {} : { llm_total_tokens: tokens };
    return room.run({
      program: 'each',
      input: { requests: Array.from({ length: times }, () => REQUEST) },
      install: { small: tokens === null ? room.model() : guaranteed() },
      ...application,
      hostLimits: { ...limited, ...application.hostLimits },
      limits: { ...limited, llm_request_output_tokens: OUTPUT_TOKENS, ...application.limits },
    });
  }

  const usageOf = ({ envelope }: ModelReport): Readonly<Record<string, unknown>> => {
    const { execution }: { readonly execution?: { readonly usage?: Readonly<Record<string, unknown>> } } = envelope;
    if (execution?.usage === undefined) throw new Error(`no usage: ${JSON.stringify(envelope)}`);
    return execution.usage;
  };

  /** The sealed budget of tokens. */
  const budget = (charged: number, state = 'available', { refused = 0, limit = PLENTY } = {}) => ({
    llm_budget: {
      total_tokens: {
        state,
        limit,
        reserved: 0,
        charged,
        remaining: state === 'overrun' ? 0 : limit - charged,
        refused,
      },
      cost: null,
    },
  });
  const row = (
    calls: number,
    counts: {
      readonly ok?: number;
      readonly used?: number;
      readonly missing?: number;
      readonly usage?: unknown;
      readonly overflow?: boolean;
    },
  ) => ({
    llm_usage: [
      {
        alias: 'small',
        installation_revision: 'r1',
        calls,
        successful_calls: counts.ok ?? 0,
        usage_calls: counts.used ?? 0,
        missing_usage_calls: counts.missing ?? 0,
        usage_overflow: counts.overflow ?? false,
        usage: counts.usage ?? {},
      },
    ],
    llm_usage_state: 'available',
    llm_usage_by_model: [],
    unattributed_model_calls: calls,
  });

  it('charge what was used', async () => {
    const report = await run([answering({ input: 10, output: 3, cacheRead: 4 })], { times: 2 });
    expect(usageOf(report)).to.deep.include({
      ...budget(26),
      ...row(2, { ok: 2, used: 2, usage: { input: 20, output: 6, cache_read: 8 } }),
      llm_spend: { state: 'unpriced', input: 20, output: 6 },
    });
  });

  it('charge all that was reserved where a call failed after it was sent', async () => {
    const report = await run([{ action: { fault: 'reset' } }, answering({ input: 1, output: 1 })], { times: 2 });
    expect(usageOf(report)).to.deep.include({
      ...budget(RESERVED + 2, 'incomplete'),
      ...row(2, { ok: 1, used: 1, missing: 1, usage: { input: 1, output: 1 } }),
      llm_spend: { state: 'incomplete' },
    });
  });

  it('charge nothing where a vendor refused', async () => {
    const report = await run([{ action: { status: 500, body: {} } }, answering({ input: 1, output: 1 })], { times: 2 });
    expect(usageOf(report)).to.deep.include({
      ...budget(2),
      ...row(2, { ok: 1, used: 1, usage: { input: 1, output: 1 } }),
      llm_spend: { state: 'unpriced', input: 1, output: 1 },
    });
  });

  it('charge nothing where nothing was sent', async () => {
    await room.serve([]);
    const install = { small: guaranteed() };
    await room.server.close();
    const limits = { llm_total_tokens: PLENTY };
    const report = await room.run({
      program: 'each',
      input: { requests: [REQUEST] },
      install,
      hostLimits: limits,
      limits: { ...limits, llm_request_output_tokens: OUTPUT_TOKENS },
    });
    expect(report.value).to.have.deep.nested.property('[0].reason', 'transport_error');
    expect(usageOf(report)).to.deep.include({ ...budget(0), ...row(1, {}), llm_spend: { state: 'empty' } });
  });

  it('charge all that was reserved where the promised usage is missing', async () => {
    const report = await run([answering(null), answering({ input: 1 })], { times: 2 });
    expect(report.value).to.have.deep.nested.property('[0].reason', 'usage_unavailable');
    expect(usageOf(report)).to.deep.include({
      ...budget(2 * RESERVED, 'incomplete'),
      ...row(2, { missing: 2 }),
      llm_spend: { state: 'incomplete' },
    });
  });

  it('go over by what a model uses beyond its bound, and refuse whatever follows', async () => {
    const report = await run([answering({ input: 9000, output: 1 })], { times: 3 });
    expect(report.value).to.have.deep.nested.property('[0].reason', 'reservation_bound_exceeded');
    expect(report.value).to.have.deep.nested.property('[1].details', {
      limit: 'llm_total_tokens',
      limit_value: PLENTY,
      requested: RESERVED,
      remaining: 0,
    });
    expect(usageOf(report)).to.deep.include({
      ...budget(9001, 'overrun', { refused: 2 }),
      ...row(1, { used: 1, usage: { input: 9000, output: 1 } }),
    });
    expect(room.server.requests).to.have.length(1);
  });

  it('send nothing that does not fit, and end the run that gives up on it', async () => {
    const limit = RESERVED - 1;
    const details = { limit: 'llm_total_tokens', limit_value: limit, requested: RESERVED, remaining: limit };
    const goesOn = await run([], { tokens: limit });
    expect(goesOn.status).to.equal(0);
    expect(goesOn.value).to.deep.equal([
      {
        status: 'error',
        kind: 'limit_exceeded',
        reason: 'llm_total_tokens',
        'retryable?': false,
        details,
        model: 'small',
      },
    ]);
    const givesUp = await run([], { tokens: limit, program: 'fail', input: { request: REQUEST } });
    expect(givesUp.status).to.equal(6);
    expect(givesUp.envelope).to.have.nested.property('error.code', 'runtime_limit_exceeded');
    for (const report of [goesOn, givesUp])
      expect(usageOf(report)).to.deep.include({
        ...budget(0, 'available', { refused: 1, limit }),
        llm_usage: [],
        llm_spend: { state: 'empty' },
      });
    expect(room.server.connections()).to.equal(0);
  });

  it('fit exactly', async () => {
    expect(
      usageOf(await run([answering({ input: RESERVED - 1, output: 1 })], { tokens: RESERVED, times: 2 })),
    ).to.deep.include(budget(RESERVED, 'available', { limit: RESERVED, refused: 1 }));
  });

  it('say what was sent when a call takes too long, or the run does', async () => {
    const silent: ModelStep = { times: 'any', action: { fault: 'silent' } };
    const late = await run([silent], { limits: { llm_request_timeout_ms: 200 } });
    expect(late.value)
      .to.have.deep.nested.property('[0]')
      .that.deep.includes({ kind: 'timeout', reason: 'llm_request_timeout', 'retryable?': true });
    // Long enough for a busy machine to have sent the request by then.
    const over = await run([silent], { limits: { run_duration_ms: 8000 } });
    expect(over.status).to.equal(6);
    expect(over.envelope).to.have.nested.property('error.code', 'run_timeout');
    for (const report of [late, over])
      expect(usageOf(report)).to.deep.include({
        ...budget(RESERVED, 'incomplete'),
        ...row(1, { missing: 1 }),
        llm_spend: { state: 'incomplete' },
      });
  });

  it('are the same in envelope and trace', async () => {
    await mkdir(join(room.directory, 'traces'));
    const report = await run(
      [answering({ input: 10, output: 3, cost: '0.0000015' }, 1), { action: { fault: 'reset' } }],
      { times: 2, options: ['--trace-dir', 'traces'] },
    );
    const [name = ''] = await readdir(join(room.directory, 'traces'));
    const events = (await room.file(join('traces', name)))
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line));
    const stopped = events.find(
      (event) => typeof event === 'object' && event !== null && 'type' in event && event.type === 'run-stopped',
    );
    const { capability_calls: _, ...shared } = usageOf(report);
    expect(stopped).to.have.nested.property('data.usage').that.deep.includes(shared);
    expect(shared).to.have.deep.property('llm_spend', { state: 'incomplete' });
  });

  it('tell the price that a vendor told, rounded up and never through a float', async () => {
    const priced = await run(
      [answering({ input: 1, output: 1, cost: '0.0000015' }, 1), answering({ input: 1, output: 1, cost: 0.1 }, 1)],
      { times: 2, tokens: null },
    );
    expect(usageOf(priced)).to.deep.include({
      ...row(2, {
        ok: 2,
        used: 2,
        usage: { input: 2, output: 2, total_cost: { currency: 'USD', microunits: 100_002 } },
      }),
      llm_spend: { state: 'available', input: 2, output: 2, total_cost: { currency: 'USD', microunits: 100_002 } },
    });
    const partly = await run(
      [answering({ input: 1, output: 1, cost: '0' }, 1), answering({ input: 1, output: 1 }, 1)],
      { times: 2, tokens: null },
    );
    expect(usageOf(partly)).to.deep.include({
      ...row(2, { ok: 2, used: 2, usage: { input: 2, output: 2 } }),
      llm_spend: { state: 'unpriced', input: 2, output: 2 },
    });
    const free = await run([answering({ input: 1, output: 1, cost: '0' })], { tokens: null });
    expect(usageOf(free)).to.deep.include({
      llm_spend: { state: 'available', input: 1, output: 1, total_cost: { currency: 'USD', microunits: 0 } },
    });
  });

  it('stop at the largest number, and say so', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const report = await run([answering({ input: most, output: 1 })], { times: 2, tokens: null });
    expect(usageOf(report)).to.deep.include({
      ...row(2, { ok: 2, used: 2, usage: { input: most, output: 2 }, overflow: true }),
      llm_spend: { state: 'overflow' },
    });
  });

  it('refuse numbers that are none', async () => {
    for (const usage of [
      { input: '7', output: 1 },
      { input: 1, output: 1, cost: '-1' },
      { input: 1, output: 1, cost: 'free' },
    ] as const) {
      const report = await run([answering(usage)], { tokens: null });
      expect(report.value, JSON.stringify(usage)).to.have.deep.nested.property('[0].reason', 'invalid_request');
      expect(usageOf(report)).to.deep.include(row(1, { missing: 1 }));
    }
  });

  it('count aliases apart, and calls of an alias to its own bound', async () => {
    await room.serve([answering({ input: 1, output: 1 })]);
    const requests = ['small', 'small', 'large', 'small'].map((model) => ({ ...REQUEST, model }));
    const report = await room.run({
      program: 'each',
      input: { requests },
      install: { small: room.model(), large: room.model({ installation_revision: 'r7' }) },
      select: [{ name: 'small', config: { max_calls: 2 } }, { name: 'large' }],
    });
    const counts = (calls: number) => ({
      calls,
      successful_calls: calls,
      usage_calls: calls,
      missing_usage_calls: 0,
      usage_overflow: false,
      usage: { input: calls, output: calls },
    });
    expect(usageOf(report)).to.deep.include({
      llm_usage: [
        { alias: 'large', installation_revision: 'r7', ...counts(1) },
        { alias: 'small', installation_revision: 'r1', ...counts(2) },
      ],
      unattributed_model_calls: 3,
      capability_calls: { 'workflow/llm-request': 3 },
      capability_refusals: { 'workflow/limit_exceeded/capability_quota': 1 },
    });
    expect(report.value).to.have.deep.nested.property('[3]', {
      status: 'error',
      kind: 'limit_exceeded',
      reason: 'capability_quota',
      'retryable?': false,
      details: { limit: 'max_calls', alias: 'small', limit_value: 2 },
      model: 'small',
    });
  });

  it('are not touched by replay, whose usage is counted', async () => {
    await room.serve([answering({ input: 40, output: 2 })]);
    await room.run({ program: 'each', input: { requests: [REQUEST] }, options: ['--inspect', 'run.svcins'] });
    await room.command(['fixtures', 'record', '--inspection', 'run.svcins', '--out', 'replay.jsonl']);
    const limits = { llm_total_tokens: 41 };
    const replay = { small: { source: 'llm_replay', installation_revision: 'r1', fixtures: 'replay.jsonl' } };
    const report = await room.run({
      program: 'each',
      input: { requests: [REQUEST, REQUEST] },
      install: replay,
      hostLimits: limits,
      limits,
    });
    expect(usageOf(report)).to.deep.include({
      ...budget(0, 'available', { limit: 41 }),
      ...row(2, { ok: 2, used: 2, usage: { input: 80, output: 4 } }),
      llm_spend: { state: 'unpriced', input: 80, output: 4 },
    });
  });

  describe('a budget of ten cents and the prices of the installation (world.md §1.8)', () => {
    const PRICES = { input: '1.25', output: '10', cache_read: '0.125', reasoning: '12' };
    const USED = { input: 100, output: 50, cacheRead: 40 };
    /** 60 x 1.25 + 40 x 0.125 + 50 x 10. */
    const COST = 580;
    const limits = { llm_cost_microusd: 100_000 };
    const spend = async (times: number, outputTokens: number): Promise<ModelReport> => {
      await room.serve([answering(USED)]);
      const model = room.model({
        usage_guarantees: { tokens: true, cost_currency: 'USD' },
        reservation_tariff: { currency: 'USD', id: 't' },
        prices: PRICES,
      });
      return room.run({
        program: 'each',
        input: { requests: Array.from({ length: times }, () => REQUEST) },
        install: { small: model },
        hostLimits: limits,
        limits: { ...limits, llm_request_output_tokens: outputTokens },
      });
    };

    it('has room for twenty small calls of a model that no catalogue knows, and counts each to the microdollar', async () => {
      const report = await spend(20, 4096);
      expect(report.value, JSON.stringify(report.value)).to.satisfy((values: readonly object[]) =>
        values.every((value) => !('reason' in value)),
      );
      expect(usageOf(report)).to.have.deep.nested.property('llm_budget.cost', {
        state: 'available',
        currency: 'USD',
        limit_microusd: 100_000,
        reserved_microusd: 0,
        charged_microusd: 20 * COST,
        remaining_microusd: 100_000 - 20 * COST,
        refused: 0,
      });
      expect(usageOf(report)).to.have.deep.nested.property('llm_spend.total_cost', {
        currency: 'USD',
        microunits: 20 * COST,
      });
    });

    // 312 tokens of input at 1.25, and the output at 12, the highest of its side.
    for (const [outputTokens, refused] of [
      [8300, 0],
      [8301, 1],
    ] as const) {
      it(`reserves ${outputTokens} tokens of output at the highest rate: ${refused} refused`, async () => {
        expect(usageOf(await spend(1, outputTokens))).to.have.nested.property('llm_budget.cost.refused', refused);
      });
    }
  });

  describe('what a budget needs (documents.md §5)', () => {
    const tariff = { reservation_tariff: { currency: 'USD', id: 't' } };
    const cases: readonly (readonly [
      string,
      Readonly<Record<string, unknown>>,
      ModelApplication,
      string,
      string | null,
    ])[] = [
      [
        'tokens that are promised',
        {},
        { hostLimits: { llm_total_tokens: 1 } },
        'installed_limit_invalid',
        '/limits/llm_total_tokens',
      ],
      [
        'a currency',
        { usage_guarantees: { tokens: true, cost_currency: null }, ...tariff },
        { hostLimits: { llm_cost_microusd: 1 } },
        'installed_limit_invalid',
        '/limits/llm_cost_microusd',
      ],
      [
        'a tariff',
        { usage_guarantees: { tokens: true, cost_currency: 'USD' } },
        { hostLimits: { llm_cost_microusd: 1 } },
        'installed_limit_invalid',
        '/limits/llm_cost_microusd',
      ],
      ['a host that has one', {}, { limits: { llm_total_tokens: 1 } }, 'limit_unavailable', '/limits/llm_total_tokens'],
      [
        'no more than the host has',
        { usage_guarantees: { tokens: true, cost_currency: null } },
        { hostLimits: { llm_total_tokens: 1 }, limits: { llm_total_tokens: 2 } },
        'installed_limit_exceeded',
        '/limits/llm_total_tokens',
      ],
      [
        'a price that is known',
        { model: 'openai:nobody-knows-it', usage_guarantees: { tokens: true, cost_currency: 'USD' }, ...tariff },
        { hostLimits: { llm_cost_microusd: 1 } },
        'model_contract_unsupported',
        null,
      ],
      [
        'a price at all',
        { usage_guarantees: { tokens: true, cost_currency: 'USD' }, ...tariff },
        { hostLimits: { llm_cost_microusd: 1 } },
        'model_contract_unsupported',
        null,
      ],
    ];
    for (const [title, installation, application, code, path] of cases) {
      it(`${title}: ${code}`, async () => {
        const { envelope } = await room.run({
          install: { small: room.model(installation) },
          environment: {},
          ...application,
        });
        expect(envelope).to.have.nested.include({ 'error.code': code, 'error.path': path });
      });
    }
  });
});
