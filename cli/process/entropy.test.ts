import { expect } from 'chai';
import { newRunReference } from '../../contract/run-reference.ts';
import { fillAtRandom } from './entropy.ts';

describe('entropy of the machine', () => {
  it('fills every byte, differently each time', () => {
    const references = new Set(Array.from({ length: 200 }, () => newRunReference(fillAtRandom)));
    expect(references.size).to.equal(200);
    expect([...references].some((reference) => /^cmd-0+$/.test(reference))).to.equal(false);
    // Were a byte of the sixteen left as it was, one of the symbols would be the same in all.
    for (let place = 4; place < 30; place += 1) {
      expect(new Set([...references].map((reference) => reference[place])).size, `symbol ${place}`).to.be.greaterThan(
        3,
      );
    }
  });
});
