import { expect } from 'chai';
import fc from 'fast-check';
import { dayBudgets } from './day-budgets.ts';

const DAY = 86_400_000;
const NONE = { tokens: null, microusd: null };
const tokens = (count: number | null): { readonly tokens: number | null; readonly microusd: number | null } => ({
  tokens: count,
  microusd: 0,
});
const BOUND = { tokens: 100, microusd: null };

describe('what tenants may spend on a day (gateway.md §18)', () => {
  const EDGES: readonly (readonly [what: string, worst: number | null, isGiven: boolean])[] = [
    ['one less than there is', 99, true],
    ['all there is', 100, true],
    ['one more', 101, false],
    ['nobody knows how much', null, true],
    ['nothing', 0, true],
  ];
  for (const [what, worst, isProvided] of EDGES) {
    it(`${what}: ${isProvided ? 'put aside' : 'refused'}`, () => {
      expect(dayBudgets(() => 0).reserve('a', BOUND, tokens(worst)) !== null).to.equal(isProvided);
    });
  }

  it('is put aside before, and settled after', () => {
    const budgets = dayBudgets(() => 0);
    const first = budgets.reserve('a', BOUND, tokens(60));
    expect(budgets.reserve('a', BOUND, tokens(60))).to.equal(null);
    expect(budgets.reserve('b', BOUND, tokens(60)), 'of another').to.not.equal(null);
    first?.settle({ tokens: 10, microusd: 0 });
    first?.settle({ tokens: 90, microusd: 0 });
    expect(budgets.reserve('a', BOUND, tokens(91))).to.equal(null);
    expect(budgets.reserve('a', BOUND, tokens(90))).to.not.equal(null);
  });

  it('is all put aside for a run of which nobody knows, and all spent when nobody can tell', () => {
    const budgets = dayBudgets(() => 0);
    const unknown = budgets.reserve('a', BOUND, tokens(null));
    expect(budgets.reserve('a', BOUND, tokens(1))).to.equal(null);
    unknown?.settle(null);
    expect(budgets.reserve('a', BOUND, tokens(1))).to.equal(null);
    expect(budgets.reserve('a', BOUND, tokens(0)), 'one that asks no model').to.not.equal(null);
    expect(budgets.reserve('a', NONE, tokens(1000)), 'without a bound').to.not.equal(null);
  });

  it('is whole again on the next day, but for what goes on, and not when the clock goes back', () => {
    let now = DAY - 1;
    const budgets = dayBudgets(() => now);
    const over = budgets.reserve('a', BOUND, tokens(50));
    budgets.reserve('a', BOUND, tokens(50))?.settle(null);
    expect([budgets.reserve('a', BOUND, tokens(1)), budgets.untilTomorrowMs()]).to.deep.equal([null, 1]);
    now = DAY;
    expect(budgets.reserve('a', BOUND, tokens(51))).to.equal(null);
    over?.settle({ tokens: 100, microusd: 0 });
    now = 0;
    expect(budgets.reserve('a', BOUND, tokens(1))).to.equal(null);
  });

  it('is never exceeded by runs that keep to their worst case, however they overlap', () => {
    const run = fc.record({
      worst: fc.integer({ min: 1, max: 40 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      lasts: fc.integer({ min: 0, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 100 }), (runs) => {
        const budgets = dayBudgets(() => 0);
        let spent = 0;
        const going: (() => void)[][] = [];
        runs.forEach(({ worst, part, lasts }, at) => {
          const reservation = budgets.reserve('a', BOUND, tokens(worst));
          const used = Math.floor(worst * part);
          if (reservation !== null)
            (going[at + lasts] ??= []).push(() => {
              spent += used;
              reservation.settle({ tokens: used, microusd: 0 });
            });
          for (const end of going[at] ?? []) end();
        });
        for (const ends of going.slice(runs.length)) for (const end of ends ?? []) end();
        expect(spent).to.be.at.most(100);
      }),
    );
  });
});
