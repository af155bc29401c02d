import { expect } from 'chai';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { openRunClock, type RunClock } from '../../platform/run-clock/run-clock.ts';
import { holdPlace, type LeasedPlace, type RunPlace } from './leased-place.ts';

const HOLD_MS = 30_000;
const NEVER = new AbortController().signal;

describe('place of a run that waits (approvals.md §9)', () => {
  let timers: SinonFakeTimers;
  let clock: RunClock;
  let done: string[];
  let grants: PromiseWithResolvers<boolean>[];
  let leased: LeasedPlace;
  beforeEach(() => {
    timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    clock = openRunClock({ monotonic: () => timers.now, wall: () => timers.now });
    done = [];
    grants = [];
    const place: RunPlace = {
      leave: () => void done.push('left'),
      regain: () => {
        done.push('wants');
        const grant = Promise.withResolvers<boolean>();
        grants.push(grant);
        return grant.promise;
      },
    };
    leased = holdPlace(clock, place, HOLD_MS);
  });
  afterEach(() => {
    timers.restore();
  });

  it('is given up after `hold_ms`, and not before', () => {
    clock.wait();
    timers.tick(HOLD_MS - 1);
    expect(done).to.deep.equal([]);
    timers.tick(1);
    expect(done).to.deep.equal(['left']);
    timers.tick(HOLD_MS * 3);
    expect(done).to.deep.equal(['left']);
  });

  it('is kept while another branch works, and for `hold_ms` after that', () => {
    clock.wait();
    const worked = clock.work();
    timers.tick(HOLD_MS * 2);
    worked();
    timers.tick(HOLD_MS - 1);
    expect(done).to.deep.equal([]);
    clock.work()();
    timers.tick(HOLD_MS - 1);
    expect(done).to.deep.equal([]);
    timers.tick(1);
    expect(done).to.deep.equal(['left']);
  });

  it('is not asked for where it was never given up', async () => {
    const answered = clock.wait();
    timers.tick(HOLD_MS - 1);
    await leased.regain(NEVER);
    answered();
    timers.tick(HOLD_MS);
    expect(done).to.deep.equal([]);
  });

  it('is taken again once for all branches, and given up again when the run waits again', async () => {
    const answered = clock.wait();
    timers.tick(HOLD_MS);
    const both = Promise.all([leased.regain(NEVER), leased.regain(NEVER)]);
    expect(done).to.deep.equal(['left', 'wants']);
    grants[0]?.resolve(true);
    await both;
    answered();
    clock.wait();
    timers.tick(HOLD_MS);
    expect(done).to.deep.equal(['left', 'wants', 'left']);
  });

  it('is asked for again by another branch when the first that wanted it is gone', async () => {
    clock.wait();
    timers.tick(HOLD_MS);
    const closed = new AbortController();
    const first = leased.regain(closed.signal);
    const second = leased.regain(NEVER);
    closed.abort();
    grants[0]?.resolve(false);
    await first;
    expect(done).to.deep.equal(['left', 'wants', 'wants']);
    grants[1]?.resolve(true);
    await second;
    await leased.regain(closed.signal);
    expect(done).to.have.length(3);
  });

  it('is kept where the run must end though somebody waits', () => {
    clock.wait();
    clock.jump(1);
    timers.tick(HOLD_MS * 2);
    expect(done).to.deep.equal([]);
  });
});
