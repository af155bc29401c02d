import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import type { TraceEvent } from '../event.ts';
import { frameOf } from '../../viewer/live/frame.ts';
import { NEW_RUN, afterEvent, afterHeap, afterProgram, frameText } from './frames.ts';

function event(type: string, data: object): TraceEvent {
  const json = jsonFromPlain(data);
  if (!isJsonObject(json)) throw new TypeError('data of an event is an object');
  return { type, data: json };
}

const FACTS = { runId: 'r', label: 'l', seq: 1, elapsed: 5 };

describe('frames of a run (evidence.md §10)', () => {
  it('are taken by the viewer, whatever the run did', () => {
    const long = 'n'.repeat(5000);
    let state = NEW_RUN;
    for (let nth = 0; nth < 100; nth += 1)
      state = afterEvent(state, event('capability-started', { name: long, environment: 'workflow' }), nth);
    const most = Number.MAX_SAFE_INTEGER;
    for (let nth = 0; nth < 200; nth += 1)
      state = afterHeap(state, { observedWords: most, baselineWords: most, ceilingWords: most }, 1e9);
    for (let nth = 0; nth < 100; nth += 1) {
      state = afterProgram(state, { evaluationId: `e-${nth}`, line: '\u0001'.repeat(160) });
      const data = { turn: 127, max_turns: 128, kind: 'tool-call', invocation: `agent-${nth}` };
      state = afterEvent(state, event('workflow-annotation', { annotation_type: 'agent-action', data }), nth);
    }
    const text = frameText(state, FACTS);
    expect(Buffer.byteLength(text)).to.be.at.most(70_000);
    expect(frameOf(Buffer.from(text))).not.to.equal(null);
  });

  it('tell the newest 40 acts, newest first', () => {
    for (const [acts, stored] of [
      [39, 39],
      [40, 40],
      [41, 40],
    ] as const) {
      let state = NEW_RUN;
      for (let nth = 1; nth <= acts; nth += 1)
        state = afterEvent(state, event('capability-stopped', { name: 'n', status: 'ok', duration_ms: nth }), nth);
      expect(state.activity).to.have.length(stored);
      expect(state.activity[0]).to.deep.equal({
        t: acts,
        kind: 'capability',
        name: 'n',
        status: 'ok',
        duration_ms: acts,
      });
    }
  });

  it('tell which function runs within which bounds, and what was used of them', () => {
    const limits = {
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
    const state = afterEvent(
      { ...NEW_RUN, started: { limits, deadline: 100, entry: 'main/run' } },
      event('capability-started', { name: 'shop.find', environment: 'workflow' }),
      1,
    );
    const frame = JSON.parse(frameText(state, FACTS));
    expect(frame).to.deep.include({ entry: 'main/run', limits, remaining_ms: 95 });
    expect(frame.usage).to.deep.include({ capability_calls: 1, protocol_errors: 0, 'evaluation_busy?': false });
    expect(Object.keys(frame.limits)).to.have.length(10);
    expect(frameOf(Buffer.from(frameText(state, FACTS)))).not.to.equal(null);
  });

  it('tell where its agents are, what their programs came to, and what was spent (world.md §3.10)', () => {
    const program = (nth: number) => ({ evaluationId: `e-${nth}`, line: `(step ${nth})` });
    const stopped = (nth: number, status: string) =>
      event('evaluation-stopped', { environment: 'mission', evaluation_id: `e-${nth}`, status });
    let state = NEW_RUN;
    for (let nth = 1; nth <= 10; nth += 1) {
      state = afterEvent(state, event('capability-started', { name: 'llm-request', environment: 'workflow' }), nth);
      const usage = { input: 10, output: 2, total_cost: { currency: 'USD', microunits: 7 } };
      state = afterEvent(state, event('capability-stopped', { name: 'llm-request', status: 'ok', usage }), nth);
      const data = { turn: nth - 1, max_turns: 200, kind: 'tool-call', invocation: `agent-${nth % 9}` };
      state = afterEvent(state, event('workflow-annotation', { annotation_type: 'agent-action', data }), nth);
      state = afterProgram(state, program(nth));
      if (nth < 10) state = afterEvent(state, stopped(nth, nth === 9 ? 'evaluation_error' : 'continued'), nth);
    }
    const frame = JSON.parse(frameText(state, FACTS));
    expect(frame.agents).to.have.length(8);
    expect(frame.agents[0]).to.deep.equal({ id: 'agent-1', turn: 10, max_turns: 200, kind: 'tool-call' });
    expect(frame.programs).to.have.length(8);
    expect(frame.programs.slice(0, 3)).to.deep.equal([
      { line: '(step 10)', outcome: null },
      { line: '(step 9)', outcome: 'evaluation_error' },
      { line: '(step 8)', outcome: 'continued' },
    ]);
    expect(frame.usage).to.deep.include({ model_calls: 10, tokens: 120 });
    expect(frame.usage.llm_spend.total_cost).to.deep.equal({ currency: 'USD', microunits: 70 });
    expect(frameOf(Buffer.from(frameText(state, FACTS)))).not.to.equal(null);
    expect(JSON.parse(frameText(NEW_RUN, FACTS))).to.deep.include({ agents: [], programs: [] });
  });

  it('tell of its heap: the last look, the peak, and the newest 100', () => {
    expect(JSON.parse(frameText(NEW_RUN, FACTS)).heap).to.equal(null);
    const heap = { baselineWords: 100, ceilingWords: 900 };
    for (const [looks, stored] of [
      [1, 1],
      [100, 100],
      [101, 100],
    ] as const) {
      let state = afterHeap(NEW_RUN, { ...heap, observedWords: 700 }, 0.4);
      for (let nth = 1; nth < looks; nth += 1) state = afterHeap(state, { ...heap, observedWords: 200 + nth }, nth);
      const frame = JSON.parse(frameText(state, FACTS));
      const observed = looks === 1 ? 700 : 199 + looks;
      expect(frame.heap).to.deep.include({
        observed_words: observed,
        peak_words: 700,
        baseline_words: 100,
        ceiling_words: 900,
      });
      expect(frame.heap.samples).to.have.length(stored);
      expect(frame.heap.samples[0]).to.deep.equal({ t: looks - 1, observed_words: observed });
    }
  });

  it('tell how a run ended', () => {
    const state = afterEvent(NEW_RUN, event('run-stopped', { outcome: 'error', reason: 'run_timeout' }), 1);
    expect(JSON.parse(frameText(state, FACTS))).to.include({ phase: 'error', outcome_reason: 'run_timeout' });
    expect(JSON.parse(frameText(NEW_RUN, FACTS))).to.include({ phase: 'running', outcome_reason: null });
  });
});
