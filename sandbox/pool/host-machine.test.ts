import { expect } from 'chai';
import fc from 'fast-check';
import type { HostDeath } from './host-death.ts';
import {
  type Death,
  type HostAction,
  type HostEvent,
  type HostLife,
  NEW_HOST,
  roomOf,
  stepHost,
} from './host-machine.ts';
import type { Loss } from './losses.ts';
import type { KillReason } from './pool-event.ts';

const ISOLATES = 8;
/** Two evaluations, with a branch of the first. */
const NAMES = ['1', '2', '3', '4'];

const reasons = fc.constantFrom<KillReason>(
  'protocol_violation',
  'opens_nothing',
  'does_not_stop',
  'stderr_flood',
  'stopped',
  'memory_pressure',
  'unneeded',
);
const blames = fc.oneof(
  fc.record({ kind: fc.constant('root' as const), root: fc.constantFrom(...NAMES) }),
  fc.constantFrom({ kind: 'unknown' } as const, { kind: 'none' } as const),
);
const death: fc.Arbitrary<Death> = fc.record({
  signal: fc.option(fc.constantFrom<NodeJS.Signals>('SIGKILL', 'SIGABRT', 'SIGSEGV')),
  by: fc.constantFrom<HostDeath>('own', 'outside', 'unsure'),
  lacksImage: fc.boolean(),
  lacksAddresses: fc.boolean(),
  running: fc.subarray(NAMES).map((names) => new Set(names)),
});

const opening = fc.record({
  event: fc.constant('open' as const),
  name: fc.constantFrom(...NAMES),
  root: fc.option(fc.constantFrom(...NAMES)),
});
const happening: fc.Arbitrary<HostEvent> = fc.oneof(
  { weight: 30, arbitrary: opening },
  fc.constantFrom<HostEvent>({ event: 'opened' }, { event: 'retire' }, { event: 'exited' }),
  fc.record({ event: fc.constant('not_opened' as const), lacksImage: fc.boolean() }),
  fc.record({ event: fc.constant('kill' as const), reason: reasons, blame: blames }),
  fc.record({
    event: fc.constant('forget' as const),
    name: fc.constantFrom(...NAMES),
    keepsMemory: fc.boolean(),
  }),
  fc.record({ event: fc.constant('reserve' as const), count: fc.nat({ max: 3 }) }),
);

function lived(events: readonly HostEvent[]): HostLife {
  return events.reduce((life, event) => stepHost(life, event).life, NEW_HOST);
}

type Lost = Extract<HostAction, { readonly action: 'lose' }>;

function lossesOf(actions: readonly HostAction[]): readonly Lost[] {
  return actions.filter((action) => action.action === 'lose');
}

function isCaused({ status }: Loss): boolean {
  return status !== 'host_lost';
}

function holds(
  law: (life: HostLife, end: Death, losses: readonly Lost[], actions: readonly HostAction[]) => void,
): void {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 25, size: 'max' }), death, (events, end) => {
      const life = lived(events);
      const { actions } = stepHost(life, { event: 'died', ...end });
      law(life, end, lossesOf(actions), actions);
    }),
    { numRuns: 1000 },
  );
}

/** Roots of the isolates that ran when it died. */
function rootsOf({ isolates }: HostLife, { running }: Death): ReadonlySet<string> {
  return new Set([...isolates].flatMap(([name, root]) => (running.has(name) ? [root] : [])));
}

describe('a host process that dies', () => {
  it('takes each of its isolates with it, once, and tells of its end and that it holds none', () => {
    holds((life, _, losses, actions) => {
      expect(losses.map(({ name }) => name)).to.have.members([...life.isolates.keys()]);
      expect(actions.map(({ action }) => action)).to.deep.equal([
        'report_end',
        ...losses.map(() => 'lose'),
        'report_change',
      ]);
    });
  });

  it('leaves a host that is unsound, holds nothing, and is dead by some reason', () => {
    holds((life, end) => {
      const after = stepHost(life, { event: 'died', ...end }).life;
      expect(after).to.include({ isSound: false });
      expect([after.isolates.size, after.state === 'alive']).to.deep.equal([0, false]);
    });
  });

  it('is the doing of a program only where one evaluation ran, the process ended itself, and nothing was withheld', () => {
    holds((life, end, losses) => {
      for (const { name, loss } of losses) {
        const isCause = isCaused(loss) || (loss.status === 'host_lost' && loss.cause === 'crashed');
        if (!isCause) continue;
        expect(rootsOf(life, end).size).to.equal(1);
        expect(end.running.has(name)).to.equal(true);
        expect([
          life.state,
          end.lacksImage,
          end.lacksAddresses,
          end.by === 'outside',
          end.signal === null,
        ]).to.deep.equal(['alive', false, false, false, false]);
        expect(isCaused(loss)).to.equal(end.by === 'own');
      }
    });
  });

  it('for one evaluation is a neighbour to all others, and to that and its branches never', () => {
    holds((life, { lacksImage }, losses) => {
      const { blame } = life;
      if (life.state === 'alive' || blame.kind !== 'root' || lacksImage) return;
      for (const { name, later } of losses)
        expect(later.status === 'host_lost' && later.cause === 'neighbour').to.equal(
          life.isolates.get(name) !== blame.root,
        );
    });
  });

  it('for none of them is a neighbour to nobody', () => {
    holds((life, _, losses) => {
      if (life.state === 'alive' || life.blame.kind !== 'none') return;
      for (const { later } of losses) expect(later).not.to.include({ cause: 'neighbour' });
    });
  });

  it('for one that cannot be told may be a neighbour of each, where another ran', () => {
    holds((life, end, losses) => {
      if (life.state === 'alive' || life.blame.kind !== 'unknown' || end.lacksImage) return;
      const running = rootsOf(life, end);
      for (const { name, later } of losses) {
        const hasOther = [...running].some((root) => root !== life.isolates.get(name));
        expect(later.status === 'host_lost' && later.cause === 'neighbour').to.equal(hasOther);
      }
    });
  });

  it('names a signal from outside, that of whoever stopped it, and none of the pool', () => {
    holds((life, end, losses) => {
      const expected = life.killed === 'stopped' ? 'SIGSTOP' : life.killed === null ? end.signal : null;
      for (const { later } of losses)
        expect(later).to.deep.include(expected === null ? { status: 'host_lost' } : { signal: expected });
    });
  });
});

describe('the life of a host process', () => {
  it('has one reason for its end, the first, and is told of it once', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 25, size: 'max' }), (events) => {
        let life = NEW_HOST;
        const reported: KillReason[] = [];
        for (const event of events) {
          const before = life;
          const step = stepHost(life, event);
          ({ life } = step);
          for (const action of step.actions) if (action.action === 'report_kill') reported.push(action.reason);
          if (before.state === 'alive') continue;
          expect(life).to.include({ state: before.state, killed: before.killed, blame: before.blame, isSound: false });
        }
        expect(reported).to.deep.equal(life.killed === null || life.killed === 'unneeded' ? [] : [life.killed]);
      }),
    );
  });

  it('has room for what it holds, what is reserved beyond that, and what is dead and not given back', () => {
    const at = (...events: readonly HostEvent[]): number => roomOf(lived(events), ISOLATES);
    const open = (name: string, root: string | null = null): HostEvent => ({ event: 'open', name, root });
    expect(at()).to.equal(8);
    expect(at(open('1'), open('2'))).to.equal(6);
    expect(at(open('1'), { event: 'reserve', count: 3 })).to.equal(4);
    expect(at(open('1'), { event: 'reserve', count: 3 }, open('2', '1'))).to.equal(4);
    expect(at(open('1'), { event: 'reserve', count: 1 }, open('2', '1'), open('3', '1'))).to.equal(5);
    expect(at(open('1'), { event: 'forget', name: '1', keepsMemory: true })).to.equal(7);
    expect(at(open('1'), { event: 'forget', name: '1', keepsMemory: false })).to.equal(8);
    expect(at(open('1'), { event: 'reserve', count: 3 }, { event: 'reserve', count: -3 })).to.equal(7);
  });
});
