import { expect } from 'chai';
import fc from 'fast-check';
import {
  type IsolateAction,
  type IsolateEvent,
  type IsolateState,
  mayCall,
  NEW_ISOLATE,
  stepIsolate,
} from './isolate-machine.ts';
import type { HostState, Loss, Remedy } from './losses.ts';

const losses = fc.constantFrom<Loss>(
  { status: 'timeout' },
  { status: 'cancelled' },
  { status: 'memory_exceeded' },
  { status: 'host_lost', cause: 'protocol_violation' },
);
const remedies = fc.constantFrom<Remedy>('none', 'drains', 'killed', 'protocol_violation');

/** What can happen to an isolate; `process` stands for whatever its process has come to by then. */
const happening: fc.Arbitrary<IsolateEvent> = fc.oneof(
  fc.constantFrom<IsolateEvent>(
    { event: 'made' },
    { event: 'ask', isCancelled: false },
    { event: 'ask', isCancelled: true },
    { event: 'replied' },
    { event: 'call' },
    { event: 'called' },
    { event: 'dispose' },
    { event: 'stop' },
    { event: 'released' },
  ),
  fc.record({
    event: fc.constant('lost' as const),
    loss: losses,
    remedy: remedies,
    process: fc.constant('alive' as const),
  }),
  fc.record({ event: fc.constant('died' as const), loss: losses, later: losses }),
);

/** Whether a host and a pool that are not mistaken let this happen now. */
function mayHappen(state: IsolateState, { event }: IsolateEvent, wasStopped: boolean): boolean {
  const isAsked = state.phase === 'running';
  switch (event) {
    case 'ask':
      return !isAsked;
    case 'replied':
    case 'lost':
      return isAsked;
    case 'call':
      return mayCall(state);
    case 'called':
      return state.isCalling;
    case 'released':
      return wasStopped;
    default:
      return true;
  }
}

interface AppliedEvent {
  readonly event: IsolateEvent;
  readonly before: IsolateState;
  readonly state: IsolateState;
  readonly actions: readonly IsolateAction[];
}

/** Those of the events that may happen, with what they came to. Its process stays as dead as an action made it. */
function live(events: readonly IsolateEvent[]): readonly AppliedEvent[] {
  const appliedEvents: AppliedEvent[] = [];
  let state = NEW_ISOLATE;
  let process: HostState = 'alive';
  let wasStopped = false;
  for (const each of events) {
    if (!mayHappen(state, each, wasStopped)) continue;
    const event = each.event === 'lost' ? { ...each, process } : each;
    const before = state;
    const step = stepIsolate(state, event);
    ({ state } = step);
    for (const action of step.actions) {
      if (action.action === 'stop') wasStopped = true;
      if (action.action === 'kill' && process === 'alive') process = action.why;
    }
    if (event.event === 'died' && process === 'alive') process = 'exited';
    appliedEvents.push({ event, before, state, actions: step.actions });
  }
  return appliedEvents;
}

function holds(law: (life: readonly AppliedEvent[]) => void): void {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 30, size: 'max' }), (events) => {
      law(live(events));
    }),
    { numRuns: 500 },
  );
}

function actionsOf(life: readonly AppliedEvent[]): readonly IsolateAction[] {
  return life.flatMap(({ actions }) => actions);
}

describe('the life of an isolate', () => {
  it('gives its place back once at most, and is stopped once at most', () => {
    holds((life) => {
      const actions = actionsOf(life);
      for (const ends of [['forget', 'bury'], ['stop']])
        expect(actions.filter(({ action }) => ends.includes(action)).length).to.be.at.most(1);
    });
  });

  it('comes to an end whenever it is disposed of, and from that moment takes no request', () => {
    holds((life) => {
      const from = life.findIndex(({ event }) => event.event === 'dispose');
      for (const { state } of from === -1 ? [] : life.slice(from))
        expect(state.phase).to.be.oneOf(['stopping', 'gone']);
    });
  });

  it('never begins again once it is gone', () => {
    holds((life) => {
      const from = life.findIndex(({ state }) => state.phase === 'gone');
      for (const { state } of from === -1 ? [] : life.slice(from)) expect(state.phase).to.equal('gone');
    });
  });

  it('gives its place back when the host lets go of it, unless that is dead or keeps its memory', () => {
    holds((life) => {
      for (const { event, before, actions } of life) {
        if (event.event !== 'released') continue;
        expect(actions).to.deep.equal(before.phase === 'gone' ? [] : [{ action: 'forget' }]);
      }
    });
  });

  it('leaves no request without its end: each is answered, lost, or settled', () => {
    holds((life) => {
      for (const { event, before, state, actions } of life) {
        if (before.phase !== 'running' || state.phase === 'running') continue;
        const isSettled = actions.some(({ action }) => action === 'settle');
        if (!isSettled) expect(event.event).to.be.oneOf(['replied', 'lost', 'stop']);
      }
    });
  });

  it('ends its process only for what an answer showed', () => {
    holds((life) => {
      for (const { event, actions } of life) {
        const kills = actions.filter(({ action }) => action === 'kill');
        const isFor = event.event === 'lost' && (event.remedy === 'killed' || event.remedy === 'protocol_violation');
        expect(kills).to.have.length(isFor ? 1 : 0);
      }
    });
  });

  it('lets its process have no further isolate after any fault, and as many as before after a cancellation', () => {
    holds((life) => {
      for (const { event, actions } of life) {
        if (event.event !== 'lost') continue;
        const isFault =
          event.loss.status !== 'cancelled' || event.remedy === 'killed' || event.remedy === 'protocol_violation';
        expect(actions.some(({ action }) => action === 'retire' || action === 'kill')).to.equal(isFault);
      }
    });
  });

  it('is not told to end beside a process that is ended for it, nor by one that is dead', () => {
    holds((life) => {
      for (const { event, actions } of life) {
        if (event.event !== 'lost') continue;
        const isDead = event.process !== 'alive' || actions.some(({ action }) => action === 'kill');
        const ends = actions.filter(({ action }) => action === 'stop' || action === 'bury');
        if (isDead) expect(ends).to.deep.equal([]);
      }
    });
  });

  it('calls only while it is made and runs, or is being stopped, one call at a time', () => {
    holds((life) => {
      for (const { state } of life) {
        if (!mayCall(state)) continue;
        expect(state).to.include({ isMade: true, isCalling: false });
        expect(state.phase).to.be.oneOf(['running', 'stopping']);
      }
    });
  });

  it('waits long for one that runs nothing, and not for one that does', () => {
    const idle = stepIsolate(NEW_ISOLATE, { event: 'dispose' });
    expect(idle.actions).to.deep.equal([{ action: 'stop', graceMs: 10_000 }]);
    const { state } = stepIsolate(NEW_ISOLATE, { event: 'ask', isCancelled: false });
    expect(stepIsolate(state, { event: 'stop' }).actions).to.deep.equal([{ action: 'stop', graceMs: 500 }]);
  });

  it('takes one request at a time', () => {
    const { state } = stepIsolate(NEW_ISOLATE, { event: 'ask', isCancelled: false });
    expect(() => stepIsolate(state, { event: 'ask', isCancelled: false })).to.throw(/one request/);
  });
});
