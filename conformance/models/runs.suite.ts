import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelRoom, REQUEST, MODEL_SECRET, type ModelApplication } from './room.ts';

const MISS = 'sha256:0000000000000000000000000000000000000000000000000000000000000000';

describe('models in runs (providers.md §5, §6)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  it('asks a model and tells what it said and used', async () => {
    await room.serve([
      {
        match: { lastContains: 'morning' },
        action: { answer: { text: 'to you too', usage: { input: 9, output: 3 } } },
      },
    ]);
    const { status, value, envelope } = await room.run();
    expect(status).to.equal(0);
    expect(value).to.deep.equal({
      status: 'ok',
      value: { content: 'to you too', finish_reason: 'stop', tokens: { input: 9, output: 3 }, model: 'small' },
    });
    expect(envelope).to.have.deep.nested.property('execution.usage.llm_spend', {
      state: 'unpriced',
      input: 9,
      output: 3,
    });
    expect(envelope)
      .to.have.nested.property('execution.usage.llm_usage[0]')
      .that.deep.includes({
        alias: 'small',
        installation_revision: 'r1',
        calls: 1,
        successful_calls: 1,
        usage: { input: 9, output: 3 },
      });
    expect(envelope).to.have.nested.property('execution.usage.unattributed_model_calls', 1);
    expect(envelope)
      .to.have.nested.property('warnings[0]')
      .that.includes({ code: 'model_uncataloged', provider: 'small', model: null });
    expect(room.server.requests).to.have.length(1);
  });

  const warnings: readonly (readonly [string, string, readonly unknown[]])[] = [
    ['a model that the catalogue has', 'openai:gpt-4o', []],
    [
      'a model that it does not have',
      'openai:nobody-knows-it',
      [{ provider: 'small', model: 'openai:nobody-knows-it' }],
    ],
    [
      'a model whose selector is not shown',
      'openai-compat:http://127.0.0.1:9/v1|m',
      [{ provider: 'small', model: null }],
    ],
    ['a selector that no route serves', 'nobody:m', []],
  ];
  for (const [title, selector, expected] of warnings) {
    it(`warns, of ${title}: ${String(expected.length)}`, async () => {
      const code = 'model_uncataloged';
      const { envelope, stderr } = await room.run({
        install: { small: room.model({ model: selector }) },
        environment: {},
      });
      expect(envelope).to.have.nested.property(
        'error.code',
        selector.startsWith('nobody') ? 'adapter_unavailable' : 'credential_unavailable',
      );
      expect(envelope['warnings']).to.be.an('array').with.length(expected.length);
      for (const warning of expected)
        expect(envelope)
          .to.have.nested.property('warnings[0]')
          .that.deep.includes({ code, ...Object(warning) });
      expect(stderr.startsWith(`warning: ${code}: `)).to.equal(expected.length > 0);
    });
  }

  it('answers a refusal to the program, which goes on', async () => {
    await room.serve([{ action: { status: 429, body: { error: { message: 'slow down' } } } }]);
    const { status, value, envelope } = await room.run();
    expect(status).to.equal(0);
    expect(value).to.deep.equal({
      status: 'error',
      kind: 'provider_error',
      reason: 'rate_limited',
      'retryable?': true,
      details: 'HTTP 429: slow down',
      model: 'small',
    });
    expect(envelope).to.have.deep.nested.property('execution.usage.capability_refusals', {
      'workflow/provider_error/rate_limited': 1,
    });
    expect(room.server.requests).to.have.length(1);
  });

  it('leaves the credential nowhere, whatever the server tells of it', async () => {
    await room.serve([{ action: { status: 401, body: { error: { message: 'bad key {{credential}}' } } } }]);
    await mkdir(join(room.directory, 'traces'));
    const { status, stdout, stderr } = await room.run({ options: ['--trace-dir', 'traces'] });
    expect(status).to.equal(0);
    const reported = [stdout, stderr, ...(await room.everything()).values()];
    expect(reported.length).to.be.greaterThan(5);
    expect(reported.filter((text) => text.includes(MODEL_SECRET))).to.deep.equal([]);
    expect(stdout).to.include('[redacted]');
  });

  it('gives the program no credential that a model repeats', async () => {
    const hex = Buffer.from(MODEL_SECRET).toString('hex');
    await room.serve([{ action: { answer: { text: `your key: ${MODEL_SECRET}, ${hex}` } } }]);
    const { status, value, stdout, stderr } = await room.run();
    expect(status).to.equal(0);
    expect(value).to.have.nested.property('value.content', 'your key: [redacted], [redacted]');
    expect(
      [stdout, stderr, ...(await room.everything()).values()].filter(
        (text) => text.includes(MODEL_SECRET) || text.includes(hex),
      ),
    ).to.deep.equal([]);
  });

  it('takes the credential from the environment file, before the environment', async () => {
    await room.serve([{ action: { answer: { text: 'ok' } } }]);
    const { status } = await room.run({
      options: ['--env-file', 'keys.env'],
      files: { 'keys.env': 'MODEL_KEY=from-the-file\n' },
    });
    expect(status).to.equal(0);
    expect(room.server.requests[0]?.headers['authorization']).to.equal(
      `sha256:${createHash('sha256').update('Bearer from-the-file').digest('hex')}`,
    );
  });

  it('refuses to start without its credential, and asks nobody', async () => {
    await room.serve([]);
    const { status, envelope } = await room.run({ environment: {} });
    expect(status).to.equal(4);
    expect(envelope).to.have.nested.include({
      'error.phase': 'active_preflight',
      'error.code': 'credential_unavailable',
      'error.subject.name': 'small',
      'error.subject.operation': 'credentials',
    });
    expect(room.server.connections()).to.equal(0);
  });

  const checks: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['a vendor that nobody knows', { model: 'nobody:m' }, 'adapter_unavailable'],
    [
      'a parameter that would be dropped',
      { model: 'anthropic:claude-haiku-4-5', params: { seed: 1 } },
      'model_contract_unsupported',
    ],
  ];
  for (const [title, more, code] of checks) {
    it(`refuses ${title} before any credential is read`, async () => {
      await room.serve([]);
      const { status, envelope } = await room.run({ install: { small: room.model(more) }, environment: {} });
      expect(status).to.equal(4);
      expect(envelope).to.have.nested.include({
        'error.phase': 'local_preflight',
        'error.code': code,
        'error.subject.operation': 'local',
      });
      expect(room.server.connections()).to.equal(0);
    });
  }

  describe('which model is meant', () => {
    const both = { small: { name: 'small' }, large: { name: 'large' } };
    const cases: readonly (readonly [string, readonly unknown[], unknown, string])[] = [
      ['the one that is named', [both.small, both.large], { ...REQUEST, model: 'large' }, 'ok'],
      ['the only one', [both.small], REQUEST, 'ok'],
      ['the default one', [both.small, { name: 'large', config: { default: true } }], REQUEST, 'ok'],
      ['none of several', [both.small, both.large], REQUEST, 'model_alias_required'],
      ['one that is not selected', [both.small], { ...REQUEST, model: 'large' }, 'unknown_model_alias'],
      ['no name', [both.small], { ...REQUEST, model: 7 }, 'invalid_model_alias'],
    ];
    for (const [title, select, request, expected] of cases) {
      it(`${title}: ${expected}`, async () => {
        await room.serve([{ action: { answer: { text: 'ok' } } }]);
        const { value } = await room.run({
          install: { small: room.model(), large: room.model() },
          select,
          input: { request },
        });
        if (expected === 'ok') expect(value).to.include({ status: 'ok' });
        else expect(value).to.deep.include({ status: 'error', kind: 'protocol_error', reason: expected });
        expect(room.server.requests).to.have.length(expected === 'ok' ? 1 : 0);
      });
    }
  });

  describe('requests that are sent nowhere', () => {
    const cases: readonly (readonly [string, unknown, ModelApplication, string])[] = [
      ['an unknown member', { ...REQUEST, temperature: 1 }, {}, 'invalid_arguments'],
      ['messages that are none', { messages: 'hello' }, {}, 'invalid_arguments'],
      [
        'a schema beside tools',
        {
          ...REQUEST,
          schema: { type: 'object', properties: {} },
          tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
        },
        {},
        'invalid_arguments',
      ],
      ['a schema that is none', { ...REQUEST, schema: { type: 'nonsense' } }, {}, 'invalid_arguments'],
      [
        'more than the installation takes',
        { messages: [{ role: 'user', content: 'x'.repeat(300) }] },
        { select: [{ name: 'small', config: { max_request_bytes: 200 } }] },
        'invalid_arguments',
      ],
    ];
    for (const [title, request, more, reason] of cases) {
      it(`${title}: ${reason}`, async () => {
        await room.serve([]);
        const { value } = await room.run({ ...more, input: { request } });
        expect(value).to.deep.include({ status: 'error', kind: 'protocol_error', reason });
        expect(room.server.connections()).to.equal(0);
      });
    }
  });

  it('holds structured output to the schema of its request', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    await room.serve([{ action: { answer: { text: '{"n":4}', usage: null } } }]);
    expect((await room.run({ input: { request: { ...REQUEST, schema } } })).value).to.deep.equal({
      status: 'ok',
      value: { structured_output: { n: 4 }, finish_reason: 'stop', tokens: {}, model: 'small' },
    });
    await room.serve([{ action: { answer: { text: '{"n":"four"}' } } }]);
    expect((await room.run({ input: { request: { ...REQUEST, schema } } })).value).to.include({
      status: 'error',
      kind: 'invalid_result',
      reason: 'output_schema_mismatch',
    });
  });

  it('says what structured output misses, so that a workflow can have it mended', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    await room.serve([
      { action: { answer: { text: '{"n":"four"}' } } },
      { match: { lastContains: '/n type integer' }, action: { answer: { text: '{"n":4}' } } },
    ]);
    const program = `(ns main)
      (defn wrong [{:keys [violations text]}]
        (str text " breaks: "
          (str/join "; " (map (fn [{:keys [path rule expected]}] (str path " " rule " " expected)) violations))))
      (defn ask [request left]
        (let [answer (tool/llm-request request)]
          (cond
            (= :ok (:status answer)) (get-in answer [:value :structured_output "n"])
            (and (pos? left) (= :output_schema_mismatch (:reason answer)))
            (recur (update request "messages" conj {"role" "user" "content" (wrong (:details answer))}) (dec left))
            :else (fail answer))))
      (defn run [input] (ask (:request input) 2))`;
    const { status, value, stderr, envelope } = await room.run({
      input: { request: { ...REQUEST, schema } },
      files: { 'main.clj': program },
    });
    expect(stderr).to.include('failed and the run succeeded: invalid_result/output_schema_mismatch');
    expect(status).to.equal(0);
    expect(value).to.equal(4);
    expect(JSON.stringify(room.server.requests.at(-1)?.body)).to.include('breaks: /n type integer');
    expect(JSON.stringify(envelope)).not.to.include('four');
  });

  it('shows a model an image, which counts as one and not by its bytes', async () => {
    await room.serve([{ action: { answer: { text: 'a cat', usage: { input: 900, output: 3 } } } }]);
    const picture = Buffer.alloc(300_000, 7).toString('base64');
    const program = `
      (ns main)
      (defn run [input]
        (tool/llm-request {:messages [{:role "user"
                                       :content [{:type "image" :media_type "image/png" :data (:picture input)}
                                                 {:type "text" :text "What is it?"}]}]}))`;
    const limits = { llm_total_tokens: 20_000 };
    const { value, stderr } = await room.run({
      input: { picture },
      files: { 'main.clj': program },
      install: { small: room.model({ usage_guarantees: { tokens: true, cost_currency: null } }) },
      limits: { ...limits, capability_argument_bytes: 1_000_000 },
      hostLimits: limits,
    });
    expect(value, stderr).to.have.nested.property('value.content', 'a cat');
    const { messages }: { readonly messages?: unknown } = JSON.parse(room.server.requests[0]?.body ?? '{}');
    expect(messages).to.deep.equal([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
          { type: 'text', text: 'What is it?' },
        ],
      },
    ]);
  });

  it('sends nothing of a message whose parts are of another form', async () => {
    await room.serve([]);
    const { value } = await room.run({
      input: { request: { messages: [{ role: 'user', content: [{ type: 'image', data: 'AAAA' }] }] } },
    });
    expect(value).to.include({ status: 'error', reason: 'invalid_request', 'retryable?': false });
    expect(room.server.requests).to.deep.equal([]);
  });

  it('tells nobody but the program what structured output misses', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    await mkdir(join(room.directory, 'traces'));
    await room.serve([{ action: { answer: { text: '{"n":"planted-words"}' } } }]);
    const { status, stderr, envelope } = await room.run({
      program: 'fail',
      input: { request: { ...REQUEST, schema } },
      options: ['--trace-dir', 'traces'],
    });
    expect(status).to.equal(5);
    const traces = [...(await room.everything())].filter(([path]) => path.endsWith('.jsonl'));
    expect(traces).to.have.length(1);
    expect(stderr + JSON.stringify(envelope) + traces.join()).not.to.include('planted-words');
  });

  it('counts the calls of an alias', async () => {
    await room.serve([{ times: 'any', action: { answer: { text: 'ok' } } }]);
    const { value } = await room.run({
      program: 'count',
      input: { request: REQUEST, times: 4 },
      select: [{ name: 'small', config: { max_calls: 2 } }],
    });
    expect(value).to.deep.equal(['ok', 'ok', 'error', 'error']);
    expect(room.server.requests).to.have.length(2);
  });

  it('keeps to a budget of tokens, whatever asks at once', async () => {
    await room.serve([{ times: 'any', action: { answer: { text: 'ok', usage: { input: 10, output: 10 } } } }]);
    const guaranteed = { small: room.model({ usage_guarantees: { tokens: true, cost_currency: null } }) };
    const { envelope, value } = await room.run({
      program: 'fan',
      input: { request: REQUEST, times: 4 },
      install: guaranteed,
      hostLimits: { llm_total_tokens: 1000 },
      limits: { llm_total_tokens: 1000, llm_request_output_tokens: 100 },
    });
    expect(envelope)
      .to.have.nested.property('execution.usage.llm_budget.total_tokens')
      .that.includes({ state: 'available', limit: 1000, reserved: 0 });
    expect(value).to.be.an('array').with.length(4);
    const requested = room.server.requests.length;
    expect(requested).to.be.greaterThan(0);
    expect(envelope).to.have.nested.property('execution.usage.llm_budget.total_tokens.charged', requested * 20);
  });

  it('is stopped in the middle of a call, and leaves no socket and no child', async () => {
    await room.serve([{ action: { fault: 'silent' } }]);
    await room.layOut({});
    const started = room.start({});
    while (room.server.requests.length === 0) await new Promise(setImmediate);
    started.child.kill('SIGTERM');
    const { status } = await started.ended;
    expect(status).to.equal(143);
    while (room.server.openConnections() > 0) await new Promise(setImmediate);
  });

  describe('replayed', () => {
    const replay = { source: 'llm_replay', installation_revision: 'r1', fixtures: 'replay.jsonl' };
    const canonical = '{"messages":[{"content":"good morning","role":"user"}]}';
    const hash = `sha256:${createHash('sha256').update(canonical).digest('hex')}`;
    const line = (members: Readonly<Record<string, unknown>>): string =>
      JSON.stringify({ schema_version: 2, request_hash: hash, ...members });

    it('answers what was recorded, without a credential', async () => {
      const { status, value, envelope } = await room.run({
        install: { small: replay },
        files: { 'replay.jsonl': line({ response: { content: 'recorded', tokens: { input: 4, output: 2 } } }) },
        environment: {},
      });
      expect(status).to.equal(0);
      expect(value).to.deep.equal({
        status: 'ok',
        value: { model: 'small', content: 'recorded', tokens: { input: 4, output: 2 } },
      });
      expect(envelope)
        .to.have.nested.property('execution.usage.llm_usage[0].usage')
        .that.deep.equals({ input: 4, output: 2 });
    });

    it('gives a sequence in turn, and then none', async () => {
      const file = line({
        outcomes: [{ error: { kind: 'timeout', details: null, retryable: true } }, { response: { content: 'then' } }],
      });
      const { value } = await room.run({
        program: 'count',
        input: { request: REQUEST, times: 3 },
        install: { small: replay },
        files: { 'replay.jsonl': file },
      });
      expect(value).to.deep.equal(['error', 'ok', 'error']);
    });

    it('tells a miss by the digest of the request, which ends the run as that', async () => {
      const { status, envelope } = await room.run({
        program: 'fail',
        install: { small: replay },
        files: { 'replay.jsonl': line({ response: {} }).replace(hash, MISS) },
      });
      expect(status).to.equal(5);
      expect(envelope).to.have.nested.include({
        'error.code': 'replay_fixture_missing',
        'error.message': `no replay fixture matches this request (request_hash: ${hash})`,
      });
    });
  });
});
