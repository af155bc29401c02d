import { expect } from 'chai';
import fc from 'fast-check';
import { collectedBytes } from './collected-bytes.ts';

describe('bytes that come in pieces', () => {
  it('are all there, in their order, up to the most', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9000 }), { maxLength: 20 }), fc.nat(60_000), (pieces, most) => {
        const collected = collectedBytes(most);
        const whole = Buffer.concat(pieces);
        let before = 0;
        for (const piece of pieces) {
          expect(collected.add(piece)).to.equal(before + piece.length <= most || piece.length === 0);
          before = Math.min(most, before + piece.length);
        }
        expect(Buffer.from(collected.bytes()).equals(whole.subarray(0, most))).to.equal(true);
      }),
    );
  });
});
