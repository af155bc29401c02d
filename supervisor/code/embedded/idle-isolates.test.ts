import { expect } from 'chai';
import { idleIsolates } from './idle-isolates.ts';

describe('isolates that are idle', () => {
  /** Timers that fire when the test lets them. */
  function open(most: number) {
    const timers = new Map<() => void, number>();
    const released: string[] = [];
    const isolates = idleIsolates(
      { idleMs: 60_000, most },
      {
        after: (milliseconds, act) => {
          timers.set(act, milliseconds);
          return () => timers.delete(act);
        },
      },
    );
    return {
      timers,
      given: released,
      hold: (name: string) => isolates.hold(() => released.push(name)),
    };
  }

  it('are given up after their time, and not while one is used', () => {
    const { timers, given, hold } = open(8);
    const leave = hold('a');
    hold('b');
    expect([...timers.values()]).to.deep.equal([60_000, 60_000]);
    leave();
    expect(timers.size).to.equal(1);
    for (const act of timers.keys()) act();
    expect([given, timers.size]).to.deep.equal([['b'], 0]);
  });

  it('are given up where there are more than may be, the one that was idle longest first', () => {
    const { given, hold } = open(2);
    hold('a');
    const leave = hold('b');
    hold('c');
    expect(given).to.deep.equal(['a']);
    leave();
    hold('d');
    hold('e');
    expect(given).to.deep.equal(['a', 'c']);
  });
});
