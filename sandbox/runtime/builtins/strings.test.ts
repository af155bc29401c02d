import { expect } from 'chai';
import { str } from './strings.ts';

describe('str', () => {
  for (const count of [0, 1, 7, 8, 9, 16_383, 16_384, 16_385]) {
    it(`puts ${count} pieces together`, () => {
      const pieces = Array.from({ length: count }, (_, index) =>
        index % 3 === 0 ? index : index % 3 === 1 ? 'ä' : null,
      );
      expect(str(pieces)).to.equal(pieces.map((piece) => piece ?? '').join(''));
    });
  }
});
