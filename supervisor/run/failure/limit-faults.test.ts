import { expect } from 'chai';
import { effectiveLimits, type WrittenLimits } from '../../../contract/limits/effective.ts';
import { explanationOf } from '../../../contract/diagnostics/explanation.ts';
import type { LateCall } from '../../../contract/provider-protocol/provider-words.ts';
import type { EvaluationFault } from '../../../contract/sandbox-protocol.ts';
import { plainApplication } from '../testing/run-fixture.ts';
import type { WorkflowEnd } from '../workflow-end.ts';
import type { Waits } from './limit-faults.ts';
import { failureAdvice, limitAdvice, withLateCall } from './failure-advice.ts';

const SOURCE = '(ns main)\n(defn f []\n  (loop [] (recur)))\n(defn run [input] (vec (iterate inc 1)))';

function application(limits: WrittenLimits = {}, artifactClass: 'normal' | 'private' = 'normal', source = SOURCE) {
  const plain = plainApplication({ artifactClass }, limits);
  const main = { id: 'main', dependencies: [], source, file: 'main.clj', opens: null, isLibrary: false };
  const library = { ...main, id: 'lib', file: 'lib.clj', isLibrary: true };
  return { ...plain, workflow: { ...plain.workflow, components: [library, main] } };
}

function explainLimit(end: WorkflowEnd, running = application(), waits: Waits = { shares: [], ms: 0 }) {
  const [fault] = failureAdvice(end, { application: running, isInspected: false, waits }).faults?.faults ?? [];
  if (fault === undefined) return null;
  const { place, problem, remedy, candidates } = fault;
  return {
    place: place === null ? null : `${place.file}:${String(place.line)}`,
    problem,
    remedy,
    candidates: candidates.map(
      ({ file, line, column, within }) => `${file}:${String(line)}:${String(column)} ${within ?? '-'}`,
    ),
  };
}

function timeout(bound: 'run_duration_ms' | 'workflow_timeout_ms'): WorkflowEnd {
  return { kind: 'timeout', deadline: { at: 0, limitMs: 1, bound }, during: 'execution' };
}

function memory(cause: string | null, isPlaced: boolean): WorkflowEnd {
  const start = SOURCE.indexOf('(vec');
  const trail = isPlaced
    ? [{ component: 'main', ref: 'main/run', span: { start_byte: start, end_byte: start + 4 } }]
    : [];
  const fault: EvaluationFault = {
    reason: 'memory_exceeded',
    message: 'm',
    span: null,
    details: cause === null ? {} : { cause },
    exception_class: null,
    public_error: null,
    report: { message: 'm', trail, data: null, cause: null },
  };
  return { kind: 'memory_exceeded', fault };
}

const LOOP = 'main.clj:3:3 main/f';
const ENDLESS = 'main.clj:4:24 main/run';

describe('a failure by a limit', () => {
  it('of time names the limit, the loops of the application alone, and every limit that is in the way', () => {
    expect(explainLimit(timeout('workflow_timeout_ms'), application({ workflow_timeout_ms: 500 }))).to.deep.equal({
      place: null,
      problem: 'workflow_timeout_ms is 500 ms, set by the manifest',
      candidates: [LOOP, ENDLESS],
      remedy:
        'let the loop or seq that has no end come to one, or raise limits.workflow_timeout_ms (at most 1800000) in the manifest',
    });
    expect(explainLimit(timeout('run_duration_ms'), application({}, 'normal', '(ns main)'))).to.deep.equal({
      place: null,
      problem: 'run_duration_ms is 30000 ms, the default',
      candidates: [],
      remedy:
        'do less in one run, or raise limits.run_duration_ms (at most 1800000) and limits.workflow_timeout_ms (at most 1800000) in the manifest',
    });
  });

  it('of time blames what took at least half of it, and no loop then', () => {
    const waited = (ms: number) =>
      explainLimit(timeout('run_duration_ms'), application(), {
        shares: [
          { what: 'llm-request (alias small)', count: 12, ms },
          { what: 'read-file', count: 1, ms: 3 },
        ],
        ms: 30_000,
      });
    expect(waited(14_999))
      .to.include({ problem: 'run_duration_ms is 30000 ms, the default' })
      .and.deep.include({ candidates: [LOOP, ENDLESS] });
    expect(waited(15_000)).to.deep.include({
      problem: 'run_duration_ms is 30000 ms, the default; 12 x llm-request (alias small) took 15.0 of 30.0 s',
      candidates: [],
    });
    expect(waited(29_950)?.remedy).to.match(/^do less in one run, or raise /);
  });

  it('of time says when missions may take all of it', () => {
    const missions = new Map([['desk', { components: [], bundleHash: null, exports: [] }]]);
    const problem = (limits: WrittenLimits) =>
      explainLimit(timeout('run_duration_ms'), { ...application(limits), missions })?.problem;
    expect(problem({})).to.match(
      /^run_duration_ms is 30000 ms, the default; evaluation_timeout_ms is 30000 ms, the default, and run_duration_ms does not exceed it/,
    );
    expect(problem({ workflow_timeout_ms: 20_000 })).to.include('workflow_timeout_ms does not exceed it');
    expect(problem({ evaluation_timeout_ms: 29_999 })).to.equal('run_duration_ms is 30000 ms, the default');
  });

  it('of memory tells a heap that was full from a recursion and a seq that has no end', () => {
    expect(explainLimit({ kind: 'memory_exceeded', fault: null })).to.deep.equal({
      place: null,
      problem: 'workflow_heap_words is 8000000 words, the default',
      candidates: [LOOP, ENDLESS],
      remedy:
        'take what is needed of a seq that has no end: (take n …), (take-while p …), or raise limits.workflow_heap_words in the host document, then in the manifest',
    });
    expect(
      explainLimit({ kind: 'memory_exceeded', fault: null }, application({}, 'normal', '(ns main)'))?.remedy,
    ).to.match(/^keep less in memory at once, or raise/);
    expect(explainLimit(memory('recursion', true))).to.deep.equal({
      place: 'main.clj:4',
      problem: 'm',
      candidates: [],
      remedy: null,
    });
    expect(explainLimit(memory('endless_seq', true))).to.deep.equal({
      place: 'main.clj:4',
      problem: 'm',
      candidates: [],
      remedy: null,
    });
    expect(explainLimit(memory('endless_seq', false))).to.deep.equal({
      place: null,
      problem: 'm',
      candidates: [ENDLESS],
      remedy: null,
    });
    expect(explainLimit(memory(null, true))).to.deep.equal({
      place: 'main.clj:4',
      problem: 'm',
      candidates: [ENDLESS],
      remedy: 'take what is needed of a seq that has no end: (take n …), (take-while p …)',
    });
    expect(explainLimit(memory(null, true), application({}, 'normal', '(ns main)'))?.remedy).to.match(
      /^make it smaller/,
    );
  });

  it('of loops or branches has its value and its remedy', () => {
    const loop: WorkflowEnd = {
      kind: 'evaluation_error',
      fault: {
        reason: 'loop_limit_exceeded',
        message: 'm',
        span: null,
        details: {},
        exception_class: null,
        public_error: null,
      },
    };
    const decidedLimits = effectiveLimits({}, { workflow_loop_iterations: 5 });
    if (!decidedLimits.ok) throw new Error('a host may set this limit');
    expect(explainLimit(loop, { ...application(), decidedLimits })).to.deep.include({
      problem: 'workflow_loop_iterations is 5, set by the host document',
      remedy: 'let the loop end sooner, or raise limits.workflow_loop_iterations in the host document',
    });
    expect(explainLimit({ kind: 'parallel_timeout', limitMs: 1 })).to.deep.include({
      problem: 'parallel_timeout_ms is 60000 ms, the default',
    });
  });

  it('shows at most eight places', () => {
    expect(
      explainLimit(timeout('run_duration_ms'), application({}, 'normal', '(loop [] 1)'.repeat(20)))?.candidates,
    ).to.have.lengthOf(8);
  });

  it('that the run knows by its name alone has the same words; of a private run nothing is told', () => {
    expect(limitAdvice('terminal_result_bytes', application()).faults?.faults[0]).to.deep.include({
      problem: 'terminal_result_bytes is 1000000 bytes, the default',
    });
    expect(limitAdvice('no_limit', application()).faults).to.equal(null);
    for (const [value, remedy] of [
      [
        262_144,
        'raise max_transcript_chars of the agent (at most 1000000), and limits.capability_argument_bytes with it, or drop old turns with compact_at_tokens',
      ],
      [1_000_000, 'drop old turns with compact_at_tokens'],
    ] as const)
      expect(limitAdvice('max_transcript_chars', application(), value).faults?.faults[0]).to.deep.include({
        problem: `the conversation needs more than max_transcript_chars, which is ${String(value)} characters`,
        remedy,
      });
    expect(limitAdvice('terminal_result_bytes', application({}, 'private')).faults?.faults).to.deep.equal([]);
    expect(
      failureAdvice(timeout('run_duration_ms'), { application: application({}, 'private'), isInspected: false }).faults
        ?.faults,
    ).to.deep.equal([]);
  });

  it('of a call names the setting that gave it the time, who set it, and every one that is in the way', () => {
    const late = (setting: LateCall['setting'], ms: number, limits: WrittenLimits = {}) =>
      withLateCall(null, { alias: 'small', said: '', late: { setting, ms } }, application(limits))?.faults[0];
    const requested = { llm_request_timeout_ms: 300 };
    expect(late('llm_request_timeout_ms', 300, requested)).to.deep.include({
      problem: 'llm_request_timeout_ms is 300 ms, set by the manifest',
      remedy: 'ask for a shorter answer, or raise limits.llm_request_timeout_ms (at most 120000) in the manifest',
    });
    expect(late('request_timeout_ms', 300)).to.deep.include({
      problem: 'install.small.ceilings.request_timeout_ms is 300 ms, set by the host document',
      remedy:
        'ask for less in one call, or raise install.small.ceilings.request_timeout_ms (at most 1800000) in the host document',
    });
    expect(late('request_timeout_ms', 120_000)).to.deep.include({
      problem: 'install.small.ceilings.request_timeout_ms is 120000 ms, the default',
      remedy:
        'ask for a shorter answer, or raise limits.llm_request_timeout_ms in the host document, then in the manifest; raise install.small.ceilings.request_timeout_ms (at most 1800000) in the host document',
    });
    expect(late('timeout_ms', 5000)).to.deep.include({
      problem: 'install.small.ceilings.timeout_ms is 5000 ms, the default',
    });
  });

  it('of a call keeps the place that is known, and a problem of the program', () => {
    const late: LateCall = { setting: 'timeout_ms', ms: 7 };
    const [placed, own] = ['of its own', null].map(
      (problem) =>
        withLateCall(explanationOf({ problem, data: 'kept' }), { alias: 'files', said: '', late }, application())
          ?.faults[0],
    );
    expect(placed).to.deep.include({ problem: 'of its own', data: 'kept' });
    expect(own).to.deep.include({ data: 'kept' });
    expect([placed?.remedy, own?.problem]).to.deep.equal([
      'ask for less in one call, or raise install.files.ceilings.timeout_ms (at most 300000) in the host document',
      'install.files.ceilings.timeout_ms is 7 ms, set by the host document',
    ]);
    expect(withLateCall(null, { alias: 'files', said: '' }, application())).to.equal(null);
  });
});
