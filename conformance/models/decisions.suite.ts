import { expect } from 'chai';
import { createHash } from 'node:crypto';
import type { ModelAction } from '../servers/llm/script.ts';
import { ModelRoom, MODEL_SECRET, type ModelApplication, type ModelReport } from './room.ts';

const QUESTIONS = {
  refund: { type: 'boolean', instructions: 'Does the customer want money back?' },
  mood: { type: 'choice', instructions: 'Which mood is it?', criteria: { calm: 'no complaint', angry: 'a complaint' } },
};
const REQUEST = { state: 'I want my money back!', questions: QUESTIONS };
const ANSWERS = { refund: 0.9, mood: 'angry' };
const BOUNDS = { max_cost_per_call: { currency: 'USD', amount: '0.001' }, max_total_tokens_per_call: 500 };
const UNPROMISED = { tokens: false, cost_currency: null };
const CODE = {
  ask: '(ns main) (defn run [input] (tool/decision-request (:request input)))',
  fail: '(ns main) (defn run [input] (let [answer (tool/decision-request (:request input))] (if (= :ok (:status answer)) answer (fail answer))))',
};

type Members = Readonly<Record<string, unknown>>;

const said = (answers: unknown, more: Members = {}): ModelAction => ({
  answer: { text: JSON.stringify(answers), usage: { input: 40, output: 9 }, ...more },
});

describe('decision models (providers.md §11)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  const url = (): string => room.server.url;
  const live = (more: Members = {}): Members => ({
    source: 'decision',
    installation_revision: 'r1',
    retry: { attempts: 1 },
    ...BOUNDS,
    usage_guarantees: UNPROMISED,
    model: `openai-compat:${url()}/v1|m`,
    credential: 'key',
    ...more,
  });
  const http = (): Members => ({
    source: 'decision',
    installation_revision: 'r1',
    retry: { attempts: 1 },
    ...BOUNDS,
    usage_guarantees: UNPROMISED,
    backend: 'http',
    endpoint: `${url()}/v1`,
    allow_insecure_loopback: true,
    model: 'own',
  });
  const chat = (): Members => ({
    source: 'decision',
    installation_revision: 'r1',
    retry: { attempts: 1 },
    ...BOUNDS,
    backend: 'chat',
    llm: 'small',
  });

  async function decide(install: Members, more: ModelApplication = {}, code: string = CODE.ask): Promise<ModelReport> {
    const { files, ...others } = more;
    return room.run({
      install,
      select: [{ name: 'judge' }],
      input: { request: REQUEST },
      ...others,
      files: { 'main.clj': code, ...files },
    });
  }

  const backends: readonly (readonly [string, () => Members, string | null])[] = [
    ['a model of its own', () => ({ judge: live() }), 'key'],
    ['a server that wants no credential', () => ({ judge: http() }), null],
    ['the model of another installation', () => ({ judge: chat(), small: room.model() }), 'key'],
  ];
  for (const [title, install, credential] of backends) {
    it(`decides by ${title}`, async () => {
      await room.serve([{ match: { hasSchema: true, contains: 'money back' }, action: said(ANSWERS) }]);
      const { status, value, envelope, stdout } = await decide(install());
      expect(status, stdout).to.equal(0);
      expect(value).to.deep.equal({
        status: 'ok',
        value: { answers: ANSWERS, usage: { input: 40, output: 9 }, model: 'judge' },
      });
      expect(envelope)
        .to.have.nested.property('execution.usage.llm_usage[0]')
        .that.deep.includes({ alias: 'judge', calls: 1, successful_calls: 1, usage: { input: 40, output: 9 } });
      const [request] = room.server.requests;
      expect(request?.headers['authorization']).to.equal(
        credential === null
          ? undefined
          : `sha256:${createHash('sha256').update(`Bearer ${MODEL_SECRET}`).digest('hex')}`,
      );
      const body: unknown = JSON.parse(request?.body ?? '{}');
      expect(body)
        .to.have.nested.property('response_format.json_schema.schema')
        .that.deep.equals({
          type: 'object',
          additionalProperties: false,
          required: ['mood', 'refund'],
          properties: { refund: { type: 'number' }, mood: { type: 'string', enum: ['angry', 'calm'] } },
        });
      expect(body).to.have.property('max_tokens', 500);
    });
  }

  it('is chosen by its alias where there are several, and stands beside models', async () => {
    await room.serve([{ times: 'any', action: said(ANSWERS) }]);
    const install = { judge: live(), jury: live(), small: room.model() };
    const select = [{ name: 'judge' }, { name: 'jury' }, { name: 'small' }];
    const code =
      '(ns main) (defn run [_] (mapv (fn [more] (let [answer (tool/decision-request (merge {:state 1 :questions {:q {:type "boolean" :instructions "x"}}} more))] (or (:reason answer) (:status answer)))) [{} {:model "jury"} {:model "small"} {:model 7}]))';
    const { value } = await decide(install, { select }, code);
    expect(value).to.deep.equal([
      'model_alias_required',
      'output_schema_mismatch',
      'unknown_model_alias',
      'invalid_model_alias',
    ]);
  });

  const refused: readonly (readonly [string, unknown, unknown])[] = [
    ['no state', { questions: QUESTIONS }, { path: '/state', rule: 'required' }],
    ['no question', { state: 1, questions: {} }, { path: '/questions', rule: 'minProperties' }],
    [
      'an unknown type',
      { state: 1, questions: { q: { type: 'essay', instructions: 'x' } } },
      { path: '/questions/*/type', rule: 'enum' },
    ],
    [
      'a choice without options',
      { state: 1, questions: { q: { type: 'choice', instructions: 'x' } } },
      { path: '/questions/*/criteria', rule: 'required' },
    ],
  ];
  for (const [title, request, violation] of refused) {
    it(`asks nobody with ${title}`, async () => {
      await room.serve([]);
      const { value } = await decide({ judge: live() }, { input: { request } });
      expect(value).to.deep.equal({
        status: 'error',
        kind: 'protocol_error',
        reason: 'invalid_arguments',
        'retryable?': false,
        details: { name: 'decision-request', violations: [violation] },
      });
      expect(room.server.connections()).to.equal(0);
    });
  }

  it('takes a request of exactly its bound, and not one byte more', async () => {
    const bytes = (state: string): number =>
      Buffer.byteLength(JSON.stringify({ questions: { q: { instructions: 'x', type: 'boolean' } }, state }));
    const ceilings = { max_request_bytes: 200 };
    for (const [size, expected] of [
      [199, 'ok'],
      [200, 'ok'],
      [201, 'error'],
    ] as const) {
      await room.serve([{ action: said({ q: 1 }) }]);
      const state = 'x'.repeat(size - bytes(''));
      const { value } = await decide(
        { judge: live({ ceilings }) },
        { input: { request: { state, questions: { q: { type: 'boolean', instructions: 'x' } } } } },
      );
      expect(value, String(size)).to.include({ status: expected });
      expect(room.server.requests).to.have.length(expected === 'ok' ? 1 : 0);
    }
  });

  const failures: readonly (readonly [string, ModelAction, Members])[] = [
    ['an answer that is missing', said({ refund: 1 }), { kind: 'invalid_result', reason: 'output_schema_mismatch' }],
    [
      'an answer beyond its scale',
      said({ ...ANSWERS, refund: 2 }),
      { kind: 'invalid_result', reason: 'output_schema_mismatch' },
    ],
    [
      'an option that is none',
      said({ ...ANSWERS, mood: 'bored' }),
      { kind: 'invalid_result', reason: 'output_schema_mismatch' },
    ],
    ['words', { answer: { text: 'I think yes.' } }, { kind: 'provider_error', reason: 'invalid_result' }],
    [
      'an answer that was cut',
      { answer: { text: '{"refund":0.', finish: 'length' } },
      { kind: 'provider_error', reason: 'invalid_result', details: 'the answer was cut at the output limit' },
    ],
    [
      '401',
      { status: 401, body: { error: { message: 'no {{credential}}' } } },
      { reason: 'authentication_failed', details: 'HTTP 401: no [redacted]' },
    ],
    ['402', { status: 402 }, { reason: 'payment_required' }],
    ['403', { status: 403 }, { reason: 'denied' }],
    ['404', { status: 404 }, { reason: 'not_found' }],
    ['408', { status: 408 }, { reason: 'timeout', 'retryable?': true }],
    ['409', { status: 409 }, { reason: 'invalid_request', 'retryable?': true }],
    ['422', { status: 422 }, { reason: 'invalid_request', 'retryable?': false }],
    ['429', { status: 429 }, { reason: 'rate_limited', 'retryable?': true }],
    ['500', { status: 500 }, { reason: 'unavailable', 'retryable?': true }],
    ['302', { status: 302 }, { reason: 'unavailable', 'retryable?': false }],
    ['a connection that is reset', { fault: 'reset' }, { reason: 'transport_error', 'retryable?': true }],
    ['a body that is no JSON', { fault: 'not_json' }, { reason: 'invalid_result' }],
    ['a body that has no end', { fault: 'huge' }, { reason: 'invalid_result' }],
  ];
  for (const [title, action, expected] of failures) {
    it(`tells ${title}: ${String(expected['reason'])}`, async () => {
      await room.serve([{ action }]);
      const { status, value, stdout } = await decide({ judge: live() });
      expect(status, stdout).to.equal(0);
      expect(value).to.deep.include({ status: 'error', model: 'judge', ...expected });
      expect(room.server.requests).to.have.length(1);
    });
  }

  it('tells usage that was promised and is missing', async () => {
    await room.serve([{ action: said(ANSWERS, { usage: null }) }]);
    const { value } = await decide({ judge: live({ usage_guarantees: { tokens: true, cost_currency: null } }) });
    expect(value).to.include({ status: 'error', kind: 'provider_error', reason: 'usage_unavailable' });
  });

  for (const [tokens, sent] of [
    [999, 999],
    [1000, 1000],
    [1001, 1000],
  ] as const) {
    it(`asks for ${String(sent)} tokens where a call may use ${String(tokens)} and the run allows 1000 of output`, async () => {
      await room.serve([{ action: said(ANSWERS) }]);
      const { value } = await decide(
        { judge: live({ max_total_tokens_per_call: tokens }) },
        { limits: { llm_request_output_tokens: 1000 } },
      );
      expect(value).to.include({ status: 'ok' });
      expect(JSON.parse(room.server.requests[0]?.body ?? '{}')).to.have.property('max_tokens', sent);
    });
  }

  it('gives a call up at its deadline', async () => {
    await room.serve([{ action: { fault: 'silent' } }]);
    const { value } = await decide({ judge: live({ ceilings: { request_timeout_ms: 200 } }) });
    expect(value).to.include({ status: 'error', kind: 'timeout', reason: 'llm_request_timeout' });
  });

  describe('budgets', () => {
    for (const [limit, least] of [
      ['llm_total_tokens', 500],
      ['llm_cost_microusd', 1000],
    ] as const) {
      for (const value of [least - 1, least, least + 1]) {
        it(`${limit} ${String(value)} where a call is declared at ${String(least)}`, async () => {
          await room.serve([{ action: said(ANSWERS, { usage: { input: 40, output: 9, cost: 0.0002 } }) }]);
          const { value: answer, stdout } = await decide(
            { judge: live() },
            { limits: { [limit]: value }, hostLimits: { [limit]: 9999 } },
          );
          if (value < least) {
            expect(answer, stdout).to.deep.include({
              status: 'error',
              kind: 'limit_exceeded',
              reason: limit,
              details: { limit, limit_value: value, requested: least, remaining: value },
            });
            expect(room.server.connections()).to.equal(0);
          } else {
            expect(answer, stdout).to.include({ status: 'ok' });
          }
        });
      }
    }

    it('refuses recorded decisions that their declaration does not fit either', async () => {
      await room.serve([]);
      const { value } = await decide(
        { judge: replay() },
        {
          limits: { llm_total_tokens: 499 },
          hostLimits: { llm_total_tokens: 9999 },
          files: { 'replay.jsonl': line({ response: { answers: ANSWERS, usage: USAGE } }) },
        },
      );
      expect(value).to.include({ status: 'error', kind: 'limit_exceeded', reason: 'llm_total_tokens' });
    });

    it('is charged what was used', async () => {
      await room.serve([{ times: 'any', action: said(ANSWERS, { usage: { input: 40, output: 9 } }) }]);
      const code =
        '(ns main) (defn run [input] (mapv (fn [_] (let [answer (tool/decision-request (:request input))] (or (:reason answer) (:status answer)))) (range 12)))';
      const { value } = await decide(
        { judge: live() },
        { limits: { llm_total_tokens: 549 }, hostLimits: { llm_total_tokens: 9999 } },
        code,
      );
      expect(value).to.deep.equal(['ok', 'ok', ...Array.from({ length: 10 }, () => 'llm_total_tokens')]);
    });
  });

  const USAGE = { input: 40, output: 9, total_cost: { currency: 'USD', microunits: 12 } };
  const canonical = `{"questions":{"mood":{"criteria":{"angry":"a complaint","calm":"no complaint"},"instructions":"Which mood is it?","type":"choice"},"refund":{"instructions":"Does the customer want money back?","type":"boolean"}},"state":"I want my money back!"}`;
  const hash = `sha256:${createHash('sha256').update(canonical).digest('hex')}`;
  const replay = (more: Members = {}): Members => ({
    source: 'decision_replay',
    installation_revision: 'r1',
    ...BOUNDS,
    fixtures: 'replay.jsonl',
    ...more,
  });
  const line = (members: Members): string => JSON.stringify({ schema_version: 2, request_hash: hash, ...members });

  describe('replayed', () => {
    const rows: readonly (readonly [string, Members, Members, Members])[] = [
      [
        'what was decided',
        { response: { answers: ANSWERS, usage: USAGE } },
        {},
        { status: 'ok', value: { answers: ANSWERS, usage: USAGE, model: 'judge' } },
      ],
      [
        'an error in its turn',
        { outcomes: [{ error: { kind: 'rate_limited', details: 'slow', retryable: true } }] },
        {},
        { status: 'error', reason: 'rate_limited', 'retryable?': true, details: 'slow' },
      ],
      [
        'answers that do not fit',
        { response: { answers: { refund: 1 }, usage: USAGE } },
        {},
        { status: 'error', kind: 'invalid_result', reason: 'output_schema_mismatch' },
      ],
      [
        'no tokens, which are promised by default',
        { response: { answers: ANSWERS, usage: { total_cost: USAGE.total_cost } } },
        {},
        { status: 'error', reason: 'usage_unavailable' },
      ],
      [
        'no cost, which is promised by default',
        { response: { answers: ANSWERS, usage: { input: 1, output: 1 } } },
        {},
        { status: 'error', reason: 'usage_unavailable' },
      ],
      [
        'no usage, where none is promised',
        { response: { answers: ANSWERS } },
        { usage_guarantees: UNPROMISED },
        { status: 'ok', value: { answers: ANSWERS, model: 'judge' } },
      ],
    ];
    for (const [title, members, more, expected] of rows) {
      it(`${title}: ${JSON.stringify(expected['reason'] ?? 'ok')}`, async () => {
        const { status, value, stdout } = await decide(
          { judge: replay(more) },
          { files: { 'replay.jsonl': line(members) }, environment: {} },
        );
        expect(status, stdout).to.equal(0);
        expect(value).to.deep.include(expected);
      });
    }

    it('tells a miss by the digest of the request', async () => {
      const { status, envelope } = await decide(
        { judge: replay() },
        { files: { 'replay.jsonl': line({ response: {} }).replace(hash, `sha256:${'0'.repeat(64)}`) } },
        CODE.fail,
      );
      expect(status).to.equal(5);
      expect(envelope).to.have.nested.include({
        'error.code': 'replay_fixture_missing',
        'error.message': `no replay fixture matches this request (request_hash: ${hash})`,
      });
    });

    it('is recorded of a live run by fixtures record', async () => {
      await room.serve([{ action: said(ANSWERS, { usage: { input: 40, output: 9, cost: 0.0002 } }) }]);
      await decide({ judge: live() }, { options: ['--inspect', 'run.svcins'] });
      const recorded = await room.command([
        'fixtures',
        'record',
        '--inspection',
        'run.svcins',
        '--out',
        'recorded.jsonl',
      ]);
      expect(recorded.status, recorded.stderr).to.equal(0);
      const { value } = await decide(
        { judge: replay() },
        { files: { 'replay.jsonl': await room.file('recorded.jsonl') }, environment: {} },
      );
      expect(value).to.deep.include({
        status: 'ok',
        value: {
          answers: ANSWERS,
          usage: { input: 40, output: 9, total_cost: { currency: 'USD', microunits: 200 } },
          model: 'judge',
        },
      });
    });
  });

  describe('what is refused before any credential is read', () => {
    const rows: readonly (readonly [string, () => Members, string])[] = [
      ['a vendor that nobody knows', () => ({ judge: live({ model: 'nobody:m' }) }), 'adapter_unavailable'],
      [
        'a model without schemas',
        () => ({ judge: live({ model: 'deepseek:deepseek-chat' }) }),
        'model_contract_unsupported',
      ],
      [
        'routing where nobody routes',
        () => ({ judge: live({ routing: { zdr: true } }) }),
        'model_contract_unsupported',
      ],
      ['fixtures that are none', () => ({ judge: replay() }), 'fixtures_unreadable'],
    ];
    for (const [title, install, code] of rows) {
      it(`${title}: ${code}`, async () => {
        await room.serve([]);
        const { status, envelope } = await decide(install(), { files: { 'replay.jsonl': '[]' }, environment: {} });
        expect(status).to.equal(4);
        expect(envelope).to.have.nested.include({ 'error.phase': 'local_preflight', 'error.code': code });
        expect(room.server.connections()).to.equal(0);
      });
    }
  });

  it('is probed by doctor, and listed as custom', async () => {
    await room.serve([{ times: 'any', action: { answer: { text: 'ok' } } }]);
    await room.layOut({ install: { judge: live() }, select: [{ name: 'judge' }], files: { 'main.clj': CODE.ask } });
    const { envelope } = await room.report(
      await room.start({ argv: ['doctor', 'svc.json', '--host-config', 'svc-host.json', '--connect'] }).ended,
    );
    expect(envelope).to.have.nested.property('result.readiness', 'ready');
    expect(envelope)
      .to.have.nested.property('result.model_aliases[0]')
      .that.deep.includes({ alias: 'judge', source: 'custom' });
  });
});
