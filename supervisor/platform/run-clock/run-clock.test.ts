import { expect } from 'chai';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import type { Clock } from '../../../system/clock.ts';
import { openRunClock, type RunClock } from './run-clock.ts';

describe('run clock', () => {
  let timers: SinonFakeTimers;
  let clock: RunClock;
  let rung: string[];

  beforeEach(() => {
    timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const machine: Clock = { monotonic: () => timers.now, wall: () => 1_000_000 + timers.now };
    clock = openRunClock(machine);
    rung = [];
  });

  afterEach(() => {
    timers.restore();
  });

  function ringAfter(milliseconds: number, name: string): () => void {
    return clock.after(milliseconds, () => rung.push(name));
  }

  it('rings at its time, and not after it was cancelled', () => {
    ringAfter(100, 'kept');
    const cancel = ringAfter(50, 'cancelled');
    cancel();
    timers.tick(99);
    expect(rung).to.deep.equal([]);
    timers.tick(1);
    expect(rung).to.deep.equal(['kept']);
  });

  it('waits ten minutes with an alarm of thirty seconds, which has lost nothing', () => {
    ringAfter(30_000, 'run_duration_ms');
    timers.tick(10_000);
    const answered = clock.wait();
    timers.tick(600_000);
    expect(rung).to.deep.equal([]);
    expect(clock.monotonic()).to.equal(10_000);
    expect(clock.wall()).to.equal(1_610_000);
    answered();
    timers.tick(19_999);
    expect(rung).to.deep.equal([]);
    timers.tick(1);
    expect(rung).to.deep.equal(['run_duration_ms']);
  });

  it('counts while another branch works', () => {
    ringAfter(30_000, 'run_duration_ms');
    const worked = clock.work();
    const answered = clock.wait();
    timers.tick(30_000);
    expect(rung).to.deep.equal(['run_duration_ms']);
    worked();
    answered();
  });

  it('sets what is asked for while it stands still once it goes on', () => {
    const answered = clock.wait();
    ringAfter(10, 'later');
    timers.tick(1000);
    expect(rung).to.deep.equal([]);
    answered();
    timers.tick(10);
    expect(rung).to.deep.equal(['later']);
  });

  it('cancels while it stands still', () => {
    const cancel = ringAfter(10, 'never');
    const answered = clock.wait();
    cancel();
    answered();
    timers.tick(100);
    expect(rung).to.deep.equal([]);
  });

  it('counts each end once', () => {
    const first = clock.wait();
    const second = clock.wait();
    first();
    first();
    timers.tick(100);
    expect(clock.monotonic()).to.equal(0);
    second();
    timers.tick(1);
    expect(clock.monotonic()).to.equal(1);
  });

  it('jumps to what must end the run though a person has not decided', () => {
    ringAfter(30_000, 'run_duration_ms');
    ringAfter(40_000, 'later');
    const answered = clock.wait();
    timers.tick(600_000);
    clock.jump(30_000);
    timers.tick(0);
    expect(rung).to.deep.equal(['run_duration_ms']);
    answered();
    timers.tick(10_000);
    expect(rung).to.deep.equal(['run_duration_ms', 'later']);
  });

  it('rings after more than a timer can be set to', () => {
    const month = 30 * 86_400_000;
    ringAfter(month, 'month');
    timers.tick(month - 1);
    expect(rung).to.deep.equal([]);
    timers.tick(1);
    expect(rung).to.deep.equal(['month']);
  });
});
