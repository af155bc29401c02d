import { expect } from 'chai';
import * as sinon from 'sinon';
import type { Route } from './route.ts';
import { capability, dataOf, harness } from './testing/broker-harness.ts';

const OK = { status: 'ok' };

describe('routes (runtime.md §6)', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    clock.restore();
  });

  it('give bare values, with events and records but no counts', async () => {
    const { open, call, broker, events, records } = harness();
    const scope = open();
    expect(await call(scope, 'runtime-usage')).to.deep.equal({ reply: 'value', value: { used: 1 } });
    expect(await call(scope, 'runtime-remaining')).to.deep.equal({ reply: 'value', value: 100_000 });
    const metadata = { name: 'find', description: 'Finds.', effect: 'read', input_schema: true, output_schema: true };
    expect(await call(scope, 'cap-list')).to.deep.equal({ reply: 'value', value: [metadata] });
    expect(await call(scope, 'cap-describe', { name: 'find' })).to.deep.equal({ reply: 'value', value: metadata });
    expect(await call(scope, 'cap-describe', { name: 'other' })).to.deep.equal({ reply: 'value', value: null });
    expect(broker.counts()).to.deep.include({ capabilityCalls: {}, refusals: {}, protocolErrors: 0 });
    expect([events.length, records.length]).to.deep.equal([10, 10]);
    expect((await scope.end()).reached).to.equal(null);
  });

  it('hide what models are not told of', async () => {
    const { open, call } = harness({ capabilities: [capability({ isModelVisible: false })] });
    expect(await call(open(), 'cap-list')).to.deep.equal({ reply: 'value', value: [] });
    expect(await call(open(), 'cap-describe', { name: 'find' })).to.deep.equal({ reply: 'value', value: null });
    expect(await call(open(), 'cap-search', { words: 'find' })).to.deep.equal({
      reply: 'value',
      value: { hits: [], total: 0 },
    });
  });

  it('find what models are told of, by words of at most 400 characters', async () => {
    const { open, call } = harness();
    const hits = [{ name: 'find', call: '(tool/find {})', doc: 'Finds.', effect: 'read' }];
    for (const words of ['finds', `find${' '.repeat(396)}`, `find${' '.repeat(395)}`])
      expect(await call(open(), 'cap-search', { words })).to.deep.equal({ reply: 'value', value: { hits, total: 1 } });
  });

  const malformed: readonly (readonly [string, unknown, string])[] = [
    ['runtime-usage', { a: 1 }, 'invalid_runtime_usage_request'],
    ['runtime-remaining', { a: 1 }, 'invalid_runtime_remaining_request'],
    ['cap-list', { a: 1 }, 'invalid_capability_list_request'],
    ['cap-describe', {}, 'invalid_capability_description_request'],
    ['cap-search', {}, 'invalid_capability_search_request'],
    ['cap-search', { words: 1 }, 'invalid_capability_search_request'],
    ['cap-search', { words: 'a'.repeat(401) }, 'invalid_capability_search_request'],
    ['cap-describe', { name: 'find', more: 1 }, 'invalid_capability_description_request'],
    ['runtime-wait', {}, 'invalid_runtime_wait_request'],
    ['runtime-wait', { ms: 0 }, 'invalid_runtime_wait_request'],
    ['runtime-wait', { ms: 60_001 }, 'invalid_runtime_wait_request'],
    ['runtime-wait', { ms: 1.5 }, 'invalid_runtime_wait_request'],
    ['runtime-wait', { ms: '5' }, 'invalid_runtime_wait_request'],
    ['runtime-wait', { ms: 5, more: 1 }, 'invalid_runtime_wait_request'],
    ['workflow-annotate', { type: 'progress' }, 'invalid_workflow_annotation'],
    ['workflow-annotate', { type: 'progress', data: {}, more: 1 }, 'invalid_workflow_annotation'],
  ];
  for (const [name, input, reason] of malformed) {
    it(`${name} refuses ${JSON.stringify(input)}`, async () => {
      const { open, call, broker } = harness();
      expect(await call(open(), name, input)).to.include({ kind: 'protocol_error', reason });
      expect(broker.counts()).to.deep.include({
        protocolErrors: 1,
        refusals: { [`workflow/protocol_error/${reason}`]: 1 },
      });
    });
  }

  for (const ms of [1, 2, 59_999, 60_000]) {
    it(`let a workflow pause for ${ms} ms`, async () => {
      const { open, call } = harness();
      let isOver = false;
      const paused = call(open(), 'runtime-wait', { ms }).then((reply) => {
        isOver = true;
        return reply;
      });
      await clock.tickAsync(ms - 1);
      expect(isOver).to.equal(false);
      await clock.tickAsync(1);
      expect(await paused).to.deep.equal({ reply: 'value', value: ms });
    });
  }

  it('end a pause with its caller, and know none in a mission', async () => {
    const { open, call, broker } = harness();
    const scope = open();
    const paused = call(scope, 'runtime-wait', { ms: 60_000 });
    await clock.tickAsync(10);
    await scope.end();
    expect(await paused).to.include({ reply: 'closed' });
    expect(clock.countTimers()).to.equal(0);
    expect(broker.tools(null)).to.include('runtime-wait');
    expect(broker.tools('default')).not.to.include('runtime-wait');
  });

  it('of the kernel count protocol errors that ask for it, but no refusals', async () => {
    const route: Route = async ({ json }) => ({
      kind: 'protocol_error',
      reason: 'unknown_mission',
      counted: json.has('counted'),
      details: { n: 1 },
    });
    const { open, call, broker } = harness({ routes: new Map([['kernel-eval', route]]) });
    const envelope = {
      status: 'error',
      kind: 'protocol_error',
      reason: 'unknown_mission',
      'retryable?': false,
      details: { n: 1 },
    };
    expect(await call(open(), 'kernel-eval', { counted: 1 })).to.deep.equal(envelope);
    expect(await call(open(), 'kernel-eval')).to.deep.equal(envelope);
    expect(broker.counts()).to.deep.include({ protocolErrors: 1, refusals: {} });
  });

  it('of the kernel count arguments that are none or too many as protocol errors, and as no refusals', async () => {
    let requested = 0;
    const route: Route = async () => {
      requested += 1;
      return { kind: 'value', value: null };
    };
    const { open, call, broker } = harness({
      routes: new Map([['kernel-eval', route]]),
      limits: { capability_argument_bytes: 1000 },
    });
    expect(await call(open(), 'kernel-eval', { text: 'x'.repeat(1000) })).to.deep.include({
      kind: 'protocol_error',
      reason: 'argument_exceeded',
    });
    expect(await open().call({ name: 'kernel-eval', arguments: '{"a":1,"a":2}' })).to.include('protocol_error');
    expect(await call(open(), 'kernel-eval', { text: 'x'.repeat(1000 - '{"text":""}'.length) })).to.include({
      status: 'ok',
    });
    expect(requested).to.equal(1);
    expect(broker.counts()).to.deep.include({ protocolErrors: 2, refusals: {} });
  });

  it('of the kernel end the run with an authenticated failure', async () => {
    const failure = { report: 'agent_turns', facts: { agent_turns: 4 } } as const;
    const route: Route = async () => ({ kind: 'authenticated', failure });
    const { open, call, broker } = harness({ routes: new Map([['kernel-runtime-limit-failure', route]]) });
    expect(await call(open(), 'kernel-runtime-limit-failure')).to.deep.equal({ reply: 'closed', reason: 'run_closed' });
    broker.stop({ kind: 'event_sink' });
    expect(broker.ending()).to.deep.equal({ kind: 'authenticated', failure });
  });

  it('of the kernel are told when their caller is gone', async () => {
    let heard = false;
    const route: Route = ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          heard = true;
          resolve({ kind: 'value', value: null });
        });
      });
    const { open, call, broker } = harness({ routes: new Map([['kernel-eval', route]]) });
    const answered = call(open(), 'kernel-eval');
    await clock.tickAsync(1);
    await broker.close();
    expect([heard, await answered]).to.deep.equal([true, { reply: 'closed', reason: 'run_closed' }]);
  });
});

describe('annotations (agent-library.md §11)', () => {
  const rows: readonly (readonly [string, unknown, boolean])[] = [
    ['progress', { stage: 'started' }, true],
    ['progress', { stage: 'done' }, false],
    ['progress', { stage: 'started', more: 1 }, false],
    ['agent-verification', { status: 'accepted' }, true],
    ['agent-action', { turn: 0, kind: 'tool-call' }, true],
    ['agent-action', { turn: 2047, kind: 'tool-call', max_turns: 2048 }, true],
    ['agent-action', { turn: 2048, kind: 'tool-call' }, false],
    ['agent-action', { turn: -1, kind: 'tool-call' }, false],
    ['agent-action', { turn: 3, kind: 'tool-call', max_turns: 3 }, false],
    ['agent-action', { turn: 1.5, kind: 'tool-call' }, false],
    ['agent-action', { turn: 0, kind: 'tool-call', max_turns: 4, phase: 7, phase_turn: 0, mission: 'm' }, true],
    ['agent-action', { turn: 0, kind: 'tool-call', phase: 7, phase_turn: 0 }, false],
    ['agent-action', { turn: 0, kind: 'tool-call', phase: 8, phase_turn: 0, mission: 'm' }, false],
    ['other', {}, false],
    ['progress', [], false],
  ];
  for (const [type, data, isAdmitted] of rows) {
    it(`${type} ${JSON.stringify(data)} is ${isAdmitted ? 'written' : 'refused'}`, async () => {
      const { open, call, events, broker } = harness();
      const envelope = await call(open(), 'workflow-annotate', { type, data });
      if (isAdmitted) {
        expect(envelope).to.deep.equal(OK);
        expect(events.map((event) => event.type)).to.deep.equal(['workflow-annotation']);
        expect(dataOf(events[0])).to.deep.include({ annotation_type: type, provenance: 'workflow' });
      } else {
        expect(envelope).to.include({ kind: 'invalid_annotation', reason: 'invalid_workflow_annotation' });
        expect([events.length, broker.counts().protocolErrors]).to.deep.equal([0, 0]);
      }
    });
  }
});
