import { expect } from 'chai';
import * as sinon from 'sinon';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import type { Capability, DispatchedCall } from './capability.ts';
import type { Route } from './route.ts';
import { capability, dataOf, failed, harness, value, type TestOutcome } from './testing/broker-harness.ts';

const OK = { status: 'ok' };

/** An answer that the test gives when it likes. */
function pending() {
  let settle: (outcome: TestOutcome) => void = () => undefined;
  const calls: DispatchedCall[] = [];
  const answer = (call: DispatchedCall): Promise<TestOutcome> => {
    calls.push(call);
    return new Promise((resolve) => {
      settle = resolve;
    });
  };
  return { answer, calls, settle: (outcome: TestOutcome) => settle(outcome) };
}

describe('the pipeline of a capability call (runtime.md §5)', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    clock.restore();
  });

  it('answers with the value, in an envelope, and puts the call on record in order', async () => {
    const { open, call, events, records, broker } = harness({
      capabilities: [capability({ answer: () => value({ n: 1.5 }) })],
    });
    const scope = open();
    expect(await call(scope, 'find', { a: 1 })).to.deep.equal({ ...OK, value: { n: 1.5 } });
    expect(events.map(({ type }) => type)).to.deep.equal(['capability-started', 'capability-stopped']);
    expect(dataOf(events[1])).to.deep.include({
      environment: 'workflow',
      name: 'find',
      status: 'ok',
      duration_ms: 0,
      capability_id: dataOf(events[0])['capability_id'],
    });
    expect(records.map(({ type }) => type)).to.deep.equal(['capability-input', 'capability-output']);
    expect(records[0]?.correlation.get('capability_id')).to.equal(dataOf(events[0])['capability_id']);
    expect(
      [dataOf(records[0])['arguments'], dataOf(records[1])['result']].map((one) => JSON.stringify(one)),
    ).to.deep.equal(['{"a":1}', '{"status":"ok","value":{"n":1.5}}']);
    expect(broker.counts().capabilityCalls).to.deep.equal({ 'workflow/find': 1 });
    expect(await scope.end()).to.deep.include({
      reached: 'read',
      terminalProviderFailure: null,
      terminalHostFailure: null,
    });
    expect(broker.providerActivity()).to.equal(true);
  });

  it('answers the gate of a call once, whoever asks how often', async () => {
    const requested: boolean[] = [];
    const twice = capability({
      answer: async (call) => {
        requested.push(await call.openGate(), await call.openGate());
        return value(null);
      },
    });
    const { open, call } = harness({ capabilities: [twice] });
    expect(await call(open(), 'find')).to.include(OK);
    expect(requested).to.deep.equal([true, true]);
  });

  it('asks whether an effect may follow before the call leaves, and lets none leave that may not', async () => {
    for (const effect of ['read', 'unknown', 'write'] as const) {
      const order: string[] = [];
      const asking =
        (mayLeave: boolean) =>
        async (requested: string): Promise<boolean> => {
          order.push(`asked ${requested}`);
          return mayLeave;
        };
      const sent = capability({
        effect,
        answer: () => {
          order.push('sent');
          return value(1);
        },
      });
      const allowed = harness({ capabilities: [sent], effectGate: asking(true) });
      expect(await allowed.call(allowed.open(), 'find')).to.include(OK);
      expect(order).to.deep.equal([`asked ${effect}`, 'sent']);
      const refused = harness({ capabilities: [sent], effectGate: asking(false) });
      const scope = refused.open();
      expect(await refused.call(scope, 'find')).to.include({ status: 'error' });
      expect(order).to.deep.equal([`asked ${effect}`, 'sent', `asked ${effect}`]);
      expect(refused.broker.providerActivity()).to.equal(false);
      expect(await scope.end()).to.include({ reached: null });
    }
  });

  it('lets no call leave whose caller has gone while it was asked for', async () => {
    const answered = Promise.withResolvers<boolean>();
    const sent = sinon.fake(() => value(1));
    const { open, call, broker } = harness({
      capabilities: [capability({ answer: sent })],
      effectGate: async () => answered.promise,
    });
    const calling = call(open(), 'find');
    const closing = broker.close();
    answered.resolve(true);
    await clock.runAllAsync();
    await Promise.all([calling, closing]);
    expect(sent.callCount).to.equal(0);
  });

  it('keeps of a result its digest alone where the installation wants no more, and errors in full', async () => {
    const server = { transport: 'streamable_http', requestId: 3, request: 'q', response: 'a', stderr: null } as const;
    const recordsOf = async (outcome: TestOutcome): Promise<readonly unknown[]> => {
      const { open, call, records } = harness({
        capabilities: [capability({ inspectionCapture: 'digest_results', answer: () => outcome, exchanges: [server] })],
      });
      await call(open('m'), 'find');
      return records.slice(1).map((record) => [record.type, JSON.stringify(dataOf(record))]);
    };
    const of = (value: string, bytes: number): string =>
      `{"encoding":"svc-canonical-json-v1","sha256":"sha256:${value}","encoded_bytes":${bytes}}`;
    const request = ['mcp-request', '{"mission_name":"m","transport":"streamable_http","body":"q"}'];
    expect(await recordsOf(value(1))).to.deep.equal([
      request,
      [
        'mcp-response',
        `{"mission_name":"m","transport":"streamable_http","body_identity":${of('42a7e3cdc062c06b02c54151835211fde19c31c7de94856bf44b2184d44d9cb8', 3)}}`,
      ],
      [
        'capability-output',
        `{"environment":"mission","mission_name":"m","name":"find","result_identity":${of('a9ffc8f284f5f80071f54d3ee4496c4872d1ca756b5ded62f6f79a2404487f61', 25)}}`,
      ],
    ]);
    expect(await recordsOf(failed())).to.deep.equal([
      request,
      ['mcp-response', '{"mission_name":"m","transport":"streamable_http","body":"a"}'],
      [
        'capability-output',
        '{"environment":"mission","mission_name":"m","name":"find","result":{"status":"error","kind":"provider_error","reason":"unavailable","retryable?":false}}',
      ],
    ]);
  });

  it('names its calls by its own count: nobody learns from a name what other runs do', async () => {
    const names = async (): Promise<readonly unknown[]> => {
      const { open, call, events } = harness();
      await call(open(), 'find');
      await call(open('m'), 'find');
      await call(open(), 'cap-list');
      return events.map((event) => dataOf(event)['capability_id']);
    };
    const first = ['capability-1', 'capability-1', 'capability-2', 'capability-2', 'capability-3', 'capability-3'];
    expect([await names(), await names()]).to.deep.equal([first, first]);
  });

  it('keeps the classes of numbers both ways', async () => {
    const seen: unknown[] = [];
    const echo = capability({
      dispatch: (input) => {
        seen.push(input.text(EVENT_LOOP_PACE));
        return {
          outcome: Promise.resolve({ kind: 'value', value: input, usage: null, finish: null }),
          exchanges: () => [],
          kill: async () => undefined,
        };
      },
    });
    const { open } = harness({ capabilities: [echo] });
    const text = '{"a":1.0,"b":123456789012345678901,"c":[1]}';
    expect(await open().call({ name: 'find', arguments: text })).to.equal(
      `{"envelope":{"status":"ok","value":${text}},"reply":"envelope"}`,
    );
    expect(seen).to.deep.equal([text]);
  });

  const outcomes: readonly (readonly [string, TestOutcome, Readonly<Record<string, unknown>>])[] = [
    [
      'a classified failure',
      failed({ reason: 'rate_limited', retryable: true, details: 'slow down' }),
      { kind: 'provider_error', reason: 'rate_limited', 'retryable?': true, details: 'slow down' },
    ],
    [
      'an exception',
      { kind: 'fault', reason: 'exception', exception: null },
      { kind: 'provider_error', reason: 'exception', 'retryable?': false },
    ],
    [
      'no value',
      { kind: 'invalid_return' },
      { kind: 'invalid_result', reason: 'invalid_provider_return', 'retryable?': false },
    ],
    [
      'too much',
      { kind: 'too_large' },
      { kind: 'result_exceeded', reason: 'provider_result_limit', 'retryable?': false },
    ],
  ];
  for (const [title, outcome, envelope] of outcomes) {
    it(`tells ${title}`, async () => {
      const { open, call, broker, events } = harness({ capabilities: [capability({ answer: () => outcome })] });
      expect(await call(open(), 'find')).to.deep.equal({ status: 'error', ...envelope });
      expect(broker.counts().refusals).to.deep.equal({
        [`workflow/${String(envelope['kind'])}/${String(envelope['reason'])}`]: 1,
      });
      expect(dataOf(events.at(-1))).to.deep.include({
        status: 'error',
        kind: envelope['kind'],
        reason: envelope['reason'],
      });
    });
  }

  it('cuts the details of a provider to 1024 characters', async () => {
    const { open, call } = harness({
      capabilities: [capability({ answer: () => failed({ details: `${'x'.repeat(1024)}y` }) })],
    });
    expect(await call(open(), 'find')).to.have.property('details', 'x'.repeat(1024));
  });

  it('tells schema faults apart from schemas that could not be asked', async () => {
    const violation = jsonFromPlain({ rule: 'enum', members: ['secret'] }) ?? null;
    const verdicts = harness({
      capabilities: [
        capability({
          name: 'a',
          isModelVisible: false,
          checkArguments: async () => ({ status: 'invalid', violations: [violation, violation, violation, violation] }),
        }),
        capability({ name: 'shown', checkArguments: async () => ({ status: 'invalid', violations: [violation] }) }),
        capability({ name: 'b', checkArguments: async () => ({ status: 'unavailable' }) }),
        capability({ name: 'c', accepts: () => false }),
        capability({ name: 'd', checkResult: async () => ({ status: 'invalid', violations: [violation] }) }),
        capability({ name: 'e', checkResult: async () => ({ status: 'unavailable' }) }),
      ],
    });
    const scope = verdicts.open('m');
    expect(await verdicts.call(scope, 'a')).to.deep.equal({
      status: 'error',
      kind: 'protocol_error',
      reason: 'invalid_arguments',
      'retryable?': false,
      details: { name: 'a', violations: [{ rule: 'enum' }, { rule: 'enum' }, { rule: 'enum' }] },
    });
    expect(await verdicts.call(scope, 'shown')).to.have.deep.property('details', {
      name: 'shown',
      violations: [{ rule: 'enum', members: ['secret'] }],
    });
    expect(await verdicts.call(scope, 'b')).to.include({
      kind: 'capability_unavailable',
      reason: 'input_validation_unavailable',
    });
    expect(await verdicts.call(scope, 'c')).to.include({ kind: 'protocol_error', reason: 'invalid_arguments' });
    expect(await verdicts.call(scope, 'd')).to.include({ kind: 'invalid_result', reason: 'output_schema_mismatch' });
    expect(await verdicts.call(scope, 'e')).to.include({
      kind: 'capability_unavailable',
      reason: 'output_validation_unavailable',
    });
    expect(verdicts.broker.counts().protocolErrors).to.equal(3);
    expect(verdicts.broker.counts().capabilityCalls).to.deep.equal({ 'mission/d': 1, 'mission/e': 1 });
    expect(await scope.end())
      .to.have.property('terminalHostFailure')
      .that.deep.equals({ reason: 'input_validation_unavailable' });
  });

  it('asks no schema when the caller has 25 ms or less', async () => {
    const { open, call } = harness();
    expect(await call(open(null, { deadlineAt: 26 }), 'find')).to.include(OK);
    expect(await call(open(null, { deadlineAt: 25 }), 'find')).to.include({ reason: 'input_validation_unavailable' });
  });

  const texts: readonly (readonly [string, string])[] = [
    ['{"a":1,"a":2}', 'ambiguous_arguments'],
    ['[1]', 'invalid_arguments'],
    ['{"a":', 'invalid_arguments'],
    [`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`, 'invalid_arguments'],
  ];
  for (const [text, reason] of texts) {
    it(`refuses ${text.slice(0, 20)} as ${reason}`, async () => {
      const { open, call, broker } = harness();
      expect(await call(open(), 'find', text)).to.include({ kind: 'protocol_error', reason });
      expect(broker.counts().protocolErrors).to.equal(1);
    });
  }

  it('takes arguments and results of exactly their limit', async () => {
    const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    const limits = { capability_argument_bytes: 100, capability_result_bytes: 100 };
    const { open, call, events } = harness({
      limits,
      capabilities: [
        capability({ answer: ({ deadlineMs }) => value(sized(deadlineMs)), timeoutMs: 100 }),
        capability({ name: 'more', answer: ({ deadlineMs }) => value(sized(deadlineMs)), timeoutMs: 101 }),
      ],
    });
    const scope = open();
    expect(await call(scope, 'find', sized(99))).to.include(OK);
    expect(await call(scope, 'find', sized(100))).to.include(OK);
    expect(await call(scope, 'find', sized(101))).to.include({ kind: 'protocol_error', reason: 'argument_exceeded' });
    expect(await call(scope, 'more')).to.include({ kind: 'result_exceeded', reason: 'provider_result_limit' });
    expect(events.filter(({ type }) => type === 'limit-exceeded').map((event) => dataOf(event))).to.deep.equal([
      {
        environment: 'workflow',
        name: 'find',
        reason: 'argument_exceeded',
        limit: 'capability_argument_bytes',
        limit_value: 100,
      },
      {
        environment: 'workflow',
        name: 'more',
        reason: 'provider_result_limit',
        limit: 'capability_result_bytes',
        limit_value: 100,
      },
    ]);
  });

  it('refuses beyond a quota with its envelope, tells the trace once, and knows its own refusal', async () => {
    const { open, call, events, broker } = harness({ limits: { workflow_capability_calls_per_name: 2 } });
    const scope = open();
    for (let granted = 0; granted < 2; granted += 1) expect(await call(scope, 'find')).to.include(OK);
    const envelope = {
      status: 'error',
      kind: 'limit_exceeded',
      reason: 'capability_quota',
      'retryable?': false,
      details: { limit: 'workflow_capability_calls_per_name', name: 'find', limit_value: 2 },
    };
    for (let refused = 0; refused < 3; refused += 1) expect(await call(scope, 'find')).to.deep.equal(envelope);
    expect(events.filter(({ type }) => type === 'limit-exceeded')).to.have.length(1);
    expect(broker.counts()).to.deep.include({
      capabilityCalls: { 'workflow/find': 2 },
      refusals: { 'workflow/limit_exceeded/capability_quota': 3 },
    });
    const json = (plain: unknown) => canonicalJson(jsonFromPlain(plain) ?? null);
    expect(broker.issued(json(envelope))).to.deep.equal({
      kind: 'quota',
      limit: 'workflow_capability_calls_per_name',
      name: 'find',
      value: 2,
    });
    expect(broker.issued(json({ ...envelope, details: { ...envelope.details, limit_value: 3 } }))).to.equal(null);
    expect(broker.issued(json({ ...envelope, extra: 1 }))).to.equal(null);
  });

  it('closes the run with the protocol error that is one too many', async () => {
    const { open, call, broker } = harness({ limits: { protocol_errors: 2 } });
    const scope = open();
    const other = open('m');
    expect(await call(scope, 'find', '[]')).to.include({ kind: 'protocol_error' });
    expect(await call(scope, 'find', '[]')).to.include({ kind: 'protocol_error' });
    expect(broker.ending()).to.equal(null);
    expect(await call(scope, 'find', '[]')).to.deep.equal({ reply: 'closed', reason: 'run_closed' });
    expect(broker.ending()).to.deep.equal({ kind: 'protocol_errors', limit: 2 });
    expect(await call(other, 'find')).to.deep.equal({ reply: 'closed', reason: 'run_closed' });
    expect(broker.counts().protocolErrors).to.equal(3);
  });

  it('answers a caller that has ended with stale_evaluation, uncounted and without effect', async () => {
    const { open, call, broker, events } = harness();
    const scope = open('m');
    await scope.end();
    expect(await call(scope, 'find')).to.include({ kind: 'capability_denied', reason: 'stale_evaluation' });
    expect([broker.counts().refusals, broker.counts().capabilityCalls, events]).to.deep.equal([{}, {}, []]);
  });

  it('refuses a call that is withheld behind its arguments, reserves nothing and asks no provider', async () => {
    const withheld = () => ({
      kind: 'capability_denied' as const,
      reason: 'approval_unavailable',
      details: new Map([['how', 'client_without_elicitation']]),
    });
    const { open, call, broker, events } = harness({
      capabilities: [capability({ withheld, accepts: ({ value }) => value.size === 0 })],
    });
    const scope = open('m');
    expect(await call(scope, 'find', { n: 1 })).to.include({ reason: 'invalid_arguments' });
    expect(await call(scope, 'find')).to.deep.include({
      kind: 'capability_denied',
      reason: 'approval_unavailable',
      'retryable?': false,
      details: { how: 'client_without_elicitation' },
    });
    expect([broker.counts().capabilityCalls, events]).to.deep.equal([{}, []]);
    expect(broker.counts().refusals).to.have.property('mission/capability_denied/approval_unavailable', 1);
  });

  it('knows no name that was not granted, nor routes of the kernel in a mission', async () => {
    const route: Route = async () => ({ kind: 'value', value: 1 });
    const { open, call } = harness({ routes: new Map([['kernel-eval', route]]) });
    expect(open().tools).to.deep.equal([
      'cap-describe',
      'cap-list',
      'cap-search',
      'find',
      'kernel-eval',
      'runtime-remaining',
      'runtime-usage',
      'runtime-wait',
      'workflow-annotate',
    ]);
    expect(open('m').tools).to.deep.equal([
      'cap-describe',
      'cap-list',
      'cap-search',
      'find',
      'runtime-remaining',
      'runtime-usage',
    ]);
    expect(await call(open(), 'kernel-eval')).to.deep.equal({ ...OK, value: 1 });
    for (const name of ['kernel-eval', 'runtime-wait', 'workflow-annotate', 'other', '__proto__']) {
      expect(await call(open('m'), name), name).to.include({ kind: 'capability_denied', reason: 'capability_absent' });
    }
    expect(open('unknown').tools).to.deep.equal([
      'cap-describe',
      'cap-list',
      'cap-search',
      'runtime-remaining',
      'runtime-usage',
    ]);
  });

  describe('deadlines (runtime.md §5 steps 8 and 13)', () => {
    it('ends at the nearest bound, cancels, kills after the grace, and discards what comes late', async () => {
      const { answer, calls, settle } = pending();
      let kills = 0;
      const { open, call, events } = harness({
        capabilities: [
          capability({
            timeoutMs: 50,
            answer,
            onKill: () => {
              kills += 1;
            },
          }),
        ],
      });
      const scope = open();
      const answered = call(scope, 'find');
      await clock.tickAsync(49);
      expect(calls[0]?.signal.aborted).to.equal(false);
      await clock.tickAsync(1);
      expect([calls[0]?.deadlineMs, calls[0]?.signal.aborted, kills]).to.deep.equal([50, true, 0]);
      await clock.tickAsync(100);
      expect(await answered).to.deep.equal({
        status: 'error',
        kind: 'timeout',
        reason: 'provider_timeout',
        'retryable?': true,
      });
      expect(kills).to.equal(1);
      settle(value('late'));
      expect(await call(scope, 'cap-list')).to.have.property('reply', 'value');
      expect(dataOf(events[1])).to.deep.equal({
        environment: 'workflow',
        name: 'find',
        reason: 'provider_timeout',
        limit: 'timeout_ms',
        limit_ms: 50,
      });
    });

    it('does not wait for the grace when the call heeds its signal', async () => {
      const obedient = capability({
        timeoutMs: 50,
        answer: ({ signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve(value('stopped')));
          }),
      });
      const { open, call } = harness({ capabilities: [obedient] });
      const answered = call(open(), 'find');
      await clock.tickAsync(50);
      expect(await answered).to.include({ kind: 'timeout' });
    });

    it('tells the end of the run as such, and not as something to try again', async () => {
      const { answer } = pending();
      const { open, call } = harness({ now: () => 99_960, capabilities: [capability({ answer })] });
      const answered = call(open(null, { deadlineAt: 200_000 }), 'find');
      await clock.tickAsync(200);
      expect(await answered).to.include({ kind: 'limit_exceeded', reason: 'run_deadline', 'retryable?': false });
    });

    it('cancels what is in flight when its evaluation ends, and when the run is closed', async () => {
      for (const close of ['scope', 'run'] as const) {
        const { answer, calls } = pending();
        const { open, broker } = harness({ capabilities: [capability({ answer })] });
        const scope = open('m');
        const answered = scope.call({ name: 'find', arguments: '{}' });
        await clock.tickAsync(1);
        const ended = close === 'scope' ? scope.end() : broker.close();
        await clock.tickAsync(100);
        await ended;
        expect(calls[0]?.signal.aborted).to.equal(true);
        expect(await answered).to.equal('{"reason":"run_closed","reply":"closed"}');
      }
    });
  });

  describe('parallel branches (runtime.md §8)', () => {
    const branchCall = (branch: string, ended: AbortSignal) => ({ name: 'find', arguments: '{}', branch, ended });

    it('cancels what a branch has in flight when the branch ends, and its place may be taken again', async () => {
      const { answer, calls, settle } = pending();
      const { open, broker } = harness({ capabilities: [capability({ answer })] });
      const scope = open('m');
      const [first, second] = [new AbortController(), new AbortController()];
      const cancelled = scope.call(branchCall('1', first.signal));
      await clock.tickAsync(1);
      first.abort('answered');
      await clock.tickAsync(100);
      expect(await cancelled).to.equal('{"reason":"run_closed","reply":"closed"}');
      // Nobody answered it: it did not fail.
      expect(broker.failed.counts()).to.deep.equal([]);
      const answered = scope.call(branchCall('1', second.signal));
      await clock.tickAsync(1);
      expect(calls.map(({ signal }) => signal.aborted)).to.deep.equal([true, false]);
      settle(value(1));
      expect(await answered).to.equal('{"envelope":{"status":"ok","value":1},"reply":"envelope"}');
    });

    it('sends nothing for a branch that has ended', async () => {
      const { answer } = pending();
      const { open, broker } = harness({ capabilities: [capability({ answer })] });
      const answered = open('m').call(branchCall('0', AbortSignal.abort('answered')));
      await clock.tickAsync(100);
      expect(await answered).to.equal('{"reason":"run_closed","reply":"closed"}');
      expect(broker.providerActivity()).to.equal(false);
    });

    it('ends the call of a branch with its evaluation', async () => {
      const { answer, calls } = pending();
      const { open } = harness({ capabilities: [capability({ answer })] });
      const scope = open('m');
      const answered = scope.call(branchCall('0', new AbortController().signal));
      await clock.tickAsync(1);
      void scope.end();
      await clock.tickAsync(100);
      expect(calls[0]?.signal.aborted).to.equal(true);
      expect(await answered).to.equal('{"reason":"run_closed","reply":"closed"}');
    });
  });

  describe('retry and mutation (runtime.md §5)', () => {
    const rows: readonly (readonly [string, Partial<Capability>, TestOutcome, string | null, object])[] = [
      [
        'a mission whose write fails after the gate',
        { effect: 'write' },
        failed({ retryable: true }),
        'm',
        { 'retryable?': false, mutation_state: 'indeterminate' },
      ],
      [
        'an effect that is not known',
        { effect: 'unknown' },
        { kind: 'fault', reason: 'exception', exception: null },
        'm',
        { 'retryable?': false, mutation_state: 'indeterminate' },
      ],
      [
        'proof that nothing was sent',
        { effect: 'write' },
        failed({ retryable: true, proof: 'not_dispatched' }),
        'm',
        { 'retryable?': true },
      ],
      [
        'proof of a whole answer',
        { effect: 'write' },
        failed({ retryable: true, proof: 'complete_answer' }),
        'm',
        { 'retryable?': true },
      ],
      ['a read', { effect: 'read' }, failed({ retryable: true }), 'm', { 'retryable?': true }],
      [
        'the workflow, which is trusted to know',
        { effect: 'write' },
        failed({ retryable: true }),
        null,
        { 'retryable?': true },
      ],
    ];
    for (const [title, facts, outcome, mission, members] of rows) {
      it(title, async () => {
        const { open, call } = harness({ capabilities: [capability({ ...facts, answer: () => outcome })] });
        const envelope = await call(open(mission), 'find');
        expect({
          'retryable?': envelope['retryable?'],
          ...('mutation_state' in envelope ? { mutation_state: envelope['mutation_state'] } : {}),
        }).to.deep.equal(members);
      });
    }

    it('remembers a denial and a broken protocol of a mission, though they are caught', async () => {
      for (const outcome of [
        failed({ reason: 'denied' }),
        failed({ reason: 'invalid_result', isProtocolFault: true }),
      ]) {
        const { open, call } = harness({ capabilities: [capability({ answer: () => outcome })] });
        const scope = open('m');
        await call(scope, 'find');
        expect((await scope.end()).terminalProviderFailure).to.deep.equal({
          reason: outcome.kind === 'error' ? outcome.reason : '',
        });
      }
      const { open, call } = harness({
        capabilities: [capability({ answer: () => failed({ reason: 'invalid_result' }) })],
      });
      const scope = open('m');
      await call(scope, 'find');
      expect((await scope.end()).terminalProviderFailure).to.equal(null);
    });

    it('says what was reached: the worst of all that was sent', async () => {
      const { open, call } = harness({
        capabilities: [
          capability({ name: 'r' }),
          capability({ name: 'w', effect: 'write' }),
          capability({
            name: 'never',
            effect: 'unknown',
            dispatch: () => ({
              outcome: Promise.resolve(failed({ proof: 'not_dispatched' })),
              exchanges: () => [],
              kill: async () => undefined,
            }),
          }),
        ],
      });
      const scope = open('m');
      await call(scope, 'never');
      await call(scope, 'r');
      await call(scope, 'w');
      expect(await scope.end()).to.deep.include({ reached: 'write', lastEnvelope: { status: 'ok', value: null } });
      expect(await open('m').end()).to.deep.include({ reached: null, lastEnvelope: null });
    });
  });

  describe('evidence that is lost (evidence.md §3, §4)', () => {
    it('an event that a private run refuses: nothing is sent and the run is over', async () => {
      let sent = 0;
      const { open, call, broker } = harness({
        record: () => 'refused',
        capabilities: [
          capability({
            answer: () => {
              sent += 1;
              return value(1);
            },
          }),
        ],
      });
      expect(await call(open(), 'find')).to.deep.equal({ reply: 'closed', reason: 'run_closed' });
      expect([sent, broker.ending()?.kind, broker.providerActivity()]).to.deep.equal([0, 'event_sink', false]);
      expect(broker.counts().refusals).to.deep.equal({ 'workflow/event_sink_error/event_sink_error': 1 });
    });

    for (const [refused, sends] of [
      ['capability-input', 0],
      ['capability-output', 1],
    ] as const) {
      it(`a ${refused} that is not kept ends the run`, async () => {
        let sent = 0;
        const { open, call, broker } = harness({
          keep: ({ type }) => type !== refused,
          capabilities: [
            capability({
              answer: () => {
                sent += 1;
                return value(1);
              },
            }),
          ],
        });
        expect(await call(open(), 'find')).to.deep.equal({ reply: 'closed', reason: 'run_closed' });
        expect([sent, broker.ending()?.kind]).to.deep.equal([sends, 'inspection_sink']);
      });
    }

    it('an event that a normal run drops changes nothing', async () => {
      const { open, call, broker } = harness({ record: () => 'dropped' });
      expect(await call(open(), 'find')).to.include(OK);
      expect(broker.ending()).to.equal(null);
    });

    it('records an exception between input and output', async () => {
      const exception = {
        exceptionClass: 'Error',
        message: 'm',
        isMessageTruncated: false,
        frames: ['at f'],
        isStackTruncated: false,
      };
      const { open, call, records } = harness({
        capabilities: [capability({ answer: () => ({ kind: 'fault', reason: 'exception', exception }) })],
      });
      await call(open('m'), 'find');
      expect(records.map(({ type }) => type)).to.deep.equal([
        'capability-input',
        'capability-exception',
        'capability-output',
      ]);
      expect(dataOf(records[1])).to.deep.equal({
        environment: 'mission',
        mission_name: 'm',
        name: 'find',
        exception_class: 'Error',
        message: 'm',
        message_truncated: false,
        stacktrace: ['at f'],
        stacktrace_truncated: false,
      });
    });
  });

  it('counts denials by what was named', () => {
    const { broker } = harness();
    broker.denied('unknown_tool');
    broker.denied('unknown_tool');
    broker.denied('private_tool_unauthorized');
    expect(broker.counts().denials).to.deep.equal({ unknown_tool: 2, private_tool_unauthorized: 1 });
  });
});
