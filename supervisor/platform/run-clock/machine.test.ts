import { expect } from 'chai';
import fc from 'fast-check';
import { RUNNING_CLOCK, runTimeAt, stepRunClock, type RunClockEvent } from './machine.ts';

type Change = Exclude<RunClockEvent['event'], 'jumped'>;
const EVENTS = ['work_began', 'work_ended', 'wait_began', 'wait_ended'] as const;

/** Any order of events that could happen: nothing ends that has not begun. */
function possible(steps: readonly (readonly [Change, number])[]): readonly RunClockEvent[] {
  let now = 1000;
  const live = { work: 0, wait: 0 };
  const events: RunClockEvent[] = [];
  for (const [event, gap] of steps) {
    now += gap;
    const kind = event.startsWith('work') ? 'work' : 'wait';
    const isEnd = event.endsWith('ended');
    if (isEnd && live[kind] === 0) continue;
    live[kind] += isEnd ? -1 : 1;
    events.push({ event, now });
  }
  return events;
}

const runs = fc
  .array(fc.tuple(fc.constantFrom(...EVENTS), fc.nat(5000)), { maxLength: 60 })
  .map((steps) => possible(steps));

/** The definition, summed up interval by interval. */
function workedMs(events: readonly RunClockEvent[], until: number): number {
  let sum = 0;
  let at = 1000;
  let working = 0;
  let waiting = 0;
  for (const { event, now } of [...events, { event: 'end', now: until } as const]) {
    if (waiting === 0 || working > 0) sum += now - at;
    at = now;
    if (event === 'work_began') working += 1;
    if (event === 'work_ended') working -= 1;
    if (event === 'wait_began') waiting += 1;
    if (event === 'wait_ended') waiting -= 1;
  }
  return sum;
}

describe('run clock machine (approvals.md §9)', () => {
  it('counts exactly the time in which nothing waits or something works', () => {
    fc.assert(
      fc.property(runs, fc.nat(5000), (events, more) => {
        let state = RUNNING_CLOCK;
        for (const event of events) state = stepRunClock(state, event);
        const now = (events.at(-1)?.now ?? 1000) + more;
        expect(runTimeAt(state, now)).to.equal(1000 + workedMs(events, now));
      }),
      { numRuns: 2000 },
    );
  });

  it('never goes back', () => {
    fc.assert(
      fc.property(runs, (events) => {
        let state = RUNNING_CLOCK;
        let last = 1000;
        for (const event of events) {
          expect(runTimeAt(state, event.now)).to.be.at.least(last);
          state = stepRunClock(state, event);
          last = runTimeAt(state, event.now);
        }
      }),
    );
  });

  it('stands still while one waits and nothing works, and runs while another works', () => {
    const steps: readonly RunClockEvent[] = [
      { event: 'work_began', now: 0 },
      { event: 'wait_began', now: 100 },
      { event: 'work_ended', now: 200 },
      { event: 'wait_ended', now: 10_200 },
    ];
    const seen: number[] = [];
    let state = RUNNING_CLOCK;
    for (const step of steps) {
      state = stepRunClock(state, step);
      seen.push(runTimeAt(state, step.now));
    }
    expect(seen).to.deep.equal([0, 100, 200, 200]);
    expect(runTimeAt(state, 10_250)).to.equal(250);
  });

  it('jumps forward, standing or not, and never back', () => {
    const jumped = stepRunClock(RUNNING_CLOCK, { event: 'jumped', to: 500, now: 100 });
    expect(runTimeAt(jumped, 100)).to.equal(500);
    expect(runTimeAt(stepRunClock(jumped, { event: 'jumped', to: 400, now: 101 }), 101)).to.equal(501);
    const waiting = stepRunClock(RUNNING_CLOCK, { event: 'wait_began', now: 200 });
    const later = stepRunClock(waiting, { event: 'jumped', to: 900, now: 5000 });
    expect(runTimeAt(later, 5000)).to.equal(900);
    // It runs on, though the person has not decided.
    expect(runTimeAt(later, 5100)).to.equal(1000);
    expect(runTimeAt(stepRunClock(later, { event: 'wait_ended', now: 6000 }), 6000)).to.equal(1900);
    expect(runTimeAt(stepRunClock(later, { event: 'wait_began', now: 6000 }), 7000)).to.equal(2900);
  });

  it('refuses an end without its beginning', () => {
    expect(() => stepRunClock(RUNNING_CLOCK, { event: 'work_ended', now: 1 })).to.throw('without its beginning');
    expect(() => stepRunClock(RUNNING_CLOCK, { event: 'wait_ended', now: 1 })).to.throw('without its beginning');
  });
});
