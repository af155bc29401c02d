import { expect } from 'chai';
import sinon from 'sinon';
import type { JsonValue } from '../../contract/json/value.ts';
import type { TraceEvent } from '../../supervisor/evidence/event.ts';
import { startProgress, type Progress } from './progress.ts';
import { recordedStream } from './testing/recorded-stream.ts';

const LIMITS = {
  run_duration_ms: 60_000,
  workflow_timeout_ms: 60_000,
  parallel_timeout_ms: 60_000,
  workflow_capability_calls: 1,
  workflow_capability_calls_per_name: 1,
  mission_capability_calls: 1,
  evaluation_memory_bytes: 1,
  evaluation_history_bytes: 1,
  subordinate_evaluations: 16,
  live_provider_tasks: 8,
};

function action(invocation: string, turn: number, kind: string): TraceEvent {
  const data = new Map<string, JsonValue>([
    ['turn', turn],
    ['kind', kind],
    ['max_turns', 4],
    ['invocation', invocation],
  ]);
  return {
    type: 'workflow-annotation',
    data: new Map<string, JsonValue>([
      ['annotation_type', 'agent-action'],
      ['data', data],
    ]),
  };
}

function stage(name: string): TraceEvent {
  return {
    type: 'workflow-annotation',
    data: new Map<string, JsonValue>([
      ['annotation_type', 'progress'],
      ['data', new Map([['stage', name]])],
    ]),
  };
}

const call: TraceEvent = { type: 'capability-started', data: new Map([['name', 'llm-request']]) };
const answer = (microunits: number): TraceEvent => {
  const usage = new Map<string, JsonValue>([
    [
      'total_cost',
      new Map<string, JsonValue>([
        ['currency', 'USD'],
        ['microunits', microunits],
      ]),
    ],
  ]);
  return {
    type: 'capability-stopped',
    data: new Map<string, JsonValue>([
      ['name', 'llm-request'],
      ['usage', usage],
    ]),
  };
};
const counted: TraceEvent = {
  type: 'capability-stopped',
  data: new Map<string, JsonValue>([
    ['name', 'llm-request'],
    [
      'usage',
      new Map<string, JsonValue>([
        ['input', 1200],
        ['output', 40],
      ]),
    ],
  ]),
};
function ended(id: string, status: string): TraceEvent {
  return {
    type: 'evaluation-stopped',
    data: new Map<string, JsonValue>([
      ['environment', 'mission'],
      ['evaluation_id', id],
      ['status', status],
    ]),
  };
}
const evaluation: TraceEvent = { type: 'evaluation-started', data: new Map([['environment', 'mission']]) };

describe('progress (cli.md §4)', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers();
  });
  afterEach(() => {
    clock.restore();
  });

  function watch(
    isTerminal: boolean,
    { document = '/apps/svc.json', columns = 80, isJson = false, isTransient = false } = {},
  ): { readonly progress: Progress; readonly text: () => string } {
    const stream = recordedStream({ isTerminal, columns });
    return {
      progress: startProgress({ document, stream, now: () => clock.now, isJson, isTransient }),
      text: () => stream.text(),
    };
  }

  it('writes lines to a pipe: the title, a word after ten silent seconds, the end', async () => {
    const { progress, text } = watch(false);
    clock.tick(75_000);
    await progress.finish('completed');
    clock.tick(60_000);
    const lines = text().split('\n');
    expect(lines[0]).to.equal('[00:00] preparing svc.json');
    expect(lines.slice(1, 8)).to.deep.equal(
      ['10', '20', '30', '40', '51']
        .map((seconds) => `[00:${seconds}] still running`)
        .concat(['[01:01] still running', '[01:11] still running']),
    );
    expect(lines.slice(8)).to.deep.equal(['[01:15] completed', '']);
  });

  it('tells a pipe of stages and agents, with model calls, cost and time that is left', async () => {
    const { progress, text } = watch(false);
    progress.observer.started(LIMITS, 60_000, 'main/run');
    progress.observer.event(stage('planning'));
    clock.tick(300);
    for (const event of [
      call,
      answer(12_345),
      action('agent-00ff00ff00ff00ff', 1, 'tool-call'),
      action('agent-11ff00ff00ff00ff', 0, 'protocol-error'),
    ])
      progress.observer.event(event);
    clock.tick(20_000);
    progress.observer.event(stage('completed'));
    await progress.finish('completed');
    expect(text().split('\n').slice(1)).to.deep.equal([
      '[00:00] planning',
      '[00:00] agent 00ff turn 2/4 · tool-call · llm 1 · $0.0124',
      '[00:00] agent 11ff turn 1/4 · protocol-error · llm 1 · $0.0124',
      '[00:10] still running · llm 1 · 50s left',
      '[00:20] completed · llm 1 · $0.0124',
      '[00:20] completed · llm 1 · $0.0124',
      '',
    ]);
  });

  it('tells of each program its first line and what it came to', async () => {
    const { progress, text } = watch(false);
    const json = watch(false, { isJson: true });
    const terminal = watch(true, { columns: 120 });
    for (const { observer } of [progress, json.progress, terminal.progress]) {
      observer.program?.({ evaluationId: 'mission-evaluation-1', line: '(def a \u001b[31m1)' });
      observer.event(ended('mission-evaluation-1', 'continued'));
      observer.program?.({ evaluationId: 'mission-evaluation-2', line: '(nope)' });
    }
    clock.tick(300);
    for (const { observer } of [progress, json.progress, terminal.progress])
      observer.event(ended('mission-evaluation-2', 'evaluation_error'));
    for (const one of [progress, json.progress, terminal.progress]) await one.finish('completed');
    expect(text().split('\n').slice(1, 3)).to.deep.equal([
      '[00:00] program (def a ⟨U+001B⟩[31m1) · continued',
      '[00:00] program (nope) · evaluation_error',
    ]);
    expect(json.text()).to.include('"program":{"line":"(nope)","outcome":null}');
    expect(terminal.text()).to.include('| (nope)');
  });

  it('tells a pipe how many tokens models were given and gave, where all of it is known', async () => {
    const { progress, text } = watch(false);
    for (const event of [call, counted, call, counted, action('', 1, 'tool-call')]) progress.observer.event(event);
    clock.tick(300);
    progress.observer.event(answer(5));
    await progress.finish('completed');
    expect(text().split('\n').slice(1)).to.deep.equal([
      '[00:00] agent turn 2/4 · tool-call · llm 2 · 2480 tokens',
      '[00:00] completed · llm 2',
      '',
    ]);
  });

  it('tells a pipe once of what changed twice between two looks', async () => {
    const { progress, text } = watch(false);
    for (let turn = 0; turn < 1000; turn += 1) progress.observer.event(action('', turn % 4, 'tool-call'));
    clock.tick(300);
    await progress.finish('failed');
    expect(text()).to.equal('[00:00] preparing svc.json\n[00:00] agent turn 4/4 · tool-call\n[00:00] failed\n');
  });

  it('writes frames for programs, one for each change and each long silence, to whatever stream it is', async () => {
    for (const isTerminal of [false, true]) {
      const { progress, text } = watch(isTerminal, { isJson: true, document: '/a/b\u001b.json' });
      clock.tick(900);
      progress.observer.started(LIMITS, 60_000, 'main/run');
      progress.observer.event(stage('planning'));
      clock.tick(300);
      for (const event of [call, counted, action('agent-00ff00ff00ff00ff', 1, 'tool-call')])
        progress.observer.event(event);
      clock.tick(300);
      clock.tick(10_200);
      await progress.finish('completed');
      const state = {
        agents: [],
        cost_microusd: null,
        evaluations: 0,
        model_calls: 0,
        program: null,
        model_retries: 0,
        schema_version: 1,
        stage: 'planning',
        tokens: null,
        workers: 0,
      };
      const later = {
        ...state,
        agents: [{ id: 'agent-00ff00ff00ff00ff', turn: 2, max_turns: 4, kind: 'tool-call' }],
        model_calls: 1,
        tokens: 1240,
      };
      expect(
        text()
          .trimEnd()
          .split('\n')
          .map((line): unknown => JSON.parse(line)),
      ).to.deep.equal([
        { event: 'preparing', elapsed_ms: 0, document: 'b?.json', schema_version: 1 },
        { event: 'progress', elapsed_ms: 1200, remaining_ms: 59_700, ...state },
        { event: 'progress', elapsed_ms: 1500, remaining_ms: 59_400, ...later },
        { event: 'still_running', elapsed_ms: 11_700, remaining_ms: 49_200, ...later },
        { event: 'completed', elapsed_ms: 11_700, remaining_ms: 49_200, ...later },
      ]);
    }
  });

  it('rewrites one line of a terminal', async () => {
    const { progress, text } = watch(true);
    clock.tick(900);
    progress.observer.started(LIMITS, 60_000, 'main/run');
    clock.tick(1200);
    await progress.finish('failed');
    expect(text()).to.equal(
      'svc.json\n\rpreparing 00:00\rrunning 00:01 | 60s left\rrunning 00:02 | 59s left\rfailed 00:02            \n',
    );
  });

  it('shows who did not ask a line after a second, which goes while others write and at the end', async () => {
    const { progress, text } = watch(true, { isTransient: true });
    progress.observer.started(LIMITS, 60_000, 'main/run');
    clock.tick(900);
    expect(text()).to.equal('');
    clock.tick(300);
    expect(text()).to.equal('\rrunning 00:01 | 59s left');
    const release = progress.hold();
    const cleared = `\rrunning 00:01 | 59s left\r${' '.repeat(24)}\r`;
    clock.tick(3000);
    expect(text()).to.equal(cleared);
    release();
    clock.tick(300);
    const again = `${cleared}\rrunning 00:04 | 56s left`;
    expect(text()).to.equal(again);
    await progress.finish('completed');
    clock.tick(3000);
    expect(text()).to.equal(`${again}\r${' '.repeat(24)}\r`);
  });

  it('leaves nothing of a run that is soon over, of which nobody asked', async () => {
    const { progress, text } = watch(true, { isTransient: true });
    clock.tick(900);
    await progress.finish('failed');
    expect(text()).to.equal('');
  });

  it('shows a terminal what fits into it', async () => {
    const everything = [call, answer(5000), call, evaluation, evaluation, action('a', 1, 'tool-call')];
    const widths: readonly (readonly [number, string])[] = [
      [120, 'running 00:00 | agent 2/4 | 60s left | llm 2 | evals 2/16 | workers 1/8 | $0.01'],
      [79, 'running 00:00 | agent 2/4 | 60s left | llm 2 | evals 2/16 | workers 1/8'],
      [40, 'running 00:00 | agent 2/4 | 60s left'],
      [20, 'running 00:00'],
      [5, 'runn'],
    ];
    for (const [columns, line] of widths) {
      const { progress, text } = watch(true, { columns });
      progress.observer.started(LIMITS, 60_000, 'main/run');
      for (const event of everything) progress.observer.event(event);
      clock.tick(300);
      expect(text()).to.equal(`svc.json\n\r${line}`);
      progress.observer.event(action('b', 0, 'tool-call'));
      clock.tick(300);
      if (columns === 120) expect(text()).to.include('| 2 agents active |');
      await progress.finish('completed');
    }
  });

  it('shows no control characters, and at most 128 bytes of a name', () => {
    expect(watch(false, { document: '/a/b\u001b[2J\n.json' }).text()).to.equal('[00:00] preparing b?[2J?.json\n');
    expect(watch(false, { document: 'é'.repeat(100) }).text()).to.equal(`[00:00] preparing ${'é'.repeat(64)}\n`);
  });
});
