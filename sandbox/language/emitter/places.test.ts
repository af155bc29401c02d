import { expect } from 'chai';
import fc from 'fast-check';
import { mark, placesAt, takeMarks, type SourcePlace } from './places.ts';

describe('places of generated code', () => {
  it('come back for every mark, and for nothing else', () => {
    const piece = fc.tuple(fc.constantFrom('a(', 'b\n', '\n\nccc', ' ', 'd)\n'), fc.nat(3_000_000), fc.nat(70_000));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        let text = '';
        let code = '';
        const marked = new Map<string, SourcePlace>();
        for (const [words, start, length] of pieces) {
          code += words;
          const lines = code.split('\n');
          const place = { start, end: start + length };
          text += words + mark(place);
          marked.set(`${lines.length - 1}:${lines.at(-1)?.length ?? 0}`, place);
        }
        const placedCode = takeMarks(text);
        expect(placedCode.code).to.equal(code);
        const calls = [...marked.keys()].map((key) => ({
          line: Number(key.split(':')[0]),
          column: Number(key.split(':')[1]),
        }));
        expect(placesAt(placedCode.places, calls)).to.deep.equal([...marked.values()]);
        expect(placesAt(placedCode.places, [{ line: 99_999, column: 0 }])).to.deep.equal([null]);
      }),
    );
  });

  it('of a text without marks are none', () => {
    expect(takeMarks('a\nb')).to.deep.equal({ code: 'a\nb', places: '' });
    expect(placesAt('', [{ line: 0, column: 0 }])).to.deep.equal([null]);
  });
});
