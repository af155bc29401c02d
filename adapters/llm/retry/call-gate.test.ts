import { expect } from 'chai';
import fc from 'fast-check';
import { CallGate } from './call-gate.ts';

/** A vendor that takes so many requests in each second of its clock and answers after so long. */
interface Vendor {
  readonly perSecond: number;
  readonly answerMs: number;
}

interface Arrival {
  readonly at: number;
  readonly isUsed: boolean;
}

/** Drives a gate with callers that each ask until they are taken; time is the loop's own. */
function drive(
  callers: number,
  { perSecond, answerMs }: Vendor,
): { readonly arrivals: readonly Arrival[]; readonly requested: readonly number[]; readonly usedBy: number } {
  const gate = new CallGate();
  const arrivals: Arrival[] = [];
  const requested = Array.from({ length: callers }, () => 0);
  const answers: { readonly at: number; readonly id: number; readonly isUsed: boolean }[] = [];
  for (let id = 0; id < callers; id += 1) gate.ask(id, Number.POSITIVE_INFINITY);
  let [now, used, usedBy] = [0, 0, 0];
  for (let turn = 0; used < callers && turn < 100_000; turn += 1) {
    for (const answer of answers.filter(({ at }) => at <= now)) {
      answers.splice(answers.indexOf(answer), 1);
      if (answer.isUsed) [used, usedBy] = [used + 1, now];
      else gate.ask(answer.id, Number.POSITIVE_INFINITY, true);
      gate.answered(
        answer.id,
        answer.isUsed ? { kind: 'taken' } : { kind: 'limited', until: now + 1000 - (now % 1000) },
        now,
      );
    }
    const { leaving, wakeAt } = gate.look(now);
    for (const id of leaving) {
      requested[id] = (requested[id] ?? 0) + 1;
      const second = Math.floor(now / 1000);
      const isUsed =
        arrivals.filter(({ at, isUsed: wasUsed }) => wasUsed && Math.floor(at / 1000) === second).length < perSecond;
      arrivals.push({ at: now, isUsed: isUsed });
      answers.push({ at: now + answerMs, id, isUsed: isUsed });
    }
    now = Math.min(
      ...answers.map(({ at }) => at),
      wakeAt === null || wakeAt <= now ? Number.POSITIVE_INFINITY : wakeAt,
    );
  }
  return { arrivals, requested: requested, usedBy: usedBy };
}

function mostInASecond(arrivals: readonly Arrival[]): number {
  const bySecond = new Map<number, number>();
  for (const { at } of arrivals) bySecond.set(Math.floor(at / 1000), (bySecond.get(Math.floor(at / 1000)) ?? 0) + 1);
  return Math.max(...bySecond.values());
}

describe('the gate of an installation (world.md §1.4)', () => {
  it('lets 32 callers under a limit of 10 a second all end, with 12 requests a second at most and 3 attempts each', () => {
    for (let answerMs = 1; answerMs < 6000; answerMs += 7) {
      const { arrivals, requested: asked } = drive(32, { perSecond: 10, answerMs });
      expect(arrivals.filter(({ isUsed: isTaken }) => isTaken)).to.have.length(32);
      expect(mostInASecond(arrivals), `answers after ${answerMs} ms`).to.be.at.most(12);
      expect(Math.max(...asked), `answers after ${answerMs} ms`).to.be.at.most(3);
    }
  });

  it('never lets callers starve, whatever the limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 3000 }),
        (callers, perSecond, answerMs) => {
          const { arrivals } = drive(callers, { perSecond, answerMs });
          expect(arrivals.filter(({ isUsed: isTaken }) => isTaken)).to.have.length(callers);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never holds back one caller after another, nor two at once', () => {
    const gate = new CallGate();
    for (let call = 0; call < 2000; call += 2) {
      gate.ask(call, 0);
      gate.ask(call + 1, 0);
      expect(gate.look(0).leaving).to.deep.equal([call, call + 1]);
      gate.answered(call, { kind: 'taken' }, 0);
      gate.answered(call + 1, { kind: 'taken' }, 0);
    }
  });

  it('lets more be on their way as answers come back', () => {
    const { usedBy: takenBy } = drive(2000, { perSecond: Number.POSITIVE_INFINITY, answerMs: 10 });
    expect(takenBy).to.be.below(2500);
  });

  it('holds everybody back until the moment that was named, and refuses who cannot wait so long', () => {
    const gate = new CallGate();
    gate.ask(1, 0);
    expect(gate.look(0).leaving).to.deep.equal([1]);
    gate.answered(1, { kind: 'limited', until: 5000 }, 10);
    gate.ask(2, 4999);
    gate.ask(3, 5000);
    expect(gate.look(10)).to.deep.equal({ leaving: [], refused: [{ id: 2, until: 5000 }], wakeAt: 5000 });
    expect(gate.look(4999)).to.deep.equal({ leaving: [], refused: [], wakeAt: 5000 });
    expect(gate.look(5000).leaving).to.deep.equal([3]);
  });

  it('forgets who gave up', () => {
    const gate = new CallGate();
    gate.ask(1, 0);
    gate.giveUp(1);
    expect(gate.look(0)).to.deep.equal({ leaving: [], refused: [], wakeAt: null });
    expect(gate.isIdle(0)).to.equal(true);
  });
});
