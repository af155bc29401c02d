import { expect } from 'chai';
import { createSampler } from './heap-sampler.ts';

describe('a sampler', () => {
  it('looks at once, and then every 100 ms at most', () => {
    let at = 5;
    let looks = 0;
    const sample = createSampler(
      () => (looks += 1),
      () => at,
    );
    const seen = [0, 0, 99, 1, 50, 50, 250].map((passed) => {
      at += passed;
      return sample();
    });
    expect(seen).to.deep.equal([1, null, null, 2, null, 3, 4]);
  });
});
