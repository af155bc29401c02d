import { expect } from 'chai';
import * as fc from 'fast-check';
import { microusdOf } from './cost.ts';

describe('prices in millionths of a dollar (runtime.md §11)', () => {
  const rows: readonly (readonly [string, number | null])[] = [
    ['0', 0],
    ['0.000', 0],
    ['1', 1_000_000],
    ['0.1', 100_000],
    ['0.000001', 1],
    ['0.0000001', 1],
    ['0.0000011', 2],
    ['1.5E-3', 1500],
    ['2e2', 200_000_000],
    ['1e-400', 1],
    ['1e-9999', 1],
    ['1e9999', Number.MAX_SAFE_INTEGER],
    ['9007199254.740991', Number.MAX_SAFE_INTEGER],
    ['9007199254.740992', Number.MAX_SAFE_INTEGER],
    ['9007199254.740990', Number.MAX_SAFE_INTEGER - 1],
    [`0.${'0'.repeat(61)}1`, 1],
    [`0.${'0'.repeat(62)}1`, null],
    ['-1', null],
    ['', null],
    ['.5', null],
    ['NaN', null],
    ['1 ', null],
    ['0x10', null],
  ];
  for (const [text, microusd] of rows) {
    it(`${JSON.stringify(text.slice(0, 24))} is ${String(microusd)}`, () => {
      expect(microusdOf(text)).to.equal(microusd);
    });
  }

  it('is never below the price, and never a whole millionth above it', () => {
    fc.assert(fc.property(fc.nat(1_000_000), fc.nat(999_999_999), (whole, nanos) => {
      const microusd = microusdOf(`${whole}.${String(nanos).padStart(9, '0')}`);
      const exact = BigInt(whole) * 1_000_000_000n + BigInt(nanos);
      const given = BigInt(microusd ?? -1) * 1000n;
      return given >= exact && given - exact < 1000n;
    }));
  });
});
