import { expect } from 'chai';
import fc from 'fast-check';
import { equals, hash } from './equality.ts';
import { char } from './values/char.ts';
import { double, Float32 } from './values/double.ts';
import { keyword } from './values/keyword.ts';
import { list, realised } from './values/seq.ts';
import { mapFromEntries } from './values/map-builder.ts';
import { setFrom } from './values/set.ts';
import { symbol } from './values/symbol.ts';
import { vector } from './values/vector.ts';

const HASHES: readonly (readonly [string, unknown, number])[] = [
  ['nil', null, 0],
  ['true', true, 1231],
  ['1', 1, 1392991556],
  ['-1', -1, 1651860712],
  ['1.5', 1.5, 1073217536],
  ['-0.0', double(-0), 0],
  ['100000000000000000000', 10n ** 20n, 1882487352],
  ['"abc"', 'abc', 74834163],
  ["'a", symbol(null, 'a'), -482876059],
  [':a', keyword(null, 'a'), -2123407586],
  [':a/b', keyword('a', 'b'), 1482224565],
  ['[]', vector([]), -2017569654],
  ['[1 2 3]', vector([1, 2, 3]), 736442005],
  ['(1 2 3)', list([1, 2, 3]), 736442005],
  ['{}', mapFromEntries([]), -15128758],
  ['#{}', setFrom([]), -15128758],
  ['{:a 1}', mapFromEntries([keyword(null, 'a'), 1]), 1772842048],
  ['#{1 2}', setFrom([1, 2]), 460223544],
];

const EQUAL: readonly (readonly [unknown, unknown, boolean])[] = [
  [1, double(1), false],
  [double(0), double(-0), true],
  [Number.NaN, Number.NaN, false],
  [10n ** 20n, 10n ** 20n, true],
  [new Float32(0.5), 0.5, true],
  [0.5, new Float32(0.5), true],
  [new Float32(1), double(1), true],
  [vector([1]), list([1]), true],
  [vector([1]), realised([1]), true],
  [vector([]), list([]), true],
  [list([]), null, false],
  ['a', char(97), false],
  [keyword(null, 'a'), symbol(null, 'a'), false],
  [symbol('n', 'a'), symbol('n', 'a'), true],
  [vector([1]), setFrom([1]), false],
  [mapFromEntries([]), setFrom([]), false],
];

describe('equality', () => {
  for (const [a, b, expected] of EQUAL) {
    it(`${expected ? 'holds' : 'fails'} between ${typeof a} and ${typeof b} of this row, both ways`, () => {
      expect(equals(a, b)).to.equal(expected);
      expect(equals(b, a)).to.equal(expected);
    });
  }

  it('holds for a collection and itself even if it holds NaN', () => {
    const odd = vector([Number.NaN]);
    expect(equals(odd, odd)).to.equal(true);
    expect(equals(odd, vector([Number.NaN]))).to.equal(false);
  });
});

describe('hash', () => {
  for (const [text, value, expected] of HASHES) {
    it(`of ${text} is the reference's`, () => {
      expect(hash(value)).to.equal(expected);
    });
  }

  it('agrees with equality over nested values', () => {
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.double());
    fc.assert(
      fc.property(fc.array(leaf), (elements) => {
        const values = elements.map((element) => (typeof element === 'number' ? double(element) : element));
        expect(hash(vector(values))).to.equal(hash(list(values)));
        expect(hash(setFrom(values))).to.equal(hash(setFrom(values.toReversed())));
      }),
    );
  });
});
