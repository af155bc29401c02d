import { expect } from 'chai';
import { fuzzOnce } from './fuzzing.ts';

/** Seeds of the suite; fuzz.ts runs any number of others. */
const COUNT = 3000;

describe('mutated documents', () => {
  it(`${String(COUNT)} are loaded or told, never thrown`, async () => {
    const verdicts = new Set<string>();
    for (let seed = 1; seed <= COUNT; seed += 1) {
      const { finding, verdict } = await fuzzOnce(seed);
      expect(finding).to.equal(null);
      verdicts.add(verdict);
    }
    // Mutations that all failed alike would prove nothing.
    expect(verdicts).to.include('loaded');
    expect(verdicts.size).to.be.greaterThan(25);
  });
});
