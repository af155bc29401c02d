import { expect } from 'chai';
import * as fc from 'fast-check';
import { microunitsOf } from './cost.ts';
import { scaledDecimal } from './decimal.ts';

describe('prices in microunits (runtime.md §11, providers.md §5.5)', () => {
  const cases: readonly (readonly [string, number | null])[] = [
    ['0', 0],
    ['0.000', 0],
    ['0e9999', 0],
    ['1', 1_000_000],
    ['0.000001', 1],
    ['0.0000001', 1],
    ['0.0000010', 1],
    ['0.0000011', 2],
    ['0.00000100000000000001', 2],
    ['0.1', 100_000],
    ['0.3', 300_000],
    ['1.5e-3', 1500],
    ['1.5E-3', 1500],
    ['1E2', 100_000_000],
    ['2e+2', 200_000_000],
    ['25e-8', 1],
    ['1e-400', 1],
    ['1e-9999', 1],
    [`1e-${'9'.repeat(60)}`, 1],
    [`0.${'0'.repeat(61)}1`, 1],
    ['9007199254.740991', Number.MAX_SAFE_INTEGER],
    ['9007199254.740990', Number.MAX_SAFE_INTEGER - 1],
    ['9007199254.740992', null],
    ['9007199254.7409911', null],
    ['1e9999', null],
    [`1e${'9'.repeat(60)}`, null],
    ['-1', null],
    ['-0', null],
    ['', null],
    ['.5', null],
    ['1.', null],
    ['NaN', null],
    ['1 ', null],
    ['0x10', null],
    ['1e', null],
    [`0.${'0'.repeat(62)}`, 0],
    [`0.${'0'.repeat(63)}`, null],
  ];
  for (const [text, expected] of cases) {
    it(`${text === '' ? 'an empty text' : text.slice(0, 24)} is ${String(expected)}`, () => {
      expect(microunitsOf(text)).to.equal(expected);
    });
  }

  it('are never below the price, and never a whole microunit above it', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(999_999_999), (whole, nanos) => {
        const input = BigInt(microunitsOf(`${whole}.${String(nanos).padStart(9, '0')}`) ?? -1) * 1000n;
        const exact = BigInt(whole) * 1_000_000_000n + BigInt(nanos);
        return input >= exact && input - exact < 1000n;
      }),
    );
  });

  it('are the same however the point is moved', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.integer({ min: -30, max: 30 }),
        fc.nat(12),
        (digits, shift, places) => {
          const there = scaledDecimal(`${digits}e${shift}`, places);
          const exact =
            shift + places >= 0
              ? digits * 10n ** BigInt(shift + places)
              : (digits + 10n ** BigInt(-shift - places) - 1n) / 10n ** BigInt(-shift - places);
          return there === exact;
        },
      ),
    );
  });
});
