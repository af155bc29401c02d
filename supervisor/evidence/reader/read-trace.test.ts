import { expect } from 'chai';
import { emptyUsage } from '../../../contract/envelope/testing/empty-usage.ts';
import { readTrace } from './testing/read-trace.ts';

const USAGE = {
  ...emptyUsage({ remainingMs: 1, totalTokens: null, costMicrousd: null }),
  capability_calls: { workflow: {}, mission: {} },
};
const PRELUDE = { component_ids: ['lib', 'main'], dependency_indices: [[], [0]], hash: 'a'.repeat(64) };
const STARTED = event('run-started', { labels: {}, workflow_prelude: PRELUDE, missions: {}, connector_snapshots: [] });
const WORKFLOW = { evaluation_id: 'workflow-evaluation-1', environment: 'workflow' };
const MISSION = {
  evaluation_id: 'mission-evaluation-2',
  environment: 'mission',
  mission_name: 'reader',
  parent_evaluation_id: 'workflow-evaluation-1',
};
const STOPPED = event('run-stopped', {
  outcome: 'ok',
  reason: null,
  usage: USAGE,
  result_hash: `sha256:${'0'.repeat(64)}`,
});

type Line = Readonly<Record<string, unknown>>;

function event(type: string, data: Readonly<Record<string, unknown>>, over: Line = {}): Line {
  return {
    schema_version: 2,
    run_id: 'r1',
    trace_id: 't1',
    timestamp: '2030-01-02T03:04:05.000006Z',
    type,
    data,
    ...over,
  };
}

function text(lines: readonly Line[]): string {
  return lines.map((line, index) => `${JSON.stringify({ sequence: index + 1, ...line })}\n`).join('');
}

function verdict(source: string): string {
  const result = readTrace(new TextEncoder().encode(source));
  return result.ok ? 'valid' : `${result.fault.reason}: ${result.fault.rule}`;
}

describe('reading a trace back (evidence.md §5)', () => {
  const started = event('evaluation-started', WORKFLOW);
  const stopped = event('evaluation-stopped', { ...WORKFLOW, status: 'ok', duration_ms: 1 });
  const missionStarted = event('evaluation-started', MISSION);
  const { parent_evaluation_id: _parent, ...orphan } = MISSION;

  const accepted: readonly (readonly [string, readonly Line[]])[] = [
    [
      'a whole run',
      [
        STARTED,
        started,
        missionStarted,
        event('evaluation-stopped', { ...MISSION, status: 'continued' }),
        stopped,
        STOPPED,
      ],
    ],
    ['a run that never stopped', [STARTED, started]],
    ['a stop whose start was dropped', [STARTED, stopped]],
    ['gaps in the sequence', [STARTED, { ...STOPPED, sequence: 9 }]],
    ['two runs in one source', [STARTED, { ...STARTED, run_id: 'r2', trace_id: 't2' }]],
  ];
  for (const [what, lines] of accepted) it(`accepts ${what}`, () => expect(verdict(text(lines))).to.equal('valid'));

  const refused: readonly (readonly [string, readonly Line[]])[] = [
    ['first event is run-started', [started]],
    ['one run-started', [STARTED, STARTED]],
    ['nothing after run-stopped', [STARTED, STOPPED, started]],
    ['sequence increases', [STARTED, { ...started, sequence: 1 }]],
    ['run and trace one to one', [STARTED, { ...started, trace_id: 't2' }]],
    ['run and trace one to one', [STARTED, { ...STARTED, run_id: 'r2' }]],
    ['run-started data', [event('run-started', { workflow_prelude: PRELUDE })]],
    [
      'run-started data',
      [event('run-started', { workflow_prelude: { ...PRELUDE, dependency_indices: [[], [1]] }, missions: {} })],
    ],
    [
      'run-started data',
      [event('run-started', { workflow_prelude: { ...PRELUDE, component_ids: ['main', 'main'] }, missions: {} })],
    ],
    [
      'run-started data',
      [
        event('run-started', {
          workflow_prelude: { component_ids: [], dependency_indices: [], hash: 'a'.repeat(64) },
          missions: {},
        }),
      ],
    ],
    [
      'run-started data',
      [event('run-started', { workflow_prelude: PRELUDE, missions: { Reader: { prelude: PRELUDE } } })],
    ],
    ['mission_name', [STARTED, event('evaluation-started', { evaluation_id: 'e', environment: 'mission' })]],
    ['mission_name', [STARTED, event('evaluation-started', { ...WORKFLOW, mission_name: 'reader' })]],
    ['environment', [STARTED, event('evaluation-started', { evaluation_id: 'e', environment: 'other' })]],
    ['evaluation started once', [STARTED, started, stopped, started]],
    ['parent evaluation', [STARTED, missionStarted]],
    ['parent evaluation', [STARTED, started, stopped, missionStarted]],
    [
      'parent evaluation',
      [
        STARTED,
        started,
        event('evaluation-started', { ...WORKFLOW, evaluation_id: 'w2', parent_evaluation_id: WORKFLOW.evaluation_id }),
      ],
    ],
    [
      'stop like its start',
      [STARTED, started, missionStarted, event('evaluation-stopped', { ...orphan, status: 'failed' })],
    ],
    ['stop without start', [STARTED, event('evaluation-stopped', { ...MISSION, status: 'failed' })]],
    ['stop without start', [STARTED, started, stopped, stopped]],
    [
      'parent only on evaluations',
      [STARTED, event('limit-exceeded', { reason: 'timeout', parent_evaluation_id: 'x' })],
    ],
    [
      'result_hash',
      [
        STARTED,
        event('run-stopped', { outcome: 'error', reason: 'x', usage: USAGE, result_hash: `sha256:${'0'.repeat(64)}` }),
      ],
    ],
    ['result_hash', [STARTED, event('run-stopped', { outcome: 'ok', reason: null, usage: USAGE, result_hash: 'abc' })]],
    [
      'usage',
      [STARTED, event('run-stopped', { outcome: 'ok', reason: null, usage: { ...USAGE, llm_budget: undefined } })],
    ],
    ['outcome', [STARTED, event('run-stopped', { reason: null, usage: USAGE })]],
    ['ids', [{ ...STARTED, run_id: '' }]],
    ['ids', [{ ...STARTED, trace_id: 'é'.repeat(129) }]],
    ['sequence', [{ ...STARTED, sequence: 0 }]],
    ['timestamp', [{ ...STARTED, timestamp: '2030-01-02T03:04:05Z' }]],
    ['timestamp', [{ ...STARTED, timestamp: '2030-13-02T03:04:05.000000Z' }]],
    ['type', [{ ...STARTED, type: 'Run' }]],
    ['data', [{ ...STARTED, data: [] }]],
    ['members', [{ ...STARTED, extra: 1 }]],
  ];
  for (const [rule, lines] of refused)
    it(`refuses: ${rule}`, () => expect(verdict(text(lines))).to.equal(`malformed_source: ${rule}`));

  it('tells another version apart', () => {
    expect(verdict(text([{ ...STARTED, schema_version: 3 }]))).to.equal('unsupported_version: schema version');
  });

  it('refuses what is no line of JSON', () => {
    expect(verdict('')).to.equal('malformed_source: not empty');
    expect(verdict('\n')).to.equal('malformed_source: not a JSON line');
    expect(verdict(text([STARTED]).trimEnd())).to.equal('malformed_source: last line is ended');
    expect(verdict(text([STARTED]).replace('{', '{"type":"x",'))).to.equal('malformed_source: duplicate key');
  });
});
