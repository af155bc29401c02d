import { expect } from 'chai';
import * as fc from 'fast-check';
import { decimalLayout, doubleLayout } from './double-layout.ts';

describe('layout of doubles (language.md §18)', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, '0.0'],
    [-0, '-0.0'],
    [1, '1.0'],
    [-1, '-1.0'],
    [100, '100.0'],
    [0.1, '0.1'],
    [0.2, '0.2'],
    [1000, '1000.0'],
    [123456.789, '123456.789'],
    [0.001, '0.001'],
    [0.0012, '0.0012'],
    [0.00099999, '9.9999E-4'],
    [1e-4, '1.0E-4'],
    [9999999, '9999999.0'],
    [9999999.5, '9999999.5'],
    [1e7, '1.0E7'],
    [12345678.9, '1.23456789E7'],
    [1e21, '1.0E21'],
    [1e23, '1.0E23'],
    [2e23, '2.0E23'],
    [1.5e300, '1.5E300'],
    [Number.MAX_VALUE, '1.7976931348623157E308'],
    [Number.MIN_VALUE, '4.9E-324'],
    [-Number.MIN_VALUE, '-4.9E-324'],
    [1e-323, '9.9E-324'],
    [2e-323, '2.0E-323'],
    [2.2250738585072014e-308, '2.2250738585072014E-308'],
    [0.3333333333333333, '0.3333333333333333'],
    [2 ** 53, '9.007199254740992E15'],
  ];
  for (const [value, text] of cases) {
    it(text, () => {
      expect(doubleLayout(value)).to.equal(text);
    });
  }

  it('reads back as the same double, and always with a point', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = doubleLayout(value);
        expect(Object.is(Number(text), value)).to.equal(true);
        expect(text).to.match(/^-?\d+\.\d+(E-?[1-9]\d*)?$/);
      }),
      { numRuns: 2000 },
    );
  });

  it('lays out the digits of any decimal alike', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-5, max: 1e9, noNaN: true }), (value) => {
        const [digits = '', exponent = ''] = value.toExponential().split('e');
        expect(decimalLayout(digits.replace('.', ''), Number(exponent))).to.equal(doubleLayout(value));
      }),
      { numRuns: 2000 },
    );
  });
});
