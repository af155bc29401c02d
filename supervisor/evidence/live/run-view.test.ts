import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import type { TraceEvent } from '../event.ts';
import { guardedObserver } from './observer.ts';
import { EMPTY_VIEW, withEvent, withProgram, type RunView } from './run-view.ts';

function event(type: string, data: Readonly<Record<string, unknown>>): TraceEvent {
  const json = jsonFromPlain(data);
  if (!isJsonObject(json)) throw new Error('data is an object');
  return { type, data: json };
}

const LIMITS = {
  run_duration_ms: 60_000,
  workflow_timeout_ms: 60_000,
  parallel_timeout_ms: 60_000,
  workflow_capability_calls: 1,
  workflow_capability_calls_per_name: 1,
  mission_capability_calls: 1,
  evaluation_memory_bytes: 1,
  evaluation_history_bytes: 1,
  subordinate_evaluations: 1,
  live_provider_tasks: 1,
};

const seen = (...events: readonly TraceEvent[]): RunView => events.reduce(withEvent, EMPTY_VIEW);
const annotation = (type: string, data: unknown): TraceEvent =>
  event('workflow-annotation', { annotation_type: type, data, provenance: 'workflow' });
const action = (data: object): TraceEvent => annotation('agent-action', data);
const call = (name: string): TraceEvent =>
  event('capability-started', { capability_id: 'c', environment: 'workflow', name });
const answer = (name: string, more: object = {}): TraceEvent =>
  event('capability-stopped', {
    capability_id: 'c',
    environment: 'workflow',
    name,
    status: 'ok',
    duration_ms: 1,
    ...more,
  });
const priced = (microunits: number, currency = 'USD') => ({ usage: { total_cost: { currency, microunits } } });

describe('what can be told of a run while it goes on (evidence.md §10)', () => {
  it('keeps the programs that ran last, each with what it came to', () => {
    const ids = Array.from({ length: 40 }, (_, at) => `mission-evaluation-${String(at)}`);
    const runView = ids.reduce((view, id) => withProgram(view, { evaluationId: id, line: `(${id})` }), EMPTY_VIEW);
    const stop = (id: string): TraceEvent =>
      event('evaluation-stopped', { evaluation_id: id, environment: 'mission', status: 'continued' });
    const view = withEvent(withEvent(runView, stop('mission-evaluation-39')), stop('mission-evaluation-0'));
    expect(view.programs).to.have.lengthOf(32);
    expect(view.programs.at(-1)).to.deep.equal({
      evaluationId: 'mission-evaluation-39',
      line: '(mission-evaluation-39)',
      outcome: 'continued',
    });
    expect(view.programs.filter(({ outcome }) => outcome !== null)).to.have.lengthOf(1);
  });

  it('counts model calls, evaluations in missions, and providers at work', () => {
    const events = [
      event('evaluation-started', { evaluation_id: 'w', environment: 'workflow' }),
      event('evaluation-started', { evaluation_id: 'm', environment: 'mission', mission_name: 'a' }),
      call('llm-request'),
      call('shop.find'),
      call('kernel-eval'),
      call('runtime-usage'),
      call('cap-list'),
      call('workflow-annotate'),
      answer('shop.find'),
      answer('kernel-eval'),
    ];
    expect(seen(...events)).to.deep.include({ evaluations: 1, modelCalls: 1, workers: 1 });
    expect(seen(answer('shop.find')).workers).to.equal(0);
  });

  it('counts the attempts of a call beyond its first', () => {
    expect(seen(answer('llm-request', { attempts: 3 }), answer('llm-request')).modelRetries).to.equal(2);
  });

  it('takes for a route what is one, and no capability whose name looks like one', () => {
    expect(
      seen(
        call('cap-table'),
        call('runtime-status'),
        call('cap-list'),
        call('cap-describe'),
        call('runtime-remaining'),
        call('kernel-agent-protocol-error'),
      ).workers,
    ).to.equal(2);
  });

  it('counts calls of every kind, answers that no loop could take, and evaluations that go on', () => {
    const mission = (type: string, id: string) =>
      event(type, { evaluation_id: id, environment: 'mission', mission_name: 'a' });
    const view = seen(
      call('llm-request'),
      call('shop.find'),
      call('cap-list'),
      mission('evaluation-started', 'm'),
      mission('evaluation-started', 'n'),
      mission('evaluation-stopped', 'm'),
      action({ turn: 0, kind: 'protocol-error' }),
    );
    expect(view).to.include({ calls: 3, protocolErrors: 1, evaluations: 2, openEvaluations: 1 });
    expect(seen(mission('evaluation-stopped', 'm')).openEvaluations).to.equal(0);
  });

  it('sums what models cost, and has no sum once a price is missing', () => {
    expect(seen(call('llm-request')).cost).to.equal(null);
    expect(
      seen(answer('llm-request', priced(12)), answer('llm-request', priced(30)), answer('shop.find')).cost,
    ).to.equal(42);
    for (const without of [
      {},
      { usage: { input: 3 } },
      priced(5, 'EUR'),
      { usage: { total_cost: { currency: 'USD', microunits: '5' } } },
    ]) {
      expect(
        seen(answer('llm-request', priced(12)), answer('llm-request', without), answer('llm-request', priced(1))).cost,
      ).to.equal(null);
    }
  });

  it('sums the tokens of models, and has no sum once some are missing', () => {
    const used = (usage: object) => answer('llm-request', { usage });
    expect(seen(call('llm-request')).tokens).to.equal(null);
    expect(
      seen(used({ input: 30, output: 4, cache_read: 20 }), used({ input: 0, output: 8 }), answer('shop.find')).tokens,
    ).to.equal(42);
    for (const without of [
      answer('llm-request'),
      used({ input: 3 }),
      used({ output: 3 }),
      used({ input: 3, output: '1' }),
    ]) {
      expect(seen(used({ input: 1, output: 1 }), without, used({ input: 1, output: 1 })).tokens).to.equal(null);
    }
  });

  it('knows the last stage and the last action of every loop', () => {
    const view = seen(
      annotation('progress', { stage: 'planning' }),
      action({ turn: 0, kind: 'tool-call', max_turns: 4, invocation: 'agent-00000000000000aa' }),
      action({ turn: 0, kind: 'protocol-error', invocation: 'agent-00000000000000bb' }),
      action({ turn: 1, kind: 'tool-call', max_turns: 4, invocation: 'agent-00000000000000aa' }),
      annotation('progress', { stage: 'validating' }),
      annotation('agent-verification', { status: 'accepted' }),
    );
    expect(view.stage).to.equal('validating');
    expect([...view.agents]).to.deep.equal([
      ['agent-00000000000000bb', { turn: 1, maxTurns: null, kind: 'protocol-error' }],
      ['agent-00000000000000aa', { turn: 2, maxTurns: 4, kind: 'tool-call' }],
    ]);
  });

  it('keeps 64 loops, those that acted last', () => {
    const view = seen(
      ...Array.from({ length: 70 }, (_, index) => action({ turn: 0, kind: 'tool-call', invocation: `agent-${index}` })),
    );
    expect(view.agents.size).to.equal(64);
    expect([...view.agents.keys()][0]).to.equal('agent-6');
  });

  it('passes over what is not of its form', () => {
    const odd = [
      annotation('progress', { stage: 'Two words\u001b' }),
      annotation('progress', null),
      action({ turn: 'x', kind: 'tool-call' }),
      action({ turn: 1, kind: '\n' }),
      action({ turn: 1, kind: 'a', invocation: 7 }),
      event('run-stopped', {}),
    ];
    expect(seen(...odd)).to.deep.equal(EMPTY_VIEW);
  });
});

describe('an observer of a run', () => {
  it('that throws is told nothing more', () => {
    let reported = 0;
    const guarded = guardedObserver({
      started: () => {
        reported += 1;
      },
      event: () => {
        reported += 1;
        throw new Error('gone');
      },
    });
    guarded.started(LIMITS, 1, 'main/run');
    guarded.event(call('a'));
    guarded.event(call('a'));
    expect(reported).to.equal(2);
  });
});
