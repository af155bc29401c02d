import { expect } from 'chai';
import { isOld } from './catalogue-age.ts';

describe('the age of the list of models (world.md §1.8)', () => {
  const DAY_MS = 86_400_000;
  const since = Date.parse('2026-09-23T00:00:00Z');

  for (const [days, old] of [
    [179, false],
    [180, false],
    [181, true],
  ] as const) {
    it(`after ${days} days it is ${old ? 'old' : 'current'}`, () => {
      expect(isOld('2026-09-23', since + days * DAY_MS)).to.equal(old);
    });
  }
});
