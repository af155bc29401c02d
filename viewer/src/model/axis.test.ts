import { expect } from 'chai';
import fc from 'fast-check';
import { ticksOf, zoomed } from './axis.ts';

describe('the time axis', () => {
  it('has round marks within what is shown', () => {
    expect(ticksOf({ from: 0, to: 981 }, 5)).to.deep.equal([0, 200, 400, 600, 800]);
    expect(ticksOf({ from: 130, to: 171 }, 5)).to.deep.equal([130, 140, 150, 160, 170]);
  });

  it('zooms within the whole, and keeps its place where that can be', () => {
    expect(zoomed({ from: 0, to: 100 }, 1 / 2, { around: 50, whole: 100 })).to.deep.equal({ from: 25, to: 75 });
    expect(zoomed({ from: 25, to: 75 }, 4, { around: 50, whole: 100 })).to.deep.equal({ from: 0, to: 100 });
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.integer({ min: 0, max: 100 }),
        (factor, around) => {
          const { from, to } = zoomed({ from: 20, to: 60 }, factor, { around, whole: 100 });
          expect(from).to.be.at.least(0);
          expect(to).to.be.greaterThan(from).and.at.most(100.000001);
        },
      ),
    );
  });
});
