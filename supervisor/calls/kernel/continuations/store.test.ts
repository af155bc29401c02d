import { expect } from 'chai';
import fc from 'fast-check';
import {
  commitContinuation,
  endContinuations,
  openContinuations,
  storedContinuation,
  type CommitCircumstances,
  type Continuation,
  type ContinuationState,
  type SizeRefusal,
} from './store.ts';

const LIMITS = { memoryBytes: 100, historyBytes: 50 };
const OPEN: CommitCircumstances = { runClosed: false, now: 0, runDeadlineAt: 10, sinkUsable: true };

function continuation(memoryBytes: number, historyBytes: number, definitions = 'text'): Continuation {
  return { definitions, history: ['1'], definedCount: 1, memoryBytes, historyBytes, largestHistoryBytes: historyBytes };
}

function committed(mission: string, value: Continuation, state = openContinuations(LIMITS)): ContinuationState {
  const commit = commitContinuation(state, {
    mission,
    from: storedContinuation(state, mission).revision,
    continuation: value,
    circumstances: OPEN,
  });
  expect(commit.refusal).to.equal(null);
  return commit.state;
}

describe('the continuations of a run', () => {
  it('a mission without commits has nothing, at revision 0', () => {
    expect(storedContinuation(openContinuations(LIMITS), 'm')).to.deep.equal({ continuation: null, revision: 0 });
  });

  it('what ended takes no room from the others, and is kept while they do not need it', () => {
    const first = committed('m', continuation(60, 30));
    const ended = endContinuations(first, (key) => key === 'm');
    const small = committed('other', continuation(40, 20), ended);
    expect([...small.missions.keys()]).to.deep.equal(['m', 'other']);
    expect([...committed('other', continuation(41, 20), ended).missions.keys()]).to.deep.equal(['other']);
    expect([...committed('other', continuation(40, 21), ended).missions.keys()]).to.deep.equal(['other']);
    expect([...committed('other', continuation(100, 50), ended).missions.keys()]).to.deep.equal(['other']);
  });

  it('each commit replaces what was there and counts', () => {
    const state = committed('m', continuation(2, 2, 'second'), committed('m', continuation(1, 1, 'first')));
    expect(storedContinuation(state, 'm')).to.deep.equal({ continuation: continuation(2, 2, 'second'), revision: 2 });
  });

  const large = continuation(101, 51);
  const cases: readonly (readonly [
    rule: string,
    circumstances: Partial<CommitCircumstances>,
    from: number,
    value: Continuation | SizeRefusal,
    refusal: string | null,
  ])[] = [
    ['a closed run, before everything', { runClosed: true, now: 10, sinkUsable: false }, 9, large, 'run_closed'],
    ['the deadline, before the sink', { now: 10, sinkUsable: false }, 9, large, 'deadline_expired'],
    ['one tick before the deadline is in time', { now: 9 }, 1, continuation(1, 1), null],
    ['the sink, before the sizes', { sinkUsable: false }, 9, large, 'event_sink_error'],
    ['another commit came between', {}, 0, large, 'continuation_changed'],
    ['definitions, before the history', {}, 1, large, 'memory_exceeded'],
    ['definitions with those of all other missions: at the limit', {}, 1, continuation(60, 1), null],
    ['one byte beyond', {}, 1, continuation(61, 1), 'memory_exceeded'],
    ['the history with those of all other missions: at the limit', {}, 1, continuation(1, 20), null],
    ['one byte of history beyond', {}, 1, continuation(1, 21), 'history_exceeded'],
    [
      'one value beyond the limit by itself, though shared parts make the whole smaller',
      {},
      1,
      { ...continuation(1, 1), largestHistoryBytes: 51 },
      'history_exceeded',
    ],
    ['what a guest found too large', {}, 1, 'history_exceeded', 'history_exceeded'],
    ['which a closed run does not ask', { runClosed: true }, 1, 'history_exceeded', 'run_closed'],
    ['one value at the limit by itself', {}, 1, { ...continuation(1, 1), largestHistoryBytes: 50 }, null],
  ];
  for (const [rule, circumstances, from, value, refusal] of cases) {
    it(`${rule}: ${refusal ?? 'committed'}`, () => {
      const before = committed('other', continuation(40, 30), committed('m', continuation(5, 5)));
      const commit = commitContinuation(before, {
        mission: 'm',
        from,
        continuation: value,
        circumstances: { ...OPEN, ...circumstances },
      });
      expect(commit.refusal).to.equal(refusal);
      if (refusal !== null) expect(commit.state).to.equal(before);
      expect(storedContinuation(commit.state, 'other')).to.deep.equal(storedContinuation(before, 'other'));
    });
  }

  it('whatever is tried, the retained sizes of all missions stay within their limits', () => {
    const attempt = fc.record({
      mission: fc.constantFrom('a', 'b', 'c'),
      memory: fc.nat({ max: 120 }),
      history: fc.nat({ max: 60 }),
      back: fc.constantFrom(0, 0, 0, 1),
    });
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: 30 }), (attempts) => {
        let state = openContinuations(LIMITS);
        for (const { mission, memory, history, back } of attempts) {
          const from = storedContinuation(state, mission).revision - back;
          state = commitContinuation(state, {
            mission,
            from,
            continuation: continuation(memory, history),
            circumstances: OPEN,
          }).state;
          const acquired = [...state.missions.values()].map((stored) => stored.continuation);
          expect(acquired.reduce((sum, one) => sum + (one?.memoryBytes ?? 0), 0)).to.be.at.most(LIMITS.memoryBytes);
          expect(acquired.reduce((sum, one) => sum + (one?.historyBytes ?? 0), 0)).to.be.at.most(LIMITS.historyBytes);
        }
      }),
    );
  });
});
