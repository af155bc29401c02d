import { expect } from 'chai';
import type { Run, TraceEvent } from '../../../viewer/src/data.ts';
import { failureOf } from '../../../viewer/src/model/failure.ts';

const RUN: Run = {
  run_id: 'r',
  status: 'error',
  duration_ms: 60_000,
  llm_calls: 2,
  evaluations: 3,
  failed_evaluations: 1,
  error_count: 1,
  terminal_reason: 'run_timeout',
  complete: true,
  truncated: false,
  start_timestamp: '2030-01-01T00:00:00.000000Z',
  stop_timestamp: null,
  name: null,
  tags: {},
  result_hash: null,
  llm_spend: null,
  llm_budget: null,
  workflow_capability_calls: 2,
  mission_capability_calls: 0,
  workflow_prelude: { component_ids: [], dependency_indices: [], hash: null },
  missions: {},
  source: 'sanitized',
};

/** Events at seconds of one minute. */
function eventsOf(
  rows: readonly (readonly [second: number, type: string, data: Readonly<Record<string, unknown>>])[],
): readonly TraceEvent[] {
  return rows.map(([second, type, data], nth) => ({
    sequence: nth + 1,
    type,
    data,
    timestamp: `2030-01-01T00:00:${second.toFixed(6).padStart(9, '0')}Z`,
  }));
}

const workflow = { evaluation_id: 'w', environment: 'workflow' };
const call = (id: string, name: string) => ({
  capability_id: id,
  name,
  environment: 'workflow',
  owner_evaluation_id: 'w',
});

describe('why a run failed, on its page', () => {
  it('of time is what took the time, and no earlier failure that had nothing to do with it', () => {
    const events = eventsOf([
      [0, 'run-started', {}],
      [0, 'evaluation-started', workflow],
      [1, 'capability-started', call('a', 'lookup')],
      [2, 'capability-stopped', { ...call('a', 'lookup'), status: 'error' }],
      [2, 'capability-started', call('b', 'llm-request')],
      [30, 'capability-stopped', { ...call('b', 'llm-request'), status: 'ok' }],
      [30, 'capability-started', call('c', 'llm-request')],
      [59, 'evaluation-stopped', { ...workflow, status: 'error' }],
      [59, 'run-stopped', { outcome: 'error', reason: 'run_timeout' }],
    ]);
    const failure = failureOf({ run: RUN, events });
    expect(failure?.chain.map(({ id }) => id)).to.deep.equal(['w', 'c']);
    expect(failure?.remedy).to.match(/^The run reached its time/);
  });

  it('of time is the workflow where it computed most of it', () => {
    const events = eventsOf([
      [0, 'run-started', {}],
      [0, 'evaluation-started', workflow],
      [1, 'capability-started', call('a', 'lookup')],
      [2, 'capability-stopped', { ...call('a', 'lookup'), status: 'error' }],
      [59, 'evaluation-stopped', { ...workflow, status: 'error' }],
      [59, 'run-stopped', {}],
    ]);
    expect(failureOf({ run: RUN, events })?.chain.map(({ id }) => id)).to.deep.equal(['w']);
  });

  it('of anything else is the last part that failed', () => {
    const events = eventsOf([
      [0, 'run-started', {}],
      [0, 'evaluation-started', workflow],
      [1, 'capability-started', call('a', 'lookup')],
      [2, 'capability-stopped', { ...call('a', 'lookup'), status: 'error' }],
      [59, 'evaluation-stopped', { ...workflow, status: 'error' }],
      [59, 'run-stopped', {}],
    ]);
    expect(
      failureOf({ run: { ...RUN, terminal_reason: 'workflow_failed' }, events })?.chain.map(({ id }) => id),
    ).to.deep.equal(['w', 'a']);
  });
});
