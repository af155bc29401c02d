import { expect } from 'chai';
import { notDispatched, providerError } from '../../api/supervisor.ts';
import { useSupervisor, withinLimit, work, type Application, type LimitedRun } from './runs.ts';

const N = {
  type: 'object',
  properties: { n: { type: 'integer', maximum: 100 } },
  required: ['n'],
  additionalProperties: false,
};

describe('custom capabilities in a real run (runtime.md §5)', () => {
  const runs = useSupervisor();

  it('a workflow calls a function and gets its value, on record in order', async () => {
    const double = work(({ n }) => ({ doubled: Number(n) * 2 }), { inputSchema: N });
    const done = await runs.run({ custom: [double], body: '(tool/work {:n 21})' });
    expect([done.unexpected, done.code, done.value]).to.deep.equal([
      null,
      null,
      { status: 'ok', value: { doubled: 42 } },
    ]);
    expect(done.usage['capability_calls']).to.deep.equal({ 'workflow/work': 1 });
    expect(done.events.map(({ type }) => type)).to.deep.equal([
      'run-started',
      'evaluation-started',
      'capability-started',
      'capability-stopped',
      'evaluation-stopped',
      'run-stopped',
    ]);
    expect(done.records.map(({ type }) => type)).to.deep.equal([
      'prelude-source',
      'capability-input',
      'capability-output',
      'run-result',
    ]);
  });

  it('sees nothing but its own copy of the arguments', async () => {
    let seen: unknown = null;
    const spy = work((input) => {
      seen = input;
      Object.assign(input, { changed: true });
      return null;
    });
    const done = await runs.run({ custom: [spy], body: '(tool/work {:a-b [1 2.5 nil "x"] "__proto__" {:c :d/e}})' });
    expect(done.code).to.equal(null);
    expect(JSON.stringify(seen)).to.equal('{"__proto__":{"c":"d/e"},"a_b":[1,2.5,null,"x"],"changed":true}');
    expect(Object.getPrototypeOf(seen)).to.equal(Object.prototype);
    expect(JSON.stringify(done.records.find(({ type }) => type === 'capability-input')?.payload)).to.not.include(
      'changed',
    );
  });

  const failures: readonly (readonly [string, unknown, object])[] = [
    [
      'a classified error',
      () => providerError('rate_limited', { details: 'slow', retryable: true }),
      { kind: 'provider_error', reason: 'rate_limited', 'retryable?': true, details: 'slow' },
    ],
    [
      'proof that nothing was sent',
      () => notDispatched('unavailable', { retryable: true }),
      { kind: 'provider_error', reason: 'unavailable', 'retryable?': true },
    ],
    [
      'an exception',
      () => {
        throw new Error('secret');
      },
      { kind: 'provider_error', reason: 'exception', 'retryable?': false },
    ],
    [
      'something else that is thrown',
      () => {
        throw 'secret';
      },
      { kind: 'provider_error', reason: 'throw', 'retryable?': false },
    ],
    [
      'a rejection',
      async () => Promise.reject(new RangeError('secret')),
      { kind: 'provider_error', reason: 'exception', 'retryable?': false },
    ],
    ['a function', () => () => 1, { kind: 'invalid_result', reason: 'invalid_provider_return', 'retryable?': false }],
    [
      'a cycle',
      () => {
        const cycle: unknown[] = [];
        cycle.push(cycle);
        return cycle;
      },
      { kind: 'invalid_result', reason: 'invalid_provider_return', 'retryable?': false },
    ],
    [
      'not a number',
      () => ({ n: Number.NaN }),
      { kind: 'invalid_result', reason: 'invalid_provider_return', 'retryable?': false },
    ],
    [
      'a getter',
      () =>
        Object.defineProperty({}, 'n', {
          enumerable: true,
          get: () => {
            throw new Error('read');
          },
        }),
      { kind: 'invalid_result', reason: 'invalid_provider_return', 'retryable?': false },
    ],
    [
      'a proxy',
      () =>
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('asked');
            },
          },
        ),
      { kind: 'invalid_result', reason: 'invalid_provider_return', 'retryable?': false },
    ],
    [
      'a class of its own',
      () => new Date(0),
      { kind: 'invalid_result', reason: 'invalid_provider_return', 'retryable?': false },
    ],
    [
      'a thenable that throws',
      () =>
        Object.defineProperty({}, 'then', {
          get: () => {
            throw new Error('then');
          },
        }),
      { kind: 'provider_error', reason: 'exception', 'retryable?': false },
    ],
    [
      'another shape than declared',
      () => 'text',
      { kind: 'invalid_result', reason: 'output_schema_mismatch', 'retryable?': false },
    ],
    [
      'a megabyte too much',
      () => 'x'.repeat(1_000_001),
      { kind: 'result_exceeded', reason: 'provider_result_limit', 'retryable?': false },
    ],
  ];
  for (const [title, call, envelope] of failures) {
    it(`classifies ${title}`, async () => {
      if (typeof call !== 'function') throw new TypeError('a row has a function');
      const done = await runs.run({
        custom: [work(() => call(), { outputSchema: { type: 'object' } })],
        body: '(tool/work)',
      });
      expect(done.value).to.deep.equal({ status: 'error', ...envelope });
      expect(JSON.stringify([done.events, done.envelope])).to.not.include('secret');
    });
  }

  it('records an exception privately, with its class and frames', async () => {
    const done = await runs.run({
      custom: [
        work(() => {
          throw new RangeError('secret');
        }),
      ],
      body: '(tool/work)',
    });
    expect(done.records.map(({ type }) => type)).to.deep.equal([
      'prelude-source',
      'capability-input',
      'capability-exception',
      'capability-output',
      'run-result',
    ]);
    const payload = done.records[2]?.payload;
    expect(payload).to.include({ exception_class: 'RangeError', message: 'secret', message_truncated: false });
    expect(payload?.['stacktrace']).to.be.an('array').with.length.greaterThan(0);
  });

  it('a function that ignores its cancellation is given up after its time, and its answer dropped', async () => {
    let answer: (value: unknown) => void = () => undefined;
    let wasAborted = false;
    const deaf = work(
      (_, { signal }) =>
        new Promise((resolve) => {
          answer = resolve;
          signal.addEventListener('abort', () => {
            wasAborted = true;
          });
        }),
      { timeoutMs: 20 },
    );
    const done = await runs.run({ custom: [deaf], body: '[(tool/work) (count (tool/cap-list))]' });
    expect(done.value).to.deep.equal([
      { status: 'error', kind: 'timeout', reason: 'provider_timeout', 'retryable?': true },
      1,
    ]);
    expect(wasAborted).to.equal(true);
    answer('late');
    expect(done.usage['capability_calls']).to.deep.equal({ 'workflow/work': 1 });
  });

  it('results and arguments pass at exactly their limit', async () => {
    const sized = (bytes: number): Application => ({
      custom: [work(({ n }) => 'x'.repeat(Number(n) - 2))],
      limits: { capability_result_bytes: 1000, capability_argument_bytes: 100 },
      body: `(:status (tool/work {:n ${bytes}}))`,
    });
    for (const [bytes, status] of [
      [999, 'ok'],
      [1000, 'ok'],
      [1001, 'error'],
    ] as const)
      expect((await runs.run(sized(bytes))).value).to.equal(status);
    const argued = (bytes: number): Application => ({
      ...sized(0),
      custom: [work(() => 1)],
      body: `(:status (tool/work {:s "${'x'.repeat(bytes - '{"s":""}'.length)}"}))`,
    });
    for (const [bytes, status] of [
      [99, 'ok'],
      [100, 'ok'],
      [101, 'error'],
    ] as const)
      expect((await runs.run(argued(bytes))).value).to.equal(status);
  });

  it('arguments are checked before the function is called', async () => {
    let called = 0;
    const counted = work(
      () => {
        called += 1;
        return 1;
      },
      { inputSchema: N, accepts: ({ n }) => n !== 7 },
    );
    const done = await runs.run({
      custom: [counted],
      body: '(mapv #(select-keys % [:reason :details]) [(tool/work) (tool/work {:n "x"}) (tool/work {:n 101}) (tool/work {:n 1 :m 2}) (tool/work {:n 7})])',
    });
    const violation = (facts: object) => ({
      reason: 'invalid_arguments',
      details: { name: 'work', violations: [facts] },
    });
    expect(done.value).to.deep.equal([
      violation({ rule: 'required', schema_path: '#/required', missing: 'n' }),
      violation({ rule: 'type', schema_path: '#/properties/n/type', expected: 'integer', given: 'string' }),
      violation({ rule: 'maximum', schema_path: '#/properties/n/maximum', limit: 100 }),
      violation({ rule: 'additionalProperties', schema_path: '#/additionalProperties', unknown: 'm', allowed: ['n'] }),
      { reason: 'invalid_arguments' },
    ]);
    expect([called, done.usage['protocol_errors'], done.usage['capability_refusals']]).to.deep.equal([
      0,
      5,
      { 'workflow/protocol_error/invalid_arguments': 5 },
    ]);
  });

  it('a pattern that never ends is given up, and the run goes on', async () => {
    const trap = work(() => 1, {
      inputSchema: { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } },
    });
    const done = await runs.run({
      custom: [trap],
      body: `[(select-keys (tool/work {:s "${'a'.repeat(40)}!"}) [:kind :reason]) (:status (tool/work {:s "a"}))]`,
    });
    expect(done.value).to.deep.equal([
      { kind: 'capability_unavailable', reason: 'input_validation_unavailable' },
      'ok',
    ]);
  });

  it('two runs at once keep their counts apart', async () => {
    const slow = (ms: number) =>
      work(
        () =>
          new Promise((resolve) => {
            setTimeout(resolve, ms, ms);
          }),
      );
    const first = await runs.run({ custom: [slow(5)], body: '(do (tool/work) (tool/work) 1)' });
    expect(first.usage['capability_calls']).to.deep.equal({ 'workflow/work': 2 });
  });
});

describe('limits of capability calls in a real run (runtime.md §9)', () => {
  const runs = useSupervisor();
  const one = work(() => 1);
  const calls = (count: number): string => `(mapv (fn [_] (:status (tool/work))) (range ${count}))`;

  for (const [limit, value] of [
    ['workflow_capability_calls_per_name', 3],
    ['workflow_capability_calls', 3],
  ] as const) {
    it(`${limit}: at the limit passes, one more is an envelope, and counts`, async () => {
      for (const count of [2, 3, 4]) {
        const done = await runs.run({ custom: [one], limits: { [limit]: value }, body: calls(count) });
        expect(done.value).to.deep.equal(Array.from({ length: count }, (_, index) => (index < 3 ? 'ok' : 'error')));
        expect(done.usage['capability_calls']).to.deep.equal({ 'workflow/work': Math.min(3, count) });
        expect(done.usage['capability_refusals']).to.deep.equal(
          count > 3 ? { 'workflow/limit_exceeded/capability_quota': 1 } : {},
        );
      }
    });
  }

  it('failing with the very envelope of a quota is that limit; a look-alike is a plain failure', async () => {
    const over = (value: string): Application => ({
      custom: [one],
      limits: { workflow_capability_calls_per_name: 1 },
      body: `(do (tool/work) (let [refused (tool/work)] (fail ${value})))`,
    });
    const exact = await runs.run(over('refused'));
    expect(exact.envelope)
      .to.have.property('error')
      .that.deep.includes({
        code: 'capability_quota_exceeded',
        message: 'limit workflow_capability_calls_per_name of 1 capability calls was exceeded by capability work',
        source: { kind: 'runtime', name: 'svc-runtime' },
      });
    expect([exact.exitStatus, exact.envelope.execution]).to.have.nested.property('[1].state', 'finished');
    expect(exact.exitStatus).to.equal(6);
    for (const lookAlike of [
      '(assoc refused :more 1)',
      '(assoc-in refused [:details "limit_value"] 2)',
      '{:refused refused}',
      '(dissoc refused :retryable?)',
    ]) {
      const done = await runs.run(over(lookAlike));
      expect([done.code, done.exitStatus], lookAlike).to.deep.equal(['explicit_failure', 5]);
    }
  });

  it('a private run tells no more of a quota than its code', async () => {
    const done = await runs.run({
      custom: [one],
      privateEvents: true,
      limits: { workflow_capability_calls_per_name: 1 },
      body: '(do (tool/work) (fail (tool/work)))',
    });
    expect(done.envelope).to.have.nested.property('error.message', 'a capability call limit was exceeded');
  });

  it('protocol_errors: the one beyond the limit ends the run, past every catch', async () => {
    const strict = work(() => 1, { inputSchema: N });
    const erring = (count: number): Application => ({
      custom: [strict],
      limits: { protocol_errors: 3 },
      body: `(try (do (dotimes [_ ${count}] (tool/work)) :done) (catch Throwable e :caught))`,
    });
    expect((await runs.run(erring(3))).value).to.equal('done');
    const done = await runs.run(erring(4));
    expect([done.code, done.exitStatus, done.usage['protocol_errors']]).to.deep.equal(['runtime_limit_exceeded', 6, 4]);
    expect(done.envelope.execution).to.include({ state: 'finished', outcome: 'error' });
    expect(done.events.find(({ type }) => type === 'limit-exceeded')?.data).to.include({
      reason: 'protocol_errors',
      limit_value: 3,
    });
  });

  async function hangingRun(limits: Readonly<Record<string, number>>): Promise<LimitedRun> {
    let wasReached = false;
    const hanging = work(
      () =>
        new Promise(() => {
          wasReached = true;
        }),
    );
    const ended = await runs.run({ custom: [hanging], limits, body: '(tool/work)' });
    return { ended, wasReached };
  }

  it('run_duration_ms ends a run that waits in a call', async () => {
    const done = await withinLimit((limitMs) => hangingRun({ run_duration_ms: limitMs }));
    expect([done.code, done.exitStatus]).to.deep.equal(['run_timeout', 6]);
    expect(done.envelope.execution).to.include({ state: 'incomplete' });
    expect(done.usage['capability_calls']).to.deep.equal({ 'workflow/work': 1 });
  });

  it('workflow_timeout_ms does, in its printed form', async () => {
    const done = await withinLimit((limitMs) => hangingRun({ workflow_timeout_ms: limitMs }));
    expect(done.envelope)
      .to.have.nested.property('error.message')
      .that.matches(/^workflow_timeout_ms limit (?:300|3000|25000) ms was exceeded during execution$/);
  });

  it('a signal ends a run that waits in a call, and its artifacts are published', async () => {
    for (const [name, status] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['closed by the user', 130],
      [undefined, 130],
    ] as const) {
      const stop = new AbortController();
      let wasAborted = false;
      const waiting = work(
        (_, { signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => {
              wasAborted = true;
            });
            stop.abort(name);
          }),
      );
      const done = await runs.run({ custom: [waiting], body: '(tool/work)', request: { signal: stop.signal } });
      expect([done.code, done.exitStatus, wasAborted]).to.deep.equal(['internal_error', status, true]);
      expect(done.envelope.artifact_state).to.include({ trace: 'written', inspection: 'written' });
      expect(done.envelope)
        .to.have.property('error')
        .that.includes({ message: 'the command was interrupted', provider_activity: true });
    }
  });

  it('a signal that was raised before keeps a run from beginning', async () => {
    const request = { signal: AbortSignal.abort('too late') };
    const done = await runs.run({ body: '1', request });
    expect([done.exitStatus, done.envelope.execution]).to.deep.equal([130, { state: 'not_started' }]);
    expect(done.envelope)
      .to.have.property('error')
      .that.includes({ code: 'internal_error', message: 'the command was interrupted' });
  });
});

describe('evidence that is lost in a real run (evidence.md §4, §6)', () => {
  const runs = useSupervisor();
  const one = work(() => 1);

  it('a normal run drops events, counts them, and says nothing of models', async () => {
    const done = await runs.run({
      custom: [one],
      limits: { normal_event_count: 6 },
      body: '(do (dotimes [_ 4] (tool/work)) 1)',
    });
    expect(done.value).to.equal(1);
    expect(done.usage['events_dropped']).to.deep.equal({
      'capability-started': 3,
      'capability-stopped': 3,
      'evaluation-stopped': 1,
    });
    expect(done.usage['llm_usage_state']).to.equal('unavailable');
    expect(done.events.slice(-2).map(({ type }) => type)).to.deep.equal(['events-dropped', 'run-stopped']);
  });

  it('a private run ends with the first event that does not fit, and sends nothing more', async () => {
    let called = 0;
    const counted = work(() => {
      called += 1;
      return 1;
    });
    const done = await runs.run({
      custom: [counted],
      privateEvents: true,
      limits: { normal_event_count: 4 },
      body: '(try (do (dotimes [_ 4] (tool/work)) 1) (catch Throwable e 2))',
    });
    expect([done.code, done.exitStatus, called]).to.deep.equal(['event_capture_limit_exceeded', 7, 1]);
    expect(done.envelope.execution).to.include({ state: 'incomplete' });
  });
});
