import { expect } from 'chai';
import type { TraceEvent } from '../data.ts';
import { concurrency, criticalPath, flat, spansOf } from './spans.ts';

/** Events a second apart. */
function traced(...events: readonly (readonly [type: string, data: object])[]): readonly TraceEvent[] {
  return events.map(([type, data], index) => ({
    sequence: index + 1,
    timestamp: `2030-01-02T03:04:0${index}.000000Z`,
    type,
    data: { ...data },
  }));
}

const MISSION = { environment: 'mission', mission_name: 'desk' };
const ASKED = { ...MISSION, name: 'tickets.close', effect: 'write', argument_bytes: 9 };

describe('bars of questions to a person (approvals.md §10)', () => {
  const spans = spansOf(
    traced(
      ['run-started', {}],
      ['evaluation-started', { ...MISSION, evaluation_id: 'mission-evaluation-1' }],
      ['approval-requested', { ...ASKED, approval_id: 'apr-1' }],
      ['approval-decided', { approval_id: 'apr-1', decision: 'allowed', by: 'cli', scope: 'once', waited_ms: 1000 }],
      [
        'capability-started',
        { ...MISSION, name: 'tickets.close', capability_id: 'capability-1', approval_id: 'apr-1' },
      ],
      ['capability-stopped', { ...MISSION, capability_id: 'capability-1', status: 'ok' }],
      ['approval-requested', { ...ASKED, approval_id: 'apr-2' }],
      ['approval-decided', { approval_id: 'apr-2', decision: 'denied', by: 'cli', scope: 'once', waited_ms: 1000 }],
      ['approval-requested', { ...ASKED, approval_id: 'apr-3' }],
      ['run-stopped', {}],
    ),
  );

  it('are of their own kind, beside the call that was allowed, and no failure', () => {
    expect(
      flat(spans).map(({ kind, label, start, end, status, hasFailed, isOpen, depth }) => [
        kind,
        label,
        [start, end],
        status,
        [hasFailed, isOpen],
        depth,
      ]),
    ).to.deep.equal([
      ['mission', 'mission desk', [1000, 9000], 'open', [false, true], 0],
      ['wait', 'yes for tickets.close', [2000, 3000], 'allowed', [false, false], 1],
      ['call', 'tickets.close', [4000, 5000], 'ok', [false, false], 1],
      ['wait', 'yes for tickets.close', [6000, 7000], 'denied', [false, false], 1],
      ['wait', 'yes for tickets.close', [8000, 9000], 'open', [false, true], 1],
    ]);
  });

  it('are on the critical path, and no call that is at work', () => {
    expect([...criticalPath(spans)]).to.include('apr-1');
    expect(concurrency(spans)).to.deep.equal([
      [4000, 1],
      [5000, 0],
    ]);
  });
});
