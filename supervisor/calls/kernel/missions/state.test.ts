import { expect } from 'chai';
import { commitContinuation, storedContinuation } from '../continuations/store.ts';
import { missionCounts, openMissions, stepMissions, type MissionsEvent, type MissionsState } from './state.ts';

const OPEN = openMissions({ memoryBytes: 100, historyBytes: 100 });
const after = (...events: readonly MissionsEvent[]): MissionsState => events.reduce(stepMissions, OPEN);
const counts = (...events: readonly MissionsEvent[]) => missionCounts(after(...events), ['a', 'b']);
const failed = (evaluationId: string): MissionsEvent => ({
  event: 'failed',
  evaluationId,
  error: { kind: 'type_error', message: evaluationId },
});
const claimed = (evaluationId: string | null): MissionsEvent => ({ event: 'claimed', evaluationId });

describe('what the missions of a run have come to (runtime.md §6, §11)', () => {
  it('is nothing before anything was asked', () => {
    const memory = { defined_count: 0, history_count: 0, memory_bytes: 0, history_bytes: 0 };
    expect(counts()).to.deep.equal({
      evaluationsByMission: {},
      agentProtocolErrors: 0,
      sourceChecks: 0,
      memories: [memory, memory],
      lastEvaluationError: null,
    });
  });

  it('counts leases by mission, in the order of the names, and not what was only asked', () => {
    const events = (['b', 'a', 'b'] as const).flatMap((mission): MissionsEvent[] => [
      { event: 'asked' },
      { event: 'granted', mission, place: mission },
      { event: 'ended' },
    ]);
    const shown = counts(...events, { event: 'asked' }).evaluationsByMission;
    expect(Object.entries(shown)).to.deep.equal([
      ['a', 1],
      ['b', 2],
    ]);
    expect(after(...events, { event: 'asked' }).requested).to.equal(4);
  });

  it('knows whose program is evaluated from its grant to its end', () => {
    expect(after({ event: 'asked' }).evaluating).to.equal(null);
    expect(after({ event: 'granted', mission: 'a', place: 'a' }).evaluating).to.equal('a');
    expect(after({ event: 'granted', mission: 'a', place: 'a' }, { event: 'ended' }).evaluating).to.equal(null);
  });

  it('shows what was committed, of every mission that is declared', () => {
    const continuation = {
      definitions: 'd',
      history: ['h', 'h'],
      definedCount: 3,
      memoryBytes: 1,
      historyBytes: 2,
      largestHistoryBytes: 1,
    };
    const circumstances = { runClosed: false, now: 0, runDeadlineAt: 1, sinkUsable: true };
    const { state: continuations } = commitContinuation(OPEN.continuations, {
      mission: 'b',
      from: 0,
      continuation,
      circumstances,
    });
    const state = after({ event: 'committed', continuations });
    expect(storedContinuation(state.continuations, 'b').revision).to.equal(1);
    expect(missionCounts(state, ['a', 'b']).memories).to.deep.equal([
      { defined_count: 0, history_count: 0, memory_bytes: 0, history_bytes: 0 },
      { defined_count: 3, history_count: 2, memory_bytes: 1, history_bytes: 2 },
    ]);
  });

  it('tells of the last failed evaluation only when a report spoke of it', () => {
    const shown = (...events: readonly MissionsEvent[]) => counts(...events).lastEvaluationError?.message ?? null;
    expect(shown(failed('1'))).to.equal(null);
    expect(shown(claimed(null))).to.equal(null);
    expect(shown(failed('1'), claimed(null))).to.equal('1');
    expect(shown(failed('1'), failed('2'), claimed('1'))).to.equal(null);
    expect(shown(failed('1'), failed('2'), claimed('2'))).to.equal('2');
    expect(shown(failed('1'), claimed('2'), claimed('1'))).to.equal('1');
  });

  it('keeps for good that an event was refused, and that it was closed', () => {
    const lost = after({ event: 'event_refused' }, { event: 'granted', mission: 'a', place: 'a' }, { event: 'ended' });
    expect([OPEN.isEventSinkUsable, lost.isEventSinkUsable, lost.isClosed]).to.deep.equal([true, false, false]);
    expect(after({ event: 'closed' }, { event: 'asked' }).isClosed).to.equal(true);
  });

  it('counts checks and errors of agents', () => {
    expect(
      counts({ event: 'check_charged' }, { event: 'agent_protocol_error' }, { event: 'agent_protocol_error' }),
    ).to.include({ sourceChecks: 1, agentProtocolErrors: 2 });
  });
});
