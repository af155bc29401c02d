import { expect } from 'chai';
import { microunitsOf } from './cost.ts';

describe('prices in microunits (providers.md §5.5)', () => {
  const cases: readonly (readonly [string, number | null])[] = [
    ['0', 0], ['1', 1_000_000], ['0.000001', 1], ['0.0000001', 1], ['0.0000010', 1], ['0.00000100000000000001', 2],
    ['0.1', 100_000], ['0.3', 300_000], ['1.5e-3', 1500], ['1E2', 100_000_000], ['25e-8', 1],
    ['9007199254.740991', Number.MAX_SAFE_INTEGER], ['9007199254.740992', null], ['9007199254.7409911', null],
    ['-1', null], ['-0', null], ['', null], ['1e9999', null], ['.5', null], ['1.', null], ['NaN', null],
    [`0.${'0'.repeat(62)}`, 0], [`0.${'0'.repeat(63)}`, null],
  ];
  for (const [text, expected] of cases) {
    it(`${text === '' ? 'an empty text' : text} is ${String(expected)}`, () => {
      expect(microunitsOf(text)).to.equal(expected);
    });
  }
});
