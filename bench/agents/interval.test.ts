import { expect } from 'chai';
import { wilson } from './interval.ts';

describe('the interval of a success rate', () => {
  // R: binom::binom.confint(x, n, methods = "wilson").
  const rows: readonly (readonly [successes: number, runs: number, low: number, high: number])[] = [
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [5, 10, 0.2366, 0.7634],
    [57, 60, 0.863, 0.9829],
    [1, 1, 0.2065, 1],
    [34, 40, 0.7093, 0.9294],
  ];
  for (const [successes, runs, low, high] of rows)
    it(`${successes} of ${runs}: ${low} to ${high}`, () => {
      const rate = wilson(successes, runs);
      expect(rate.share).to.equal(successes / runs);
      expect(rate.low).to.be.closeTo(low, 0.0001);
      expect(rate.high).to.be.closeTo(high, 0.0001);
    });

  it('says nothing without a run', () => {
    expect(wilson(0, 0)).to.deep.equal({ successes: 0, runs: 0, share: 0, low: 0, high: 1 });
  });

  it('holds the share, within 0 and 1, and is narrower with more runs', () => {
    for (let runs = 1; runs <= 40; runs += 1)
      for (let successes = 0; successes <= runs; successes += 1) {
        const { low, share, high } = wilson(successes, runs);
        expect(low).to.be.within(0, share);
        expect(high).to.be.within(share, 1);
        const more = wilson(successes * 4, runs * 4);
        expect(more.high - more.low).to.be.below(high - low);
      }
  });
});
