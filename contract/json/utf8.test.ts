import { expect } from 'chai';
import * as fc from 'fast-check';
import { compareUtf8, utf8Length, wellFormedLength } from './utf8.ts';

const text = fc.string({ unit: 'binary' });

/** Bytes that are likely to be nearly UTF-8. */
const hostileBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf),
      fc.constantFrom(0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff),
    ),
    { maxLength: 8 },
  )
  .map((bytes) => Uint8Array.from(bytes));

describe('UTF-8', () => {
  it('orders texts as their bytes are ordered', () => {
    fc.assert(
      fc.property(text, text, text, (prefix, left, right) => {
        const [a, b] = [prefix + left, prefix + right];
        expect(Math.sign(compareUtf8(a, b))).to.equal(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 1000 },
    );
    expect(compareUtf8('\u{1F600}', '\uFFFD')).to.be.greaterThan(0);
    expect(compareUtf8('\uE000', '\uD7FF')).to.be.greaterThan(0);
  });

  it('counts bytes, lone surrogates as the replacement character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
        (any) => {
          expect(utf8Length(any)).to.equal(Buffer.byteLength(any));
        },
      ),
      { numRuns: 1000 },
    );
    for (const mixed of ['', 'a', 'é', '漢', '\u{1F600}', '\uD83D', '\uDE00\uD83D', '\uD83D😀', 'a\uD83Dé']) {
      expect(utf8Length(mixed)).to.equal(Buffer.byteLength(mixed));
    }
  });

  it('finds the first malformed byte exactly where a fatal decoder fails', () => {
    fc.assert(
      fc.property(hostileBytes, (bytes) => {
        const length = wellFormedLength(bytes);
        const decode = (end: number): string =>
          new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end));
        expect(() => decode(length)).to.not.throw();
        if (length < bytes.length) {
          for (let end = length + 1; end <= bytes.length; end += 1) {
            expect(() => decode(end)).to.throw(TypeError);
          }
        }
      }),
      { numRuns: 5000 },
    );
  });
});
