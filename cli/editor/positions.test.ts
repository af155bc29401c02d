import { expect } from 'chai';
import fc from 'fast-check';
import { TextLines } from './positions.ts';

const TEXT = 'a😀é\r\n\uFEFFb\rc\n\nlast';

describe('the lines of a text', () => {
  it('end with LF, CR LF or CR', () => {
    const lines = new TextLines(TEXT, 'utf-16');
    expect(['b', 'c', 'last'].map((text) => lines.placeAt(TEXT.indexOf(text)))).to.deep.equal([
      { line: 1, character: 1 },
      { line: 2, character: 0 },
      { line: 4, character: 0 },
    ]);
  });

  const UNITS = [
    ['utf-16', 3],
    ['utf-8', 5],
  ] as const;
  for (const [unit, character] of UNITS)
    it(`counts ${unit}`, () => {
      const lines = new TextLines(TEXT, unit);
      expect(lines.placeAt(TEXT.indexOf('é'))).to.deep.equal({ line: 0, character });
      expect(lines.offsetAt({ line: 0, character })).to.equal(TEXT.indexOf('é'));
    });

  it('puts a place that is beyond a line or the text at its end', () => {
    const lines = new TextLines(TEXT, 'utf-16');
    expect(lines.offsetAt({ line: 0, character: 99 })).to.equal(TEXT.indexOf('\r'));
    expect(lines.offsetAt({ line: 99, character: 0 })).to.equal(TEXT.length);
    expect(lines.offsetAt({ line: -1, character: 0 })).to.equal(0);
    expect(lines.offsetAt({ line: 0, character: -4 })).to.equal(0);
  });

  it('finds code points from 1, as the compiler counts them', () => {
    expect(new TextLines('(é😀 nope)', 'utf-16').rangeOfPoints(1, 5, 4)).to.deep.equal({
      start: { line: 0, character: 5 },
      end: { line: 0, character: 9 },
    });
    expect(new TextLines('', 'utf-16').rangeOfPoints(7, 7, 7)).to.deep.equal({
      start: { line: 0, character: 0 },
      end: { line: 0, character: 0 },
    });
  });

  it('leads from every offset to a place and back', () => {
    const piece = fc.constantFrom('a', 'é', '😀', '\n', '\r\n', '\uFEFF', '(');
    fc.assert(
      fc.property(fc.array(piece), fc.nat(), fc.constantFrom('utf-16', 'utf-8'), (pieces, at, unit) => {
        const before = pieces.slice(0, at % (pieces.length + 1)).join('');
        const lines = new TextLines(pieces.join(''), unit);
        expect(lines.offsetAt(lines.placeAt(before.length))).to.equal(before.length);
      }),
    );
  });
});
